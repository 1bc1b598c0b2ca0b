//! What a key may do: which actions, on which tables. Whatever is not allowed is denied.
//!
//! Knows policies and names only: neither signatures nor what a table holds. What a request does
//! comes in as a list of [`Touch`]es; all of them must be allowed.

use std::collections::BTreeSet;
use std::fmt;

use crate::touch::Touch;

mod pattern;

use pattern::is_name_character;

pub use pattern::{InvalidTablePattern, TablePattern};

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

/// What a request names: a table by its name or ARN, where an index or a stream is a part of its
/// table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resource<'a> {
    Table(&'a str),
    /// Starts as an ARN and is not one of a table. Whoever may use some tables only is denied it,
    /// so that it does not matter which table somebody else could read out of it.
    Unclear(&'a str),
}

impl<'a> Resource<'a> {
    fn of(name_or_arn: &'a str) -> Self {
        if !name_or_arn.starts_with("arn:") {
            return Self::Table(name_or_arn);
        }
        let mut parts = name_or_arn.splitn(6, ':');
        let [_, partition, service, region, account, path] =
            std::array::from_fn(|_| parts.next().unwrap_or_default());
        let table = path.strip_prefix("table/").unwrap_or_default();
        let table = table.split_once('/').map_or(table, |(table, _)| table);
        let plain = service == "dynamodb"
            && [partition, region, account].iter().all(|part| !part.contains('/'))
            && !table.is_empty()
            && table.bytes().all(is_name_character);
        if plain { Self::Table(table) } else { Self::Unclear(name_or_arn) }
    }
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
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const PRINCIPAL: Principal<'_> =
        Principal { name: "reporting", account: "123456789012", region: "us-east-1" };

    fn reporting() -> Permissions {
        Permissions::nothing()
            .allow_action("GetItem")
            .allow_action("dynamodb:Query")
            .allow_action("ListTables")
            .allow_tables(TablePattern::parse("league").unwrap())
            .allow_tables(TablePattern::parse("hunt-*").unwrap())
    }

    fn on<'a>(action: &'static str, table: &'a str) -> Touch<'a> {
        Touch { action, table: Some(table) }
    }

    fn check(permissions: &Permissions, touches: &[Touch<'_>], expected: Expect) {
        let answer = permissions.authorize(PRINCIPAL, touches);
        expected.assert_eq(&answer.map_or_else(|denied| denied.to_string(), |()| "yes".into()));
    }

    #[test]
    fn an_action_on_a_table_needs_both() {
        check(&reporting(), &[on("GetItem", "league")], expect!["yes"]);
        check(&reporting(), &[on("Query", "hunt-2026")], expect!["yes"]);
        check(
            &reporting(),
            &[on("PutItem", "league")],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/league because no identity-based policy allows the dynamodb:PutItem action"
            ],
        );
        check(
            &reporting(),
            &[on("GetItem", "leagues")],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/leagues because no identity-based policy allows the dynamodb:GetItem action"
            ],
        );
    }

    #[test]
    fn an_action_without_a_table_needs_the_action_only() {
        let list = Touch { action: "ListTables", table: None };
        check(&reporting(), &[list], expect!["yes"]);
        check(
            &reporting(),
            &[Touch { action: "DescribeLimits", table: None }],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:DescribeLimits on resource: arn:aws:dynamodb:us-east-1:123456789012:table/* because no identity-based policy allows the dynamodb:DescribeLimits action"
            ],
        );
        check(&Permissions::nothing().allow_action("*"), &[list], expect!["yes"]);
    }

    #[test]
    fn a_request_needs_everything_it_touches() {
        check(&reporting(), &[on("GetItem", "league"), on("GetItem", "hunt-1")], expect!["yes"]);
        check(
            &reporting(),
            &[on("GetItem", "league"), on("GetItem", "other")],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/other because no identity-based policy allows the dynamodb:GetItem action"
            ],
        );
        check(
            &reporting(),
            &[on("GetItem", "league"), on("PutItem", "league")],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/league because no identity-based policy allows the dynamodb:PutItem action"
            ],
        );
    }

    #[test]
    fn indexes_and_streams_are_parts_of_their_table() {
        let arn = |end: &str| format!("arn:aws:dynamodb:us-east-1:123456789012:{end}");
        for end in ["table/league", "table/league/index/by-a", "table/hunt-1/stream/2026-11-15"] {
            check(&reporting(), &[on("Query", &arn(end))], expect!["yes"]);
        }
        for end in ["table/other/index/league", "table/other/stream/hunt-1", "global-table/league"]
        {
            assert!(reporting().authorize(PRINCIPAL, &[on("Query", &arn(end))]).is_err(), "{end}");
        }
        check(
            &reporting(),
            &[on("Query", &arn("table/other/index/league"))],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:Query on resource: arn:aws:dynamodb:us-east-1:123456789012:table/other because no identity-based policy allows the dynamodb:Query action"
            ],
        );
    }

    /// All of these name `other` to somebody who looks for `:table/` or counts colons.
    #[test]
    fn no_spelling_of_an_arn_reaches_another_table() {
        let league = Permissions::nothing()
            .allow_action("*")
            .allow_tables(TablePattern::parse("league*").unwrap())
            .allow_tables(TablePattern::parse("a*").unwrap())
            .allow_tables(TablePattern::parse("*r").unwrap());
        for arn in [
            "arn:table/league:table/other",
            "arn:table/league:dynamodb:us-east-1:123456789012:table/other",
            "arn:aws:dynamodb:table/league:123456789012:table/other",
            "arn:aws:dynamodb:us-east-1:table/league:table/other",
            "arn:aws:dynamodb:us-east-1:123456789012:table/league:table/other",
            "arn:aws:s3:us-east-1:123456789012:table/league",
            "arn::table/other",
            "arn:",
        ] {
            let touches = [on("GetItem", arn)];
            assert!(league.authorize(PRINCIPAL, &touches).is_err(), "{arn}");
            assert_eq!(Permissions::everything().authorize(PRINCIPAL, &touches), Ok(()), "{arn}");
        }
        check(
            &league,
            &[on("GetItem", "arn:table/league:table/other")],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:GetItem on resource: arn:table/league:table/other because no identity-based policy allows the dynamodb:GetItem action"
            ],
        );
    }

    #[test]
    fn nothing_is_allowed_by_default() {
        check(
            &Permissions::default(),
            &[on("GetItem", "league")],
            expect![
                "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/league because no identity-based policy allows the dynamodb:GetItem action"
            ],
        );
        let tables_only = Permissions::nothing().allow_tables(TablePattern::every());
        assert!(tables_only.authorize(PRINCIPAL, &[on("GetItem", "league")]).is_err());
        let actions_only = Permissions::nothing().allow_action("dynamodb:*");
        assert!(actions_only.authorize(PRINCIPAL, &[on("GetItem", "league")]).is_err());
        check(&Permissions::everything(), &[on("DeleteTable", "league")], expect!["yes"]);
    }

    #[test]
    fn a_table_without_a_name_is_no_table() {
        assert!(reporting().authorize(PRINCIPAL, &[on("GetItem", "")]).is_err());
    }
}
