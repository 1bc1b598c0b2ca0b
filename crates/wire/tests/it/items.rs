//! One item at a time: PutItem, GetItem, UpdateItem, DeleteItem, with every optional member.

use expect_test::{Expect, expect};

use crate::fixture::World;

const ADA: &str = r#"{
    "PK":{"S":"TEAM#1"}, "SK":{"S":"PLAYER#7"}, "city":{"S":"Graz"}, "score":{"N":"1.50e1"},
    "raw":{"B":"/wA="}, "captain":{"BOOL":false}, "nothing":{"NULL":true},
    "tags":{"SS":["b","a"]}, "numbers":{"NS":["10","-1","2.50"]}, "blobs":{"BS":["Ag==","AQ=="]},
    "list":{"L":[{"S":""},{"N":"0"},{"L":[]}]}, "map":{"M":{"inner":{"M":{}},"x\"y":{"S":"ä\n"}}}
}"#;

#[track_caller]
fn check(world: &World, operation: &str, body: &str, expected: Expect) {
    expected.assert_eq(&world.call(operation, body.as_bytes()));
}

fn world_with_ada() -> World {
    let world = World::new();
    world.put("league", ADA);
    world
}

#[test]
fn a_put_returns_every_requested_member() {
    let world = World::new();
    let body = format!(
        r##"{{"TableName":"league","Item":{ADA},
            "ConditionExpression":"attribute_not_exists(#pk) OR captain = :no",
            "ExpressionAttributeNames":{{"#pk":"PK"}},
            "ExpressionAttributeValues":{{":no":{{"BOOL":false}}}},
            "ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES",
            "ReturnItemCollectionMetrics":"SIZE",
            "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}"##
    );
    check(
        &world,
        "PutItem",
        &body,
        expect![[
            r#"{"ConsumedCapacity":{"TableName":"league","CapacityUnits":3.0,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"by-city":{"CapacityUnits":1.0}},"LocalSecondaryIndexes":{"by-score":{"CapacityUnits":1.0}}},"ItemCollectionMetrics":{"ItemCollectionKey":{"PK":{"S":"TEAM#1"}},"SizeEstimateRangeGB":[0.0,1.0]}}"#
        ]],
    );
    check(
        &world,
        "PutItem",
        &body,
        expect![[
            r#"{"Attributes":{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#7"},"blobs":{"BS":["AQ==","Ag=="]},"captain":{"BOOL":false},"city":{"S":"Graz"},"list":{"L":[{"S":""},{"N":"0"},{"L":[]}]},"map":{"M":{"inner":{"M":{}},"x\"y":{"S":"ä\n"}}},"nothing":{"NULL":true},"numbers":{"NS":["-1","2.5","10"]},"raw":{"B":"/wA="},"score":{"N":"15"},"tags":{"SS":["a","b"]}},"ConsumedCapacity":{"TableName":"league","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}},"ItemCollectionMetrics":{"ItemCollectionKey":{"PK":{"S":"TEAM#1"}},"SizeEstimateRangeGB":[0.0,1.0]}}"#
        ]],
    );
}

