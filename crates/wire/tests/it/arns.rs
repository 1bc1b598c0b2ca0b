//! ARNs in place of table names: those of tables are accepted, others are invalid names.

use crate::fixture::{VALIDATION, World, error_body};

/// ARNs of other resources, and texts that only start like an ARN.
const ODD: &[&str] = &[
    "arn:",
    "arn::table/plain",
    "arn:::::table/plain",
    "arn:aws:dynamodb:us-east-1:123456789012:table/",
    "arn:aws:dynamodb:us-east-1:123456789012:plain",
    "arn:aws:dynamodb:us-east-1:123456789012:stream/plain",
    "arn:aws:dynamodb:us-east-1:123456789012:table/plain/index/by-city",
    "arn:aws:dynamodb:us-east-1:123456789012:table/plain;",
    "arn:aws:s3:us-east-1:123456789012:table/plain",
    "arn:aws:dynamodb:us-east-1::table/plain",
    "arn:aws:dynamodb::123456789012:table/plain",
];

/// An operation, a body with `TABLE` in place of the table, and the path of the table in messages.
type Use = (&'static str, &'static str, &'static str);

const USES: &[Use] = &[
    ("GetItem", r#"{"TableName":"TABLE","Key":{"id":{"S":"a"}}}"#, "tableName"),
    ("PutItem", r#"{"TableName":"TABLE","Item":{"id":{"S":"a"}}}"#, "tableName"),
    ("UpdateItem", r#"{"TableName":"TABLE","Key":{"id":{"S":"a"}}}"#, "tableName"),
    ("DeleteItem", r#"{"TableName":"TABLE","Key":{"id":{"S":"a"}}}"#, "tableName"),
    ("Scan", r#"{"TableName":"TABLE"}"#, "tableName"),
    (
        "Query",
        r#"{"TableName":"TABLE","KeyConditionExpression":"id = :i",
            "ExpressionAttributeValues":{":i":{"S":"a"}}}"#,
        "tableName",
    ),
    (
        "TransactGetItems",
        r#"{"TransactItems":[{"Get":{"TableName":"TABLE","Key":{"id":{"S":"a"}}}}]}"#,
        "transactItems.1.member.get.tableName",
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems":[{"Delete":{"TableName":"TABLE","Key":{"id":{"S":"a"}}}}]}"#,
        "transactItems.1.member.delete.tableName",
    ),
    ("DescribeTable", r#"{"TableName":"TABLE"}"#, "tableName"),
    ("DescribeTimeToLive", r#"{"TableName":"TABLE"}"#, "tableName"),
    ("ListStreams", r#"{"TableName":"TABLE"}"#, "tableName"),
    ("DeleteTable", r#"{"TableName":"TABLE"}"#, "tableName"),
];

#[test]
fn an_arn_of_another_resource_is_an_invalid_name() {
    let world = World::new();
    for (operation, body, path) in USES {
        for arn in ODD {
            let response = world.call(operation, body.replace("TABLE", arn).as_bytes());
            let message = format!(
                "1 validation error detected: Value '{arn}' at '{path}' failed to satisfy \
                 constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
            );
            assert_eq!(response, error_body(VALIDATION, &message), "{operation} {arn}");
        }
    }
}

#[test]
fn batches_list_their_rules_for_an_arn_of_another_resource() {
    let world = World::new();
    for (operation, request) in [
        ("BatchGetItem", r#"{"Keys":[{"id":{"S":"a"}}]}"#),
        ("BatchWriteItem", r#"[{"DeleteRequest":{"Key":{"id":{"S":"a"}}}}]"#),
    ] {
        for arn in ODD {
            let body = format!(r#"{{"RequestItems":{{"{arn}":{request}}}}}"#);
            let response = world.call(operation, body.as_bytes());
            assert!(response.contains("Map keys must satisfy constraint"), "{arn} {response}");
        }
    }
}

#[test]
fn a_table_can_be_named_by_its_arn() {
    let world = World::new();
    for (operation, body, _) in USES {
        world.answer(
            operation,
            &body.replace("TABLE", "arn:aws:dynamodb:us-east-1:123456789012:table/plain"),
        );
    }
}
