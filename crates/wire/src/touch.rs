//! What a request touches, for whoever decides whether it may.

use crate::access::Resource;

/// One thing a request does, in the terms of AWS's policies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch<'a> {
    /// The action: mostly the operation's name; parts of transactions have their own.
    pub action: &'static str,
    /// The table, by name or ARN (an index or stream counts as its table); none for actions on
    /// the whole account.
    pub table: Option<&'a str>,
    /// The index of the table that is read, which policies know as a resource of its own.
    pub index: Option<&'a str>,
}

impl<'a> Touch<'a> {
    /// An action on a table. A request without a table's name is refused later for that.
    pub(crate) fn table(action: &'static str, table: Option<&'a str>) -> Self {
        Self { action, table: Some(table.unwrap_or_default()), index: None }
    }

    /// The same action on an index of the table.
    pub(crate) fn on_index(self, index: Option<&'a str>) -> Self {
        Self { index, ..self }
    }

    /// Whether it is on a stream, which has a policy of its own.
    pub(crate) fn is_on_stream(&self) -> bool {
        self.table.is_some_and(|given| given.contains("/stream/"))
    }

    /// The names under which the touched resource may have a policy: as the request gives it, and
    /// the table that permissions understand it as. No spelling of an ARN evades a policy.
    pub(crate) fn policy_names(&self) -> Option<impl Iterator<Item = &'a str>> {
        let given = self.table?;
        let understood = match Resource::of(given) {
            Resource::Table(name) if !self.is_on_stream() => Some(name),
            Resource::Table(_) | Resource::Unclear(_) => None,
        };
        Some(std::iter::once(given).chain(understood))
    }

    /// An action on no table in particular.
    pub(crate) fn account(action: &'static str) -> Self {
        Self { action, table: None, index: None }
    }
}
