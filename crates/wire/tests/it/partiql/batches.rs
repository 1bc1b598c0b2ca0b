//! BatchExecuteStatement: every statement has its own result.

use expect_test::{Expect, expect};

use super::{league, message, statements};
use crate::fixture::World;

fn batch(world: &World, list: &[&str]) -> String {
    world.call("BatchExecuteStatement", statements("Statements", list).as_bytes())
}

#[track_caller]
fn check(list: &[&str], expected: Expect) {
    let response = batch(&league(), list);
    expected.assert_eq(&response.replace("},{", "},\n{"));
}

#[test]
fn reads_return_results_in_order() {
    check(
        &[
            "SELECT SK, score FROM league WHERE PK = 'T' AND SK = '2'",
            "SELECT * FROM plain WHERE id = 'nobody'",
            "SELECT SK FROM league WHERE SK IN ['1'] AND (PK = 'T')",
            "SELECT SK FROM league WHERE PK = 'T'",
            "SELECT SK FROM league WHERE PK = 'T' AND SK = '3' AND score = 30",
            r#"SELECT SK FROM "league"."by-city" WHERE city = 'Graz'"#,
            "SELECT * FROM nowhere WHERE id = 'x'",
            "SELECT * FROM plain WHERE",
        ],
        expect![[r#"
            {"Responses":[{"Item":{"SK":{"S":"2"},"score":{"N":"20"}},"TableName":"league"},
            {"TableName":"plain"},
            {"Item":{"SK":{"S":"1"}},"TableName":"league"},
            {"Error":{"Code":"ValidationError","Message":"Select statements within BatchExecuteStatement must specify the primary key in the where clause."}},
            {"Error":{"Code":"ValidationError","Message":"Select statements within BatchExecuteStatement must specify the primary key in the where clause."}},
            {"Error":{"Code":"ValidationError","Message":"Select statements within BatchExecuteStatement must specify the primary key in the where clause."}},
            {"Error":{"Code":"ResourceNotFound","Message":"Requested resource not found"},"TableName":"nowhere"},
            {"Error":{"Code":"ValidationError","Message":"Statement wasn't well formed, can't be processed: Unexpected term"}}]}"#]],
    );
}

#[test]
fn writes_return_results_in_order() {
    check(
        &[
            "INSERT INTO plain VALUE {'id': 'a'}",
            "INSERT INTO league VALUE {'PK': 'T', 'SK': '1'}",
            "UPDATE league SET score = 0 WHERE PK = 'T' AND SK = '2' RETURNING MODIFIED NEW *",
            "UPDATE league SET score = 0 WHERE PK = 'T' AND SK = '3' AND score = 1",
            "UPDATE league REMOVE nothing WHERE PK = 'T' AND SK = '9'",
            "DELETE FROM plain WHERE id = 'b' RETURNING MODIFIED OLD *",
            "DELETE FROM nowhere WHERE id = 'b'",
            "DELETE FROM league WHERE PK = 'T'",
            "EXISTS(SELECT * FROM plain WHERE id = 'z' AND a = 1)",
        ],
        expect![[r#"
            {"Responses":[{"TableName":"plain"},
            {"Error":{"Code":"DuplicateItem","Message":"Duplicate primary key exists in table"},"TableName":"league"},
            {"Item":{"score":{"N":"0"}},"TableName":"league"},
            {"Error":{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},"TableName":"league"},
            {"Error":{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},"TableName":"league"},
            {"Error":{"Code":"ValidationError","Message":"Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements."}},
            {"Error":{"Code":"ResourceNotFound","Message":"Requested resource not found"},"TableName":"nowhere"},
            {"Error":{"Code":"ValidationError","Message":"Where clause does not contain a mandatory equality on all key attributes"}},
            {"Error":{"Code":"ValidationError","Message":"EXISTS can only be used in ExecuteTransaction write requests."}}]}"#]],
    );
}

#[test]
fn an_invalid_parameter_fails_only_its_statement() {
    let body = r#"{"Statements":[
        {"Statement":"SELECT * FROM plain WHERE id = ?","Parameters":[{"SS":[]}]},
        {"Statement":"SELECT SK FROM league WHERE PK = ? AND SK = '1'","Parameters":[{"S":"T"}],
         "ConsistentRead":true}],"ReturnConsumedCapacity":"TOTAL"}"#;
    expect![[r#"{"Responses":[{"Error":{"Code":"ValidationError","Message":"One or more parameter values were invalid: An string set  may not be empty"}},{"Item":{"SK":{"S":"1"}},"TableName":"league"}],"ConsumedCapacity":[{"TableName":"league","CapacityUnits":1.0}]}"#]].assert_eq(&league().answer("BatchExecuteStatement", body));
}

#[test]
fn a_batch_as_a_whole_is_refused() {
    let world = league();
    let read = "SELECT * FROM plain WHERE id = 'a'";
    let write = "DELETE FROM plain WHERE id = 'a'";
    let insert = "INSERT INTO plain VALUE {'id': 'a', 'b': 1}";
    let mixed = "Read and write requests together in the same batch is not supported.";
    let twice = "Provided list of item keys contains duplicates";
    assert_eq!(message(&batch(&world, &[read, write])), mixed);
    assert_eq!(message(&batch(&world, &[read, read])), twice);
    assert_eq!(message(&batch(&world, &[insert, write])), twice);
    let refusal = |value: &str, rule: &str| {
        format!(
            "1 validation error detected: Value {value} at 'statements' failed to satisfy \
             constraint: Member must {rule}"
        )
    };
    assert_eq!(
        message(&batch(&world, &[])),
        refusal("'[]'", "have length greater than or equal to 1")
    );
    let missing = world.call("BatchExecuteStatement", b"{}");
    assert_eq!(message(&missing), refusal("null", "not be null"));
    let many = vec![read; 26];
    assert!(message(&batch(&world, &many)).ends_with("have length less than or equal to 25"));
}

#[test]
fn capacity_is_reported_by_table() {
    let body = statements(
        "Statements",
        &[
            "INSERT INTO plain VALUE {'id': 'a'}",
            "INSERT INTO league VALUE {'PK': 'T', 'SK': '7', 'name': 'x'}",
            "INSERT INTO plain VALUE {'id': 'b'}",
        ],
    );
    let body = body.replacen('{', r#"{"ReturnConsumedCapacity":"INDEXES","#, 1);
    expect![[r#"{"Responses":[{"TableName":"plain"},{"TableName":"league"},{"TableName":"plain"}],"ConsumedCapacity":[{"TableName":"plain","CapacityUnits":2.0,"Table":{"CapacityUnits":2.0}},{"TableName":"league","CapacityUnits":2.0,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"by-name":{"CapacityUnits":1.0}}}]}"#]].assert_eq(&league().answer("BatchExecuteStatement", &body));
}