#[test]
fn a_plain_put_returns_nothing() {
    let body = format!(r#"{{"TableName":"league","Item":{ADA}}}"#);
    check(&World::new(), "PutItem", &body, expect!["{}"]);
}

#[test]
fn a_get_returns_the_whole_item() {
    let body = r#"{"TableName":"league","Key":{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#7"}}}"#;
    check(
        &world_with_ada(),
        "GetItem",
        body,
        expect![[
            r#"{"Item":{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#7"},"blobs":{"BS":["AQ==","Ag=="]},"captain":{"BOOL":false},"city":{"S":"Graz"},"list":{"L":[{"S":""},{"N":"0"},{"L":[]}]},"map":{"M":{"inner":{"M":{}},"x\"y":{"S":"ä\n"}}},"nothing":{"NULL":true},"numbers":{"NS":["-1","2.5","10"]},"raw":{"B":"/wA="},"score":{"N":"15"},"tags":{"SS":["a","b"]}}}"#
        ]],
    );
}

#[test]
fn a_get_returns_every_requested_member() {
    let world = world_with_ada();
    check(
        &world,
        "GetItem",
        r##"{"TableName":"league","Key":{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#7"}},
            "ProjectionExpression":"#m.#i, #l[1], score","ConsistentRead":true,
            "ExpressionAttributeNames":{"#m":"map","#i":"inner","#l":"list"},
            "ReturnConsumedCapacity":"INDEXES"}"##,
        expect![[
            r#"{"Item":{"list":{"L":[{"N":"0"}]},"map":{"M":{"inner":{"M":{}}}},"score":{"N":"15"}},"ConsumedCapacity":{"TableName":"league","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}}"#
        ]],
    );
    check(
        &world,
        "GetItem",
        r#"{"TableName":"league","Key":{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#7"}},
            "AttributesToGet":["city","absent"],"ReturnConsumedCapacity":"TOTAL"}"#,
        expect![[
            r#"{"Item":{"city":{"S":"Graz"}},"ConsumedCapacity":{"TableName":"league","CapacityUnits":0.5}}"#
        ]],
    );
}

