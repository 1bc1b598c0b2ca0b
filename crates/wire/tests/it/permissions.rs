//! The permissions that each operation on items needs, and those for the parts of a new table.

use monotable_engine::Options;
use monotable_wire::access::{Permissions, TablePattern};

use crate::fixture::World;

/// An operation, a body on the tables `plain` and `numbers`, and the actions it needs.
type Need = (&'static str, &'static str, &'static [&'static str]);

const NEEDS: &[Need] = &[
    ("PutItem", r#"{"TableName":"plain","Item":{"id":{"S":"a"}}}"#, &["PutItem"]),
    ("GetItem", r#"{"TableName":"plain","Key":{"id":{"S":"a"}}}"#, &["GetItem"]),
    ("UpdateItem", r#"{"TableName":"plain","Key":{"id":{"S":"a"}}}"#, &["UpdateItem"]),
    ("DeleteItem", r#"{"TableName":"plain","Key":{"id":{"S":"a"}}}"#, &["DeleteItem"]),
    (
        "Query",
        r#"{"TableName":"plain","KeyConditionExpression":"id = :i",
            "ExpressionAttributeValues":{":i":{"S":"a"}}}"#,
        &["Query"],
    ),
    ("Scan", r#"{"TableName":"plain"}"#, &["Scan"]),
    (
        "BatchGetItem",
        r#"{"RequestItems":{"numbers":{"Keys":[{"id":{"N":"1"}}]},
            "plain":{"Keys":[{"id":{"S":"a"}}]}}}"#,
        &["BatchGetItem"],
    ),
    (
        "BatchWriteItem",
        r#"{"RequestItems":{"numbers":[{"DeleteRequest":{"Key":{"id":{"N":"1"}}}}],
            "plain":[{"PutRequest":{"Item":{"id":{"S":"a"}}}}]}}"#,
        &["BatchWriteItem"],
    ),
    (
        "TransactGetItems",
        r#"{"TransactItems":[{"Get":{"TableName":"numbers","Key":{"id":{"N":"1"}}}},
            {"Get":{"TableName":"plain","Key":{"id":{"S":"a"}}}}]}"#,
        &["GetItem"],
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems":[
            {"Put":{"TableName":"plain","Item":{"id":{"S":"a"}}}},
            {"Update":{"TableName":"plain","Key":{"id":{"S":"b"}},
                "UpdateExpression":"REMOVE x"}},
            {"Delete":{"TableName":"plain","Key":{"id":{"S":"c"}}}},
            {"ConditionCheck":{"TableName":"numbers","Key":{"id":{"N":"1"}},
                "ConditionExpression":"attribute_not_exists(id)"}}]}"#,
        &["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"],
    ),
    (
        "CreateTable",
        r#"{"TableName":"made","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
            "Tags":[{"Key":"team","Value":"red"}],
            "ResourcePolicy":"{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"dynamodb:*\",\"Resource\":\"*\"}}"}"#,
        &["CreateTable", "PutResourcePolicy", "TagResource"],
    ),
];

fn denied(action: &str, table: &str) -> String {
    format!(
        "{{\"__type\":\"com.amazon.coral.service#AccessDeniedException\",\"Message\":\"User: \
         arn:aws:iam::123456789012:user/ada is not authorized to perform: dynamodb:{action} on \
         resource: arn:aws:dynamodb:us-east-1:123456789012:table/{table} because no \
         identity-based policy allows the dynamodb:{action} action\"}}"
    )
}

fn allow(actions: &[&str], tables: &str) -> Permissions {
    let permissions = Permissions::nothing().allow_tables(TablePattern::parse(tables).unwrap());
    actions.iter().fold(permissions, |permissions, action| permissions.allow_action(action))
}

/// Returns the table in the part of the request that needs this action.
fn table_of(body: &str, action: &str) -> &'static str {
    match action {
        "ConditionCheckItem" | "BatchGetItem" | "BatchWriteItem" => "numbers",
        "GetItem" if body.contains("numbers") => "numbers",
        "CreateTable" | "PutResourcePolicy" | "TagResource" => "made",
        _ => "plain",
    }
}

#[test]
fn the_required_actions_are_sufficient() {
    for (operation, body, actions) in NEEDS {
        let response = World::new().call_as(allow(actions, "*"), operation, body);
        assert!(!response.contains("__type"), "{operation}: {response}");
    }
}

#[test]
fn every_required_action_is_necessary() {
    for (operation, body, actions) in NEEDS {
        for missing in *actions {
            let others: Vec<&str> =
                actions.iter().copied().filter(|action| action != missing).collect();
            let response = World::new().call_as(allow(&others, "*"), operation, body);
            assert_eq!(response, denied(missing, table_of(body, missing)), "{operation}");
        }
    }
}

#[test]
fn the_name_of_a_transaction_is_no_action() {
    for operation in ["TransactGetItems", "TransactWriteItems"] {
        let (_, body, actions) = NEEDS.iter().find(|(name, ..)| *name == operation).unwrap();
        let response = World::new().call_as(allow(&[operation], "*"), operation, body);
        assert_eq!(response, denied(actions[0], table_of(body, actions[0])));
    }
}

#[test]
fn every_table_needs_permission() {
    for (operation, body, actions) in NEEDS {
        let response = World::new().call_as(allow(actions, "league"), operation, body);
        assert!(response.contains("AccessDeniedException"), "{operation}: {response}");
        if body.contains("numbers") {
            let response = World::new().call_as(allow(actions, "plain"), operation, body);
            assert!(response.contains(":table/numbers "), "{operation}: {response}");
        }
    }
}

#[test]
fn callers_without_permission_learn_nothing_about_the_table() {
    for (operation, body, _) in NEEDS {
        let absent = body.replace("plain", "absent");
        let response = World::new().call_as(Permissions::nothing(), operation, &absent);
        assert!(response.contains("AccessDeniedException"), "{operation}: {response}");
    }
}

#[test]
fn denials_contain_the_account_of_the_database() {
    let account = "999999999999".to_owned();
    let world = World::with(Options { account, ..Options::default() });
    let (operation, body, actions) = NEEDS[0];
    let response = world.call_as(Permissions::nothing(), operation, body);
    assert_eq!(response, denied(actions[0], "plain").replace("123456789012", "999999999999"));
}
