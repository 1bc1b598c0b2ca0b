//! BatchGetItem and BatchWriteItem.

use expect_test::{Expect, expect};
use monotable_engine::{Faults, Options};

use crate::fixture::World;

#[track_caller]
fn check(world: &World, operation: &str, body: &str, expected: Expect) {
    expected.assert_eq(&world.call(operation, body.as_bytes()));
}

const WRITES: &str = r#"{
    "league":[{"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"S":"b"},"city":{"S":"Graz"}}}},
              {"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"c"}}}}],
    "plain":[{"PutRequest":{"Item":{"id":{"S":"x"},"count":{"N":"1"},"tags":{"SS":["t"]}}}}]}"#;

#[test]
fn a_batch_of_writes_returns_every_requested_member() {
    let world = World::new();
    let body = format!(
        r#"{{"RequestItems":{WRITES},"ReturnConsumedCapacity":"INDEXES",
            "ReturnItemCollectionMetrics":"SIZE"}}"#
    );
    check(
        &world,
        "BatchWriteItem",
        &body,
        expect![[
            r#"{"UnprocessedItems":{},"ItemCollectionMetrics":{"league":[{"ItemCollectionKey":{"PK":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]},{"ItemCollectionKey":{"PK":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}]},"ConsumedCapacity":[{"TableName":"league","CapacityUnits":3.0,"Table":{"CapacityUnits":2.0},"GlobalSecondaryIndexes":{"by-city":{"CapacityUnits":1.0}}},{"TableName":"plain","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}]}"#
        ]],
    );
    check(
        &world,
        "BatchGetItem",
        r##"{"RequestItems":{
            "league":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"b"}},{"PK":{"S":"a"},"SK":{"S":"c"}}],
                "ProjectionExpression":"#c","ExpressionAttributeNames":{"#c":"city"},
                "ConsistentRead":true},
            "plain":{"Keys":[{"id":{"S":"x"}}],"ConsistentRead":false},
            "numbers":{"Keys":[{"id":{"N":"1"}}]}},
            "ReturnConsumedCapacity":"TOTAL"}"##,
        expect![[
            r#"{"Responses":{"league":[{"city":{"S":"Graz"}}],"numbers":[],"plain":[{"count":{"N":"1"},"id":{"S":"x"},"tags":{"SS":["t"]}}]},"UnprocessedKeys":{},"ConsumedCapacity":[{"TableName":"league","CapacityUnits":2.0},{"TableName":"numbers","CapacityUnits":0.5},{"TableName":"plain","CapacityUnits":0.5}]}"#
        ]],
    );
    check(
        &world,
        "BatchGetItem",
        r#"{"RequestItems":{"plain":{"Keys":[{"id":{"S":"x"}}],"AttributesToGet":["count"]}}}"#,
        expect![[r#"{"Responses":{"plain":[{"count":{"N":"1"}}]},"UnprocessedKeys":{}}"#]],
    );
}

#[test]
fn a_plain_batch_of_writes_leaves_nothing_unprocessed() {
    check(
        &World::new(),
        "BatchWriteItem",
        r#"{"RequestItems":{"plain":[{"DeleteRequest":{"Key":{"id":{"S":"x"}}}}]}}"#,
        expect![[r#"{"UnprocessedItems":{}}"#]],
    );
}

#[test]
fn unprocessed_requests_are_returned_as_they_were_sent() {
    let faults = Faults { unprocessed_share: 1.0, ..Faults::default() };
    let world = World::with(Options { faults, ..Options::default() });
    let body = format!(r#"{{"RequestItems":{WRITES}}}"#);
    check(
        &world,
        "BatchWriteItem",
        &body,
        expect![[
            r#"{"UnprocessedItems":{"league":[{"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"S":"b"},"city":{"S":"Graz"}}}},{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"c"}}}}],"plain":[{"PutRequest":{"Item":{"count":{"N":"1"},"id":{"S":"x"},"tags":{"SS":["t"]}}}}]}}"#
        ]],
    );
    check(
        &world,
        "BatchGetItem",
        r##"{"RequestItems":{
            "league":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"b"}},{"PK":{"S":"a"},"SK":{"S":"c"}}],
                "ProjectionExpression":"#c, SK","ExpressionAttributeNames":{"#c":"city"},
                "ConsistentRead":true},
            "numbers":{"Keys":[{"id":{"N":"1.0"}}]}}}"##,
        expect![[
            r##"{"Responses":{"league":[],"numbers":[]},"UnprocessedKeys":{"league":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"b"}},{"PK":{"S":"a"},"SK":{"S":"c"}}],"ProjectionExpression":"#c, SK","ExpressionAttributeNames":{"#c":"city"},"ConsistentRead":true},"numbers":{"Keys":[{"id":{"N":"1"}}]}}}"##
        ]],
    );
    check(
        &world,
        "BatchGetItem",
        r#"{"RequestItems":{"plain":{"Keys":[{"id":{"S":"x"}}],"AttributesToGet":["b","a.b"]}}}"#,
        expect![[
            r#"{"Responses":{"plain":[]},"UnprocessedKeys":{"plain":{"Keys":[{"id":{"S":"x"}}],"AttributesToGet":["b","a.b"]}}}"#
        ]],
    );
}

#[test]
fn unprocessed_items_form_a_valid_request() {
    let faults = Faults { unprocessed_share: 0.5, ..Faults::default() };
    let world = World::with(Options { faults, ..Options::default() });
    let mut items = WRITES.to_owned();
    for _ in 0..100 {
        let response = world.answer("BatchWriteItem", &format!(r#"{{"RequestItems":{items}}}"#));
        let rest = response.strip_prefix(r#"{"UnprocessedItems":"#).unwrap();
        items = rest.strip_suffix('}').unwrap().to_owned();
        if items == "{}" {
            return;
        }
    }
    panic!("half of what is asked for is done each time, so it comes to an end");
}
