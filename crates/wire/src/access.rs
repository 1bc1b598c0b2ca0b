//! What a key may do: which actions, on which tables. Whatever is not allowed is denied.
//!
//! Knows policies and names only: neither signatures nor what a table holds. What a request does
//! comes in as a list of [`Touch`]es; all of them must be allowed.

use std::collections::BTreeSet;
use std::fmt;

use crate::touch::Touch;

mod pattern;
mod policy;
mod resource;

pub use pattern::{InvalidTablePattern, TablePattern};
pub use policy::Verdict;
pub(crate) use policy::{InvalidPolicy, PolicyDocument};
pub(crate) use resource::Resource;

/// The word for all actions.
const EVERY_ACTION: &str = "*";

/// How AWS's policies spell an action of DynamoDB.
const ACTION_PREFIX: &str = "dynamodb:";

/// The actions and tables that a key may use. A new one allows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    actions: Actions,
    tables: Vec<TablePattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Actions {
    Every,
    Named(BTreeSet<Box<str>>),
}

impl Default for Actions {
    fn default() -> Self {
        Self::Named(BTreeSet::new())
    }
}

/// Who is told that something is denied, and where.
#[derive(Clone, Copy, Debug)]
pub struct Principal<'a> {
    /// The name of the user.
    pub name: &'a str,
    /// The account in ARNs.
    pub account: &'a str,
    /// The region in ARNs.
    pub region: &'a str,
}

impl Principal<'_> {
    /// The ARN that policies know the user by.
    pub(crate) fn user_arn(&self) -> String {
        format!("arn:aws:iam::{}:user/{}", self.account, self.name)
    }
}

impl Permissions {
    /// No action on any table.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Every action on every table.
    pub fn everything() -> Self {
        Self { actions: Actions::Every, tables: vec![TablePattern::every()] }
    }

    /// Allows an action: `GetItem`, `dynamodb:GetItem`, or `*` for all.
    #[must_use]
    pub fn allow_action(mut self, action: &str) -> Self {
        match (&mut self.actions, action_name(action)) {
            (actions, EVERY_ACTION) => *actions = Actions::Every,
            (Actions::Named(names), name) => {
                names.insert(name.into());
            }
            (Actions::Every, _) => {}
        }
        self
    }

    /// Allows the tables whose names match.
    #[must_use]
    pub fn allow_tables(mut self, pattern: TablePattern) -> Self {
        self.tables.push(pattern);
        self
    }

    /// Checks that everything a request does is allowed. The first thing that is not is named in
    /// the error.
    pub fn authorize(&self, principal: Principal<'_>, touches: &[Touch<'_>]) -> Result<(), Denied> {
        self.authorize_beside(principal, touches, |_| Verdict::Silent)
    }

    /// The same beside resource-based policies, as within one account of AWS: what a policy denies
    /// is denied, what a policy or these permissions allow is allowed.
    pub(crate) fn authorize_beside(
        &self,
        principal: Principal<'_>,
        touches: &[Touch<'_>],
        policy: impl Fn(&Touch<'_>) -> Verdict,
    ) -> Result<(), Denied> {
        for touch in touches {
            let denial = match policy(touch) {
                Verdict::Allowed => continue,
                Verdict::Silent if self.allows(touch) => continue,
                Verdict::Silent => Denial::NotAllowed,
                Verdict::Denied => Denial::ByPolicy,
            };
            return Err(Denied::new(principal, touch, denial));
        }
        Ok(())
    }

    fn allows(&self, touch: &Touch<'_>) -> bool {
        let action = match &self.actions {
            Actions::Every => true,
            Actions::Named(names) => names.contains(touch.action),
        };
        let table = || match touch.table.map(Resource::of) {
            None => true,
            Some(Resource::Table(name)) => self.tables.iter().any(|known| known.matches(name)),
            Some(Resource::Unclear(_)) => self.tables.iter().any(TablePattern::is_every),
        };
        action && table()
    }
}

/// An action without the prefix that policies may give it.
pub fn action_name(action: &str) -> &str {
    action.strip_prefix(ACTION_PREFIX).unwrap_or(action)
}

/// A request does something that its key may not do: `AccessDeniedException`, status 400.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    user: String,
    action: String,
    resource: String,
    denial: Denial,
}

/// Why something is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denial {
    /// Nothing allows it.
    NotAllowed,
    /// A resource-based policy denies it.
    ByPolicy,
}

impl Denied {
    fn new(principal: Principal<'_>, touch: &Touch<'_>, denial: Denial) -> Self {
        let Principal { account, region, .. } = principal;
        let arn = |table| format!("arn:aws:dynamodb:{region}:{account}:table/{table}");
        let given = touch.table.unwrap_or("*");
        Self {
            user: principal.user_arn(),
            action: format!("{ACTION_PREFIX}{}", touch.action),
            resource: match (Resource::of(given), touch.index) {
                (Resource::Unclear(resource), _) => resource.to_owned(),
                (Resource::Table(_), _) if touch.is_on_stream() => given.to_owned(),
                (Resource::Table(table), Some(index)) => format!("{}/index/{index}", arn(table)),
                (Resource::Table(table), None) => arn(table),
            },
            denial,
        }
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { user, action, resource, denial } = self;
        write!(
            formatter,
            "User: {user} is not authorized to perform: {action} on resource: {resource} "
        )?;
        match denial {
            Denial::NotAllowed => {
                write!(formatter, "because no identity-based policy allows the {action} action")
            }
            Denial::ByPolicy => {
                formatter.write_str("with an explicit deny in a resource-based policy")
            }
        }
    }
}

impl std::error::Error for Denied {}

#[cfg(test)]
mod tests;
