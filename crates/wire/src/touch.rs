//! The actions and resources of a request, for authorization.

use crate::access::Resource;

/// One action of a request, as AWS's policies name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch<'a> {
    /// The action: usually the operation's name; parts of transactions have their own.
    pub action: &'static str,
    /// The table, by name or ARN (an index or stream counts as its table); `None` for actions on
    /// the whole account.
    pub table: Option<&'a str>,
    /// The index that is read, which is a resource of its own in policies.
    pub index: Option<&'a str>,
}

impl<'a> Touch<'a> {
    /// Returns an action on a table. A request without a table name is refused later.
    pub(crate) fn table(action: &'static str, table: Option<&'a str>) -> Self {
        Self { action, table: Some(table.unwrap_or_default()), index: None }
    }

    /// Returns the same action on an index of the table.
    pub(crate) fn on_index(self, index: Option<&'a str>) -> Self {
        Self { index, ..self }
    }

    /// Returns whether the resource is a stream, which has its own policy.
    pub(crate) fn is_on_stream(&self) -> bool {
        self.table.is_some_and(|given| given.contains("/stream/"))
    }

    /// Returns the names under which the resource may have a policy: the one in the request, and
    /// the table that permissions find in it. So no spelling of an ARN evades a policy.
    pub(crate) fn policy_names(&self) -> Option<impl Iterator<Item = &'a str>> {
        let given = self.table?;
        let understood = match Resource::of(given) {
            Resource::Table(name) if !self.is_on_stream() => Some(name),
            Resource::Table(_) | Resource::Unclear(_) => None,
        };
        Some(std::iter::once(given).chain(understood))
    }

    /// Returns an action on the whole account.
    pub(crate) fn account(action: &'static str) -> Self {
        Self { action, table: None, index: None }
    }
}
