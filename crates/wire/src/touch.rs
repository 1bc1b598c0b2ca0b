//! What a request touches, for whoever decides whether it may.

/// One thing a request does, in the terms of AWS's policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch<'a> {
    /// The action: mostly the operation's name; parts of transactions have their own.
    pub action: &'static str,
    /// The table, by name or ARN (an index or stream counts as its table); none for actions on
    /// the whole account.
    pub table: Option<&'a str>,
}

impl<'a> Touch<'a> {
    /// An action on a table. A request without a table's name is refused later for that.
    pub(crate) fn table(action: &'static str, table: Option<&'a str>) -> Self {
        Self { action, table: Some(table.unwrap_or_default()) }
    }

    /// An action on no table in particular.
    pub(crate) fn account(action: &'static str) -> Self {
        Self { action, table: None }
    }
}
