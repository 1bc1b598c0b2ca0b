//! Random statements: each gets a response, and none causes a panic.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{execute, league, statements};

/// Words and symbols of statements, and some that belong to none.
const PIECES: &[&str] = &[
    "SELECT",
    "*",
    "FROM",
    "league",
    "\"league\"",
    ".",
    "\"by-city\"",
    "WHERE",
    "PK",
    "SK",
    "=",
    "<>",
    "<",
    ">=",
    "'T'",
    "'1'",
    "1",
    "-",
    "1e3",
    "?",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<<",
    ">>",
    ",",
    ":",
    "INSERT INTO",
    "VALUE",
    "UPDATE",
    "SET",
    "REMOVE",
    "DELETE",
    "RETURNING",
    "ALL",
    "OLD",
    "NEW",
    "MODIFIED",
    "EXISTS",
    "IN",
    "BETWEEN",
    "IS",
    "MISSING",
    "NULL",
    "ORDER BY",
    "DESC",
    "begins_with",
    "set_add",
    "list_append",
    "size",
    "score",
    "info",
    "'info'",
    "+",
    ";",
    "--",
    "/*",
    "é",
    "\u{0}",
    "\n",
    "LIMIT",
    "true",
    "attribute_exists",
];

fn any_statement() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..40);
    prop_oneof![
        pieces.prop_map(|pieces| pieces.join(" ")),
        any::<String>(),
        ("(SELECT \\* FROM league WHERE|UPDATE league SET) ", any_condition())
            .prop_map(|(start, condition)| format!("{start}{condition}")),
    ]
}

fn any_condition() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        &["PK = 'T'", "SK > '1'", "score = 10", "SK <> '2'", "PK IN ['T', 'U']", "size(info) > 1"]
            [..],
    );
    leaf.prop_map(str::to_owned).prop_recursive(6, 40, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("({one} AND {two})")),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("({one} OR {two})")),
            (inner.clone(), inner.clone()).prop_map(|(one, two)| format!("({one}) = ({two})")),
            inner.prop_map(|one| format!("NOT {one}")),
        ]
    })
}

#[test]
fn every_text_gets_a_response() {
    let world = league();
    TestRunner::new(Config { cases: 1500, failure_persistence: None, ..Config::default() })
        .run(&any_statement(), |statement| {
            let statement: String =
                statement.chars().filter(|each| *each == '\n' || !each.is_control()).collect();
            let response = execute(&world, &statement, "");
            prop_assert!(
                response.starts_with(r#"{"Items":"#) || response.contains("Exception"),
                "{response}"
            );
            let list = statements("Statements", &[&statement]);
            world.call("BatchExecuteStatement", list.as_bytes());
            let list = statements("TransactStatements", &[&statement]);
            world.call("ExecuteTransaction", list.as_bytes());
            Ok(())
        })
        .unwrap();
}

/// Compares reads by key with a scan for the same condition.
#[test]
fn a_plan_loses_no_items() {
    let world = league();
    for player in ["1", "2"] {
        let item = format!(
            r#"{{"PK":{{"S":"U"}},"SK":{{"S":"{player}"}},"score":{{"N":"10"}},"info":{{"M":{{}}}}}}"#
        );
        world.put("league", &item);
    }
    let sorted = |response: String| {
        let mut items: Vec<String> = response
            .split("},{")
            .map(|item| item.replace(r#"{"Items":["#, "").replace("]}", "").replace(['{', '}'], ""))
            .collect();
        items.sort();
        items
    };
    TestRunner::new(Config { cases: 1500, failure_persistence: None, ..Config::default() })
        .run(&any_condition(), |condition| {
            let planned =
                execute(&world, &format!("SELECT PK, SK FROM league WHERE {condition}"), "");
            // A scan, because the second alternative names no partition.
            let scan = format!("SELECT PK, SK FROM league WHERE ({condition}) OR nothing = 1");
            let scanned = execute(&world, &scan, "");
            prop_assume!(planned.starts_with(r#"{"Items":"#));
            prop_assert_eq!(sorted(planned), sorted(scanned));
            Ok(())
        })
        .unwrap();
}

#[test]
fn deep_and_long_statements_terminate() {
    let world = league();
    for statement in [
        format!("SELECT * FROM league WHERE {}PK = 'T'", "(".repeat(4000)),
        format!("SELECT * FROM league WHERE {} PK = 'T'", "NOT ".repeat(1500)),
        format!("SELECT * FROM league WHERE PK {}", "= 'T' ".repeat(1300)),
        format!("SELECT * FROM league WHERE {}", "a=a=".repeat(2000)),
        format!("SELECT * FROM league WHERE a = {}1", "-".repeat(8000)),
        format!("SELECT * FROM league WHERE a = {}1", "- ".repeat(4000)),
        format!("SELECT * FROM league WHERE a = {}", "[".repeat(8000)),
        format!("SELECT * FROM league WHERE a = {}", "{'a':".repeat(1600)),
        format!("SELECT * FROM league WHERE a {}", "+ 1 ".repeat(2000)),
        format!("SELECT * FROM league WHERE {}", "a=1=(b=2)=".repeat(800)),
        format!("SELECT * FROM league WHERE {} a = 1", "a = 1 AND ".repeat(800)),
        format!("SELECT a{} FROM league", ".a".repeat(4000)),
    ] {
        let response = execute(&world, &statement, "");
        assert!(response.starts_with(r#"{"Items":"#) || response.contains("ValidationException"));
    }
}
