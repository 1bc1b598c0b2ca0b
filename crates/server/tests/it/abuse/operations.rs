//! Well-formed requests that ask for too much.

use std::fmt::Write;

use super::check_wrong;
use crate::fixture::{World, put};

const VALIDATION: &str = "ValidationException";

fn conditional(expression: &str, values: &str) -> Vec<u8> {
    format!(
        r#"{{"TableName":"plain","Item":{{"id":{{"S":"evil"}}}},"ConditionExpression":"{expression}","ExpressionAttributeValues":{{{values}}}}}"#
    )
    .into_bytes()
}

fn repeated(count: usize, one: impl Fn(usize) -> String, separator: &str) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(separator)
}

#[test]
fn expressions_that_are_too_large_are_refused() {
    let value = r#"":v":{"N":"1"}"#;
    let operands = |count| repeated(count, |number| format!(":v{number}"), ",");
    let values =
        |count| repeated(count, |number| format!(r#"":v{number}":{{"N":"{number}"}}"#), ",");
    let long = repeated(5_000, |_| "n = :v".to_owned(), " OR ");
    let deep = format!("{}n = :v{}", "(".repeat(1_900), ")".repeat(1_900));
    let deeper = format!("{}n = :v{}", "(".repeat(1_000_000), ")".repeat(1_000_000));
    let negated = format!("{} n = :v", "NOT ".repeat(1_000));
    let path = format!("a{} = :v", ".b".repeat(1_500));
    let projection = repeated(3_000, |_| "a".to_owned(), "");
    let get = format!(
        r#"{{"TableName":"plain","Key":{{"id":{{"S":"there"}}}},"ProjectionExpression":"{projection}{}"}}"#,
        "a".repeat(2_000)
    );
    check_wrong(vec![
        (
            "4 KB and more",
            "PutItem",
            conditional(&long, value),
            VALIDATION,
            "Expression size has exceeded",
        ),
        (
            "301 operators",
            "PutItem",
            conditional(&repeated(302, |_| "n=:v".to_owned(), " OR "), value),
            VALIDATION,
            "Invalid ConditionExpression",
        ),
        (
            "1,900 parentheses",
            "PutItem",
            conditional(&deep, value),
            VALIDATION,
            "Invalid ConditionExpression",
        ),
        (
            "2,000,000 parentheses",
            "PutItem",
            conditional(&deeper, value),
            VALIDATION,
            "Expression size has exceeded",
        ),
        (
            "1,000 negations",
            "PutItem",
            conditional(&negated, value),
            VALIDATION,
            "Invalid ConditionExpression",
        ),
        (
            "101 operands",
            "PutItem",
            conditional(&format!("n IN ({})", operands(101)), &values(101)),
            VALIDATION,
            "Invalid ConditionExpression",
        ),
        (
            "a deep path",
            "PutItem",
            conditional(&path, value),
            VALIDATION,
            "Invalid ConditionExpression",
        ),
        ("no expression", "PutItem", conditional("", value), VALIDATION, "can not be empty"),
        (
            "a projection of 5 KB",
            "GetItem",
            get.into_bytes(),
            VALIDATION,
            "Expression size has exceeded",
        ),
    ]);
}

#[test]
fn batches_and_transactions_that_are_too_large_are_refused() {
    let put_request =
        |number| format!(r#"{{"PutRequest":{{"Item":{{"id":{{"S":"b{number}"}}}}}}}}"#);
    let put_action = |number| {
        format!(r#"{{"Put":{{"TableName":"plain","Item":{{"id":{{"S":"b{number}"}}}}}}}}"#)
    };
    let key = |number| format!(r#"{{"id":{{"S":"b{number}"}}}}"#);
    let batch = |count| {
        format!(r#"{{"RequestItems":{{"plain":[{}]}}}}"#, repeated(count, put_request, ","))
    };
    let keys = |count| {
        format!(r#"{{"RequestItems":{{"plain":{{"Keys":[{}]}}}}}}"#, repeated(count, key, ","))
    };
    let actions = |count| format!(r#"{{"TransactItems":[{}]}}"#, repeated(count, put_action, ","));
    check_wrong(vec![
        (
            "26 items",
            "BatchWriteItem",
            batch(26).into_bytes(),
            VALIDATION,
            "less than or equal to 25",
        ),
        (
            "100,000 items",
            "BatchWriteItem",
            batch(100_000).into_bytes(),
            VALIDATION,
            "more lists and maps than this server takes",
        ),
        (
            "101 keys",
            "BatchGetItem",
            keys(101).into_bytes(),
            VALIDATION,
            "less than or equal to 100",
        ),
        (
            "101 actions",
            "TransactWriteItems",
            actions(101).into_bytes(),
            VALIDATION,
            "less than or equal to 100",
        ),
        (
            "no actions",
            "TransactWriteItems",
            actions(0).into_bytes(),
            VALIDATION,
            "greater than or equal to 1",
        ),
    ]);
    let world = World::new();
    assert_eq!(world.ask("BatchWriteItem", batch(25)).status, 200);
    assert!(world.has("b24") && !world.has("b25"));
}

/// 25 items of 400 KB are the largest batch that AWS takes; with blanks they fill all of 16 MiB.
#[test]
fn the_largest_batch_is_taken_whole() {
    let world = World::new();
    let mut requests = String::new();
    for number in 0..25 {
        let item = &put(&format!("b{number}"), 400_000)[21..];
        let item = item.strip_prefix(r#""Item":"#).unwrap().strip_suffix('}').unwrap();
        let separator = if number == 0 { "" } else { "," };
        write!(requests, r#"{separator}{{"PutRequest":{{"Item":{item}}}}}"#).unwrap();
    }
    let mut body = format!(r#"{{"RequestItems":{{"plain":[{requests}]}}}}"#);
    body += &" ".repeat((16 << 20) - body.len());
    let answer = world.ask("BatchWriteItem", body);
    assert_eq!((answer.status, answer.text()), (200, r#"{"UnprocessedItems":{}}"#));
    assert!(world.has("b24"));
    world.assert_serves();
}

#[test]
fn a_large_item_in_a_batch_writes_nothing() {
    let world = World::new();
    let large = "x".repeat(500_000);
    let body = format!(
        r#"{{"RequestItems":{{"plain":[{{"PutRequest":{{"Item":{{"id":{{"S":"evil"}}}}}}}},{{"PutRequest":{{"Item":{{"id":{{"S":"b"}},"p":{{"S":"{large}"}}}}}}}}]}}}}"#
    );
    let answer = world.ask("BatchWriteItem", body);
    assert_eq!((answer.status, &*answer.code()), (400, VALIDATION), "{}", answer.text());
    assert!(!world.has("evil"));
    world.assert_serves();
}
