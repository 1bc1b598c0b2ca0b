//! ExecuteTransaction: all statements or none.

use expect_test::expect;

use super::{items, json, league, message, players, statements};
use crate::fixture::World;

fn transaction(world: &World, list: &[&str]) -> String {
    world.call("ExecuteTransaction", statements("TransactStatements", list).as_bytes())
}

#[track_caller]
fn check_messages(world: &World, refusals: &[(&[&str], &str)]) {
    for (list, expected) in refusals {
        assert_eq!(message(&transaction(world, list)), *expected, "{list:?}");
    }
}

#[test]
fn writes_happen_together_and_return_nothing() {
    let world = league();
    let response = transaction(
        &world,
        &[
            "INSERT INTO league VALUE {'PK': 'T', 'SK': '4'}",
            "UPDATE league SET score = score + 1 WHERE PK = 'T' AND SK = '1' AND score = 10",
            "DELETE FROM league WHERE PK = 'T' AND SK = '2'",
            "EXISTS(SELECT * FROM league WHERE PK = 'T' AND SK = '3' AND nothing IS MISSING)",
            "DELETE FROM league WHERE PK = 'T' AND SK = '9' AND score = 1",
        ],
    );
    assert_eq!(response, r#"{"Responses":[]}"#);
    assert_eq!(players(&world, "PK = 'T'"), "[1,3,4]");
}

#[test]
fn one_failure_cancels_all() {
    let world = league();
    let response = transaction(
        &world,
        &[
            "INSERT INTO plain VALUE {'id': 'new'}",
            "INSERT INTO league VALUE {'PK': 'T', 'SK': '1'}",
            "UPDATE league SET a = 1 WHERE PK = 'T' AND SK = '9'",
            "DELETE FROM league WHERE PK = 'T' AND SK = '2' AND score = 0",
            "EXISTS(SELECT * FROM league WHERE PK = 'T' AND SK = '3' AND score IS MISSING)",
            "UPDATE league SET a = 1 WHERE PK = 'T'",
        ],
    );
    expect![[r#"
        {"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, DuplicateItem, ConditionalCheckFailed, ConditionalCheckFailed, ConditionalCheckFailed, ValidationError]","CancellationReasons":[{"Code":"None"},
        {"Code":"DuplicateItem","Message":"Duplicate primary key exists in table"},
        {"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},
        {"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},
        {"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},
        {"Code":"ValidationError","Message":"The provided key element does not match the schema"}]}"#]].assert_eq(&response.replace("},{", "},\n{"));
    assert_eq!(items(&world, "SELECT * FROM plain"), "[]");
}

#[test]
fn a_failed_condition_returns_the_requested_item() {
    let statement = "UPDATE league SET a = 1 WHERE PK = 'T' AND SK = '1' AND score = 0";
    let body = format!(
        r#"{{"TransactStatements":[{{"Statement":{},
            "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}]}}"#,
        json(statement)
    );
    expect![[r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed]","CancellationReasons":[{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":{"PK":{"S":"T"},"SK":{"S":"1"},"city":{"S":"Graz"},"info":{"M":{"bits":{"L":[{"S":"x"}]},"rank":{"N":"1"}}},"name":{"S":"p1"},"score":{"N":"10"}}}]}"#]].assert_eq(&league().call("ExecuteTransaction", body.as_bytes()));
}

#[test]
fn reads_are_from_one_snapshot_and_by_key() {
    let world = league();
    let response = transaction(
        &world,
        &[
            "SELECT score FROM league WHERE PK = 'T' AND SK = '1'",
            "SELECT * FROM plain WHERE id = 'nobody'",
            "SELECT SK FROM league WHERE PK IN ['T'] AND (SK = '3') AND PK = 'T'",
        ],
    );
    expect![[r#"{"Responses":[{"Item":{"score":{"N":"10"}}},{},{"Item":{"SK":{"S":"3"}}}]}"#]]
        .assert_eq(&response);
}

#[test]
fn a_missing_table_cancels_and_other_mistakes_come_first() {
    let world = league();
    let missing = "UPDATE nowhere SET a = 1 WHERE id = 'x' RETURNING ALL NEW *";
    expect![[r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [ResourceNotFound, None]","CancellationReasons":[{"Code":"ResourceNotFound","Message":"Requested resource not found"},{"Code":"None"}]}"#]].assert_eq(&transaction(&world, &[missing, "DELETE FROM plain WHERE id = 'x'"]));
    check_messages(
        &world,
        &[
            (
                &[missing, "UPDATE plain SET a = 1 WHERE id = 'a' RETURNING ALL NEW *"],
                "Validation failed in TransactStatements[1]: RETURNING clause is not supported in \
                 ExecuteTransaction.",
            ),
            (
                &[r#"SELECT * FROM "league"."by-city" WHERE city = 'x'"#],
                "Validation failed in TransactStatements[0]: Reads on indices are not supported \
                 within transactions.",
            ),
            (
                &["SELECT * FROM plain WHERE"],
                "Validation failed in TransactStatements[0]: Statement wasn't well formed, can't \
                 be processed: Unexpected term",
            ),
            (
                &["DELETE FROM plain WHERE id = 'x'", "SELECT * FROM plain WHERE id = 'x'"],
                "ExecuteTransaction API does not support both read and write operations in the \
                 same request.",
            ),
            (
                &["SELECT * FROM plain WHERE id = 'x'", "SELECT a FROM plain WHERE id = 'x'"],
                "Transaction request cannot include multiple operations on one item",
            ),
            (
                &["SELECT * FROM league WHERE PK IN ['T', 'T'] AND SK = '1'"],
                "Validation failed in TransactStatements[0]: Overlapping conditions with range \
                 keys are not supported in where clause",
            ),
        ],
    );
}

#[test]
fn reads_name_the_key_and_nothing_else() {
    let refused = "Validation failed in TransactStatements[0]: Select statements within \
                   ExecuteTransaction must specify the primary key in the where clause.";
    for condition in [
        "PK = 'T'",
        "PK = 'T' AND SK = '1' AND score = 10",
        "PK = 'T' AND SK = '1' AND PK = 'U'",
        "PK = 'T' AND SK = '1' AND attribute_exists(score)",
    ] {
        let statement = format!("SELECT * FROM league WHERE {condition}");
        check_messages(&league(), &[(&[&statement], refused)]);
    }
    let refused = "Validation failed in TransactStatements[0]: EXISTS() must contain a single item \
                   read with additional condition";
    for condition in ["PK = 'T' AND SK = '1'", "PK IN ['T'] AND SK = '1' AND score = 10"] {
        let statement = format!("EXISTS(SELECT * FROM league WHERE {condition})");
        check_messages(&league(), &[(&[&statement, "DELETE FROM plain WHERE id = 'x'"], refused)]);
    }
}

#[test]
fn a_repeated_token_changes_nothing() {
    let world = league();
    let body = statements(
        "TransactStatements",
        &["UPDATE league SET score = score + 1 WHERE PK = 'T' AND SK = '1'"],
    );
    let body =
        body.replacen('{', r#"{"ClientRequestToken":"once","ReturnConsumedCapacity":"TOTAL","#, 1);
    let first = world.answer("ExecuteTransaction", &body);
    let second = world.answer("ExecuteTransaction", &body);
    expect![[r#"
        {"Responses":[],"ConsumedCapacity":[{"TableName":"league","CapacityUnits":5.0,"WriteCapacityUnits":5.0}]}
        {"Responses":[],"ConsumedCapacity":[{"TableName":"league","CapacityUnits":2.0,"ReadCapacityUnits":2.0}]}"#]].assert_eq(&format!("{first}\n{second}"));
    assert_eq!(players(&world, "PK = 'T' AND score = 11"), "[1]");
    let other = body.replace("+ 1", "+ 2");
    let response = world.call("ExecuteTransaction", other.as_bytes());
    assert!(response.contains("IdempotentParameterMismatchException"), "{response}");
}

#[test]
fn parameters_are_checked_first() {
    let body = r#"{"TransactStatements":[{"Statement":"SELECT"},
        {"Statement":"DELETE FROM plain WHERE id = ?","Parameters":[{"N":"abc"}]}]}"#;
    let response = World::new().call("ExecuteTransaction", body.as_bytes());
    assert_eq!(message(&response), "The parameter cannot be converted to a numeric value: abc");
    let empty = World::new().call("ExecuteTransaction", br#"{"TransactStatements":[]}"#);
    assert!(message(&empty).starts_with("1 validation error detected: Value '[]' at 'transactSt"));
}

#[test]
fn keys_that_do_not_fit_the_table_cancel() {
    let world = league();
    let by_number = "SELECT * FROM league WHERE PK = 'T' AND SK = 1";
    let read = "SELECT * FROM league WHERE PK = 'T' AND SK = '1'";
    expect![[r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]","CancellationReasons":[{"Code":"None"},{"Code":"ValidationError","Message":"The provided key element does not match the schema"}]}"#]].assert_eq(&transaction(&world, &[read, by_number]));
    let update = |condition: &str| format!("UPDATE league SET a = 1 WHERE {condition}");
    let list = [
        update("PK = 'T'"),
        update("PK IN ['T'] AND SK = '1'"),
        update("PK = 'T' AND SK = '2' AND PK = 'U'"),
        update("PK = 'T' AND SK = 1"),
        "INSERT INTO league VALUE {'PK': 'T'}".to_owned(),
        update("PK = 'T' AND SK = '3'"),
    ];
    let list: Vec<&str> = list.iter().map(String::as_str).collect();
    expect![[r#"
        {"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError, ValidationError, ValidationError, ValidationError, ValidationError, None]","CancellationReasons":[{"Code":"ValidationError","Message":"The provided key element does not match the schema"},
        {"Code":"ValidationError","Message":"The provided key element does not match the schema"},
        {"Code":"ValidationError","Message":"The provided key element does not match the schema"},
        {"Code":"ValidationError","Message":"The provided key element does not match the schema"},
        {"Code":"ValidationError","Message":"One or more parameter values were invalid: Missing the key SK in the item"},
        {"Code":"None"}]}"#]].assert_eq(&transaction(&world, &list).replace("},{", "},\n{"));
}