#[test]
fn a_get_by_arn_equals_a_get_by_name() {
    let world = World::new();
    world.put("plain", r#"{"id":{"S":"a"}}"#);
    check(
        &world,
        "GetItem",
        r#"{"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/plain",
            "Key":{"id":{"S":"a"}}}"#,
        expect![[r#"{"Item":{"id":{"S":"a"}}}"#]],
    );
}

#[test]
fn a_get_of_a_missing_item_returns_none_and_an_empty_projection_an_empty_item() {
    let world = world_with_ada();
    check(
        &world,
        "GetItem",
        r#"{"TableName":"league","Key":{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#8"}},
            "ReturnConsumedCapacity":"TOTAL"}"#,
        expect![[r#"{"ConsumedCapacity":{"TableName":"league","CapacityUnits":0.5}}"#]],
    );
    check(
        &world,
        "GetItem",
        r#"{"TableName":"league","Key":{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#7"}},
            "ProjectionExpression":"absent"}"#,
        expect![[r#"{"Item":{}}"#]],
    );
}

fn update(rest: &str) -> String {
    format!(
        r#"{{"TableName":"league","Key":{{"PK":{{"S":"TEAM#1"}},"SK":{{"S":"PLAYER#7"}}}},{rest}}}"#
    )
}

#[test]
fn an_update_returns_every_requested_member() {
    let body = update(
        r##""UpdateExpression":"SET score = score + :one, #m.x = list_append(#l, #l) REMOVE blobs",
            "ConditionExpression":"score < :many",
            "ExpressionAttributeNames":{"#m":"map","#l":"list"},
            "ExpressionAttributeValues":{":one":{"N":"1"},":many":{"N":"1E+2"}},
            "ReturnValues":"UPDATED_NEW","ReturnConsumedCapacity":"INDEXES",
            "ReturnItemCollectionMetrics":"SIZE",
            "ReturnValuesOnConditionCheckFailure":"NONE""##,
    );
    check(
        &world_with_ada(),
        "UpdateItem",
        &body,
        expect![[
            r#"{"Attributes":{"map":{"M":{"x":{"L":[{"S":""},{"N":"0"},{"L":[]},{"S":""},{"N":"0"},{"L":[]}]}}},"score":{"N":"16"}},"ConsumedCapacity":{"TableName":"league","CapacityUnits":4.0,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"by-city":{"CapacityUnits":1.0}},"LocalSecondaryIndexes":{"by-score":{"CapacityUnits":2.0}}},"ItemCollectionMetrics":{"ItemCollectionKey":{"PK":{"S":"TEAM#1"}},"SizeEstimateRangeGB":[0.0,1.0]}}"#
        ]],
    );
}

#[test]
fn an_update_returns_the_requested_values() {
    for (return_values, expected) in [
        ("NONE", expect!["{}"]),
        (
            "ALL_OLD",
            expect![[r#"{"Attributes":{"count":{"N":"1"},"id":{"S":"a"},"kept":{"S":"k"}}}"#]],
        ),
        (
            "ALL_NEW",
            expect![[
                r#"{"Attributes":{"count":{"N":"1"},"hits":{"N":"5"},"id":{"S":"a"},"kept":{"S":"k"}}}"#
            ]],
        ),
        ("UPDATED_OLD", expect!["{}"]),
        ("UPDATED_NEW", expect![[r#"{"Attributes":{"hits":{"N":"5"}}}"#]]),
    ] {
        let world = World::new();
        world.put("plain", r#"{"id":{"S":"a"},"count":{"N":"1"},"kept":{"S":"k"}}"#);
        let body = format!(
            r#"{{"TableName":"plain","Key":{{"id":{{"S":"a"}}}},"UpdateExpression":"ADD hits :n",
                "ExpressionAttributeValues":{{":n":{{"N":"5"}}}},
                "ReturnValues":"{return_values}"}}"#
        );
        check(&world, "UpdateItem", &body, expected);
    }
}

#[test]
fn an_update_without_an_update_creates_the_item() {
    let world = World::new();
    let body = r#"{"TableName":"plain","Key":{"id":{"S":"a"}},"ReturnValues":"ALL_NEW"}"#;
    check(&world, "UpdateItem", body, expect![[r#"{"Attributes":{"id":{"S":"a"}}}"#]]);
}

#[test]
fn a_delete_returns_every_requested_member() {
    let world = World::new();
    world.put("league", r#"{"PK":{"S":"a"},"SK":{"S":"b"},"city":{"S":"Graz"}}"#);
    let body = r##"{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},
        "ConditionExpression":"#c = :c","ExpressionAttributeNames":{"#c":"city"},
        "ExpressionAttributeValues":{":c":{"S":"Graz"}},"ReturnValues":"ALL_OLD",
        "ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE",
        "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}"##;
    check(
        &world,
        "DeleteItem",
        body,
        expect![[
            r#"{"Attributes":{"PK":{"S":"a"},"SK":{"S":"b"},"city":{"S":"Graz"}},"ConsumedCapacity":{"TableName":"league","CapacityUnits":2.0,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"by-city":{"CapacityUnits":1.0}}},"ItemCollectionMetrics":{"ItemCollectionKey":{"PK":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}}"#
        ]],
    );
    check(
        &world,
        "DeleteItem",
        body,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}"#
        ]],
    );
}

#[test]
fn a_delete_of_a_missing_item_returns_nothing() {
    check(
        &World::new(),
        "DeleteItem",
        r#"{"TableName":"plain","Key":{"id":{"S":"a"}},"ReturnValues":"ALL_OLD"}"#,
        expect!["{}"],
    );
}

#[test]
fn a_failed_condition_returns_the_item_if_requested() {
    let world = World::new();
    world.put("plain", r#"{"id":{"S":"a"},"tags":{"SS":["x"]}}"#);
    let never = r#""ConditionExpression":"attribute_not_exists(id)""#;
    let all_old = r#""ReturnValuesOnConditionCheckFailure":"ALL_OLD""#;
    let item = r#""Item":{"id":{"S":"a"}}"#;
    let key = r#""Key":{"id":{"S":"a"}}"#;
    let body = |rest: &[&str]| format!(r#"{{"TableName":"plain",{}}}"#, rest.join(","));
    check(
        &world,
        "PutItem",
        &body(&[item, never]),
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}"#
        ]],
    );
    check(
        &world,
        "PutItem",
        &body(&[item, never, all_old]),
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"id":{"S":"a"},"tags":{"SS":["x"]}}}"#
        ]],
    );
    check(
        &world,
        "UpdateItem",
        &body(&[key, never, all_old]),
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"id":{"S":"a"},"tags":{"SS":["x"]}}}"#
        ]],
    );
    check(
        &world,
        "DeleteItem",
        &body(&[key, never, all_old]),
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"id":{"S":"a"},"tags":{"SS":["x"]}}}"#
        ]],
    );
    let absent = r#""Key":{"id":{"S":"b"}},"ConditionExpression":"attribute_exists(id)""#;
    check(
        &world,
        "DeleteItem",
        &body(&[absent, all_old]),
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}"#
        ]],
    );
}
