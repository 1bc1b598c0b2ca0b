//! Permissions by example.

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
    Touch { action, table: Some(table), index: None }
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
    let list = Touch { action: "ListTables", table: None, index: None };
    check(&reporting(), &[list], expect!["yes"]);
    check(
        &reporting(),
        &[Touch { action: "DescribeLimits", table: None, index: None }],
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
    for end in ["table/other/index/league", "table/other/stream/hunt-1", "global-table/league"] {
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

#[test]
fn a_denial_names_the_index_or_stream_that_was_evaluated() {
    let touch = Touch { index: Some("by-a"), ..on("Query", "other") };
    check(
        &reporting(),
        &[touch],
        expect![
            "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:Query on resource: arn:aws:dynamodb:us-east-1:123456789012:table/other/index/by-a because no identity-based policy allows the dynamodb:Query action"
        ],
    );
    let stream = "arn:aws:dynamodb:us-east-1:123456789012:table/other/stream/2026-11-15";
    check(
        &reporting(),
        &[on("GetRecords", stream)],
        expect![
            "User: arn:aws:iam::123456789012:user/reporting is not authorized to perform: dynamodb:GetRecords on resource: arn:aws:dynamodb:us-east-1:123456789012:table/other/stream/2026-11-15 because no identity-based policy allows the dynamodb:GetRecords action"
        ],
    );
}

/// ARNs in which a reader that searches for `:table/` or counts colons would find `other`.
#[test]
fn no_arn_spelling_gives_access_to_another_table() {
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
fn a_missing_table_name_is_not_a_table() {
    assert!(reporting().authorize(PRINCIPAL, &[on("GetItem", "")]).is_err());
}
