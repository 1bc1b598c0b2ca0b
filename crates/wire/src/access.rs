//! What a key may do: which actions, on which tables. Whatever is not allowed is denied.
//!
//! Knows policies and names only: neither signatures nor what a table holds. What a request does
//! comes in as a list of [`Touch`]es; all of them must be allowed.

use std::collections::BTreeSet;
use std::fmt;

use crate::touch::Touch;

mod pattern;
mod resource;

pub use pattern::{InvalidTablePattern, TablePattern};
use resource::Resource;

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
        match touches.iter().find(|touch| !self.allows(touch)) {
            None => Ok(()),
            Some(touch) => Err(Denied::new(principal, touch)),
        }
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
}

impl Denied {
    fn new(principal: Principal<'_>, touch: &Touch<'_>) -> Self {
        let Principal { name, account, region } = principal;
        let arn = |table| format!("arn:aws:dynamodb:{region}:{account}:table/{table}");
        Self {
            user: format!("arn:aws:iam::{account}:user/{name}"),
            action: format!("{ACTION_PREFIX}{}", touch.action),
            resource: match touch.table.map(Resource::of) {
                None => arn("*"),
                Some(Resource::Table(table)) => arn(table),
                Some(Resource::Unclear(resource)) => resource.to_owned(),
            },
        }
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { user, action, resource } = self;
        write!(
            formatter,
            "User: {user} is not authorized to perform: {action} on resource: {resource} because \
             no identity-based policy allows the {action} action"
        )
    }
}

impl std::error::Error for Denied {}

#[cfg(test)]
mod tests;
