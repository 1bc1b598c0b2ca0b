//! The permissions of a key: allowed actions and tables. Everything that is not allowed is denied.
//!
//! Knows only policies and names, neither signatures nor the contents of tables. A request is given
//! as a list of [`Touch`]es; all of them must be allowed.

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

/// Matches every action.
const EVERY_ACTION: &str = "*";

/// The prefix of DynamoDB's actions in AWS's policies.
const ACTION_PREFIX: &str = "dynamodb:";

/// The actions and tables that a key may use. A new value allows nothing.
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

/// The caller that error messages name, and where it is.
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
    /// Returns the ARN of the user in policies.
    pub(crate) fn user_arn(&self) -> String {
        format!("arn:aws:iam::{}:user/{}", self.account, self.name)
    }
}

impl Permissions {
    /// Returns permissions for no action.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Returns permissions for every action on every table.
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

    /// Checks that everything a request does is allowed.
    ///
    /// # Errors
    ///
    /// Names the first action that is not allowed.
    pub fn authorize(&self, principal: Principal<'_>, touches: &[Touch<'_>]) -> Result<(), Denied> {
        self.authorize_with_policy(principal, touches, |_| Verdict::Silent)
    }

    /// Checks the permissions together with resource-based policies, as within one account of AWS:
    /// a denial by a policy wins, and either a policy or these permissions can allow.
    pub(crate) fn authorize_with_policy(
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

/// Returns an action without the prefix that policies may give it.
pub fn action_name(action: &str) -> &str {
    action.strip_prefix(ACTION_PREFIX).unwrap_or(action)
}

/// The error of a request that its key may not send: `AccessDeniedException`, status 400.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    user: String,
    action: String,
    resource: String,
    denial: Denial,
}

/// The reason of a denial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denial {
    /// Nothing allows the action.
    NotAllowed,
    /// A resource-based policy denies the action.
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
