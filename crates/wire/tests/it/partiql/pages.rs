//! Pages of a `SELECT`, and the tokens between them.

use expect_test::expect;

use super::{execute, league, message};
use crate::fixture::World;

/// Returns the token after `"NextToken":` in a response.
fn token(response: &str) -> Option<&str> {
    response.split_once(r#""NextToken":""#)?.1.split_once('"').map(|(token, _)| token)
}

/// Returns the pages of a statement, as the sort keys in each.
fn pages(world: &World, statement: &str, limit: u32) -> Vec<String> {
    let mut pages = Vec::new();
    let mut rest = format!(r#""Limit":{limit}"#);
    loop {
        let response = execute(world, statement, &rest);
        assert!(response.starts_with(r#"{"Items":["#), "{response}");
        let items = response.split_once(']').unwrap().0;
        pages.push(
            items.replace(r#"{"Items":["#, "").replace(r#"{"SK":{"S":""#, "").replace(r#""}}"#, ""),
        );
        match token(&response) {
            Some(token) => rest = format!(r#""Limit":{limit},"NextToken":"{token}""#),
            None => return pages,
        }
        assert!(pages.len() < 20, "{pages:?}");
    }
}

#[test]
fn pages_follow_each_other_through_partitions_and_ranges() {
    let world = league();
    for player in ["8", "9"] {
        world.put("league", &format!(r#"{{"PK":{{"S":"U"}},"SK":{{"S":"{player}"}}}}"#));
    }
    for (condition, limit, expected) in [
        ("PK = 'T'", 2, vec!["1,2", "3"]),
        ("PK = 'T' ORDER BY SK DESC", 1, vec!["3", "2", "1", ""]),
        ("PK IN ['U', 'T'] AND SK > '1'", 2, vec!["8,9", "2,3", ""]),
        ("PK IN ['T', 'U'] ORDER BY PK DESC", 2, vec!["9,8", "3,2", "1"]),
        ("PK = 'T' AND SK IN ['1', '3']", 1, vec!["1", "3", ""]),
        // The limit counts items that are read, not items that match.
        ("PK = 'T' AND score = 20", 1, vec!["", "2", "", ""]),
    ] {
        let statement = format!("SELECT SK FROM league WHERE {condition}");
        let found = pages(&world, &statement, limit);
        let kept = |pages: &[String]| {
            pages.iter().filter(|page| !page.is_empty()).cloned().collect::<Vec<_>>()
        };
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(kept(&found), kept(&expected), "{condition} {found:?}");
    }
}

#[test]
fn a_scan_and_an_index_have_pages_too() {
    let world = league();
    assert_eq!(pages(&world, "SELECT SK FROM league WHERE score > 0", 2).concat().len(), 4);
    let statement = r#"SELECT SK FROM "league"."by-city" WHERE city = 'Graz'"#;
    let mut found = pages(&world, statement, 1).concat();
    found.truncate(3);
    assert_eq!(found, "123");
}

#[test]
fn a_page_returns_its_last_key() {
    let response = execute(&league(), "SELECT SK FROM league WHERE PK = 'T'", r#""Limit":1"#);
    let shown = response.replace(token(&response).unwrap(), "…");
    expect![[r#"{"Items":[{"SK":{"S":"1"}}],"NextToken":"…","LastEvaluatedKey":{"PK":{"S":"T"},"SK":{"S":"1"}}}"#]].assert_eq(&shown);
}

#[test]
fn a_token_is_valid_only_for_its_statement() {
    let world = league();
    let statement = "SELECT SK FROM league WHERE PK = ?";
    let parameter = r#""Parameters":[{"S":"T"}]"#;
    let first = execute(&world, statement, &format!(r#"{parameter},"Limit":1"#));
    let token = token(&first).unwrap();
    let next = |statement: &str, rest: &str| {
        execute(&world, statement, &format!(r#"{rest},"NextToken":"{token}""#))
    };
    assert_eq!(next(statement, parameter), r#"{"Items":[{"SK":{"S":"2"}},{"SK":{"S":"3"}}]}"#);
    let mismatch = "NextToken does not match request";
    let other = r#""Parameters":[{"S":"U"}]"#;
    assert_eq!(message(&next(statement, other)), mismatch);
    assert_eq!(message(&next("SELECT * FROM league WHERE PK = ?", parameter)), mismatch);
    let insert = next("INSERT INTO plain VALUE {'id': ?}", parameter);
    assert_eq!(message(&insert), mismatch);
    for garbage in ["garbage", "AAAA", "!"] {
        let rest = format!(r#"{parameter},"NextToken":"{garbage}""#);
        assert_eq!(message(&execute(&world, statement, &rest)), "Invalid NextToken");
    }
}

#[test]
fn a_page_holds_a_megabyte_over_all_partitions() {
    let world = World::new();
    let pad = "x".repeat(350_000);
    for team in ["A", "B", "C", "D", "E"] {
        world.put(
            "league",
            &format!(r#"{{"PK":{{"S":"{team}"}},"SK":{{"S":"{team}"}},"pad":{{"S":"{pad}"}}}}"#),
        );
    }
    let statement = "SELECT SK FROM league WHERE PK IN ['A','B','C','D','E']";
    let first = execute(&world, statement, "");
    assert_eq!(first.matches(r#""SK""#).count(), 3, "{first}");
    let rest = format!(r#""NextToken":"{}""#, token(&first).unwrap());
    let second = execute(&world, statement, &rest);
    assert_eq!(second, r#"{"Items":[{"SK":{"S":"D"}},{"SK":{"S":"E"}}]}"#);
}
