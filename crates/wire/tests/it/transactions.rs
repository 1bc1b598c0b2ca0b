//! TransactGetItems and TransactWriteItems.

use expect_test::{Expect, expect};
use monotable_engine::{Faults, Options};

use crate::fixture::World;

#[track_caller]
fn check(world: &World, operation: &str, body: &str, expected: Expect) {
    expected.assert_eq(&world.call(operation, body.as_bytes()));
}

fn world() -> World {
    let world = World::new();
    world.put("plain", r#"{"id":{"S":"old"},"count":{"N":"1"}}"#);
    world.put("plain", r#"{"id":{"S":"gone"}}"#);
    world.put("league", r#"{"PK":{"S":"a"},"SK":{"S":"b"},"city":{"S":"Graz"}}"#);
    world
}

const WRITES: &str = r##"{"TransactItems":[
    {"Put":{"TableName":"league","Item":{"PK":{"S":"a"},"SK":{"S":"c"},"city":{"S":"Linz"}},
        "ConditionExpression":"attribute_not_exists(#pk)",
        "ExpressionAttributeNames":{"#pk":"PK"},
        "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
    {"Update":{"TableName":"plain","Key":{"id":{"S":"old"}},
        "UpdateExpression":"SET #c = #c + :one","ConditionExpression":"#c = :one",
        "ExpressionAttributeNames":{"#c":"count"},
        "ExpressionAttributeValues":{":one":{"N":"1"}},
        "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
    {"Delete":{"TableName":"plain","Key":{"id":{"S":"gone"}},
        "ConditionExpression":"attribute_exists(id)",
        "ReturnValuesOnConditionCheckFailure":"NONE"}},
    {"ConditionCheck":{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},
        "ConditionExpression":"city = :c","ExpressionAttributeValues":{":c":{"S":"Graz"}},
        "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}],
    "ClientRequestToken":"once","ReturnConsumedCapacity":"INDEXES",
    "ReturnItemCollectionMetrics":"SIZE"}"##;

#[test]
fn a_transaction_returns_every_requested_member() {
    let world = world();
    check(
        &world,
        "TransactWriteItems",
        WRITES,
        expect![[
            r#"{"ConsumedCapacity":[{"TableName":"league","CapacityUnits":5.0,"WriteCapacityUnits":5.0,"Table":{"CapacityUnits":4.0,"WriteCapacityUnits":4.0},"GlobalSecondaryIndexes":{"by-city":{"CapacityUnits":1.0,"WriteCapacityUnits":1.0}}},{"TableName":"plain","CapacityUnits":4.0,"WriteCapacityUnits":4.0,"Table":{"CapacityUnits":4.0,"WriteCapacityUnits":4.0}}],"ItemCollectionMetrics":{"league":[{"ItemCollectionKey":{"PK":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]},{"ItemCollectionKey":{"PK":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}]}}"#
        ]],
    );
    check(
        &world,
        "TransactGetItems",
        r##"{"TransactItems":[
            {"Get":{"TableName":"plain","Key":{"id":{"S":"old"}},"ProjectionExpression":"#c",
                "ExpressionAttributeNames":{"#c":"count"}}},
            {"Get":{"TableName":"plain","Key":{"id":{"S":"gone"}}}},
            {"Get":{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"c"}}}}],
            "ReturnConsumedCapacity":"INDEXES"}"##,
        expect![[
            r#"{"ConsumedCapacity":[{"TableName":"league","CapacityUnits":2.0,"ReadCapacityUnits":2.0,"Table":{"CapacityUnits":2.0,"ReadCapacityUnits":2.0}},{"TableName":"plain","CapacityUnits":4.0,"ReadCapacityUnits":4.0,"Table":{"CapacityUnits":4.0,"ReadCapacityUnits":4.0}}],"Responses":[{"Item":{"count":{"N":"2"}}},{},{"Item":{"PK":{"S":"a"},"SK":{"S":"c"},"city":{"S":"Linz"}}}]}"#
        ]],
    );
}

#[test]
fn a_repeated_token_changes_nothing_and_is_charged_as_a_read() {
    let world = world();
    world.answer("TransactWriteItems", WRITES);
    check(
        &world,
        "TransactWriteItems",
        WRITES,
        expect![[
            r#"{"ConsumedCapacity":[{"TableName":"league","CapacityUnits":4.0,"ReadCapacityUnits":4.0,"Table":{"CapacityUnits":4.0,"ReadCapacityUnits":4.0}},{"TableName":"plain","CapacityUnits":4.0,"ReadCapacityUnits":4.0,"Table":{"CapacityUnits":4.0,"ReadCapacityUnits":4.0}}]}"#
        ]],
    );
    let other = WRITES.replace(r#"{"S":"Linz"}"#, r#"{"S":"Wien"}"#);
    check(
        &world,
        "TransactWriteItems",
        &other,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException","message":"The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical"}"#
        ]],
    );
}

#[test]
fn a_plain_transaction_returns_nothing() {
    let world = world();
    check(
        &world,
        "TransactWriteItems",
        r#"{"TransactItems":[{"Put":{"TableName":"plain","Item":{"id":{"S":"a"}}}}]}"#,
        expect!["{}"],
    );
    check(
        &world,
        "TransactGetItems",
        r#"{"TransactItems":[{"Get":{"TableName":"plain","Key":{"id":{"S":"a"}}}},
            {"Get":{"TableName":"plain","Key":{"id":{"S":"b"}}}},
            {"Get":{"TableName":"plain","Key":{"id":{"S":"old"}},"ProjectionExpression":"z"}}]}"#,
        expect![[r#"{"Responses":[{"Item":{"id":{"S":"a"}}},{},{}]}"#]],
    );
}

#[test]
fn every_action_has_a_reason_and_its_item() {
    let world = world();
    check(
        &world,
        "TransactWriteItems",
        r#"{"TransactItems":[
            {"Put":{"TableName":"plain","Item":{"id":{"S":"old"}},
                "ConditionExpression":"attribute_not_exists(id)",
                "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
            {"Delete":{"TableName":"plain","Key":{"id":{"S":"gone"}},
                "ConditionExpression":"attribute_not_exists(id)"}},
            {"Put":{"TableName":"plain","Item":{"id":{"S":"new"}}}},
            {"ConditionCheck":{"TableName":"plain","Key":{"id":{"S":"absent"}},
                "ConditionExpression":"attribute_exists(id)",
                "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
            {"Update":{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"N":"1"}},
                "UpdateExpression":"REMOVE city"}},
            {"Update":{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},
                "UpdateExpression":"SET PK = :v","ExpressionAttributeValues":{":v":{"S":"v"}}}}]}"#,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed, ConditionalCheckFailed, None, ConditionalCheckFailed, ValidationError, ValidationError]","CancellationReasons":[{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":{"count":{"N":"1"},"id":{"S":"old"}}},{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"},{"Code":"ValidationError","Message":"The provided key element does not match the schema"},{"Code":"ValidationError","Message":"One or more parameter values were invalid: Cannot update attribute PK. This attribute is part of the key"}]}"#
        ]],
    );
}

#[test]
fn keys_that_do_not_fit_cancel_a_transactional_get() {
    check(
        &world(),
        "TransactGetItems",
        r#"{"TransactItems":[{"Get":{"TableName":"plain","Key":{"id":{"S":"a"}}}},
            {"Get":{"TableName":"plain","Key":{"id":{"N":"1"}}}}]}"#,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]","CancellationReasons":[{"Code":"None"},{"Code":"ValidationError","Message":"The provided key element does not match the schema"}]}"#
        ]],
    );
}

#[test]
fn conflicts_cancel_transactions_and_refuse_single_writes() {
    let faults = Faults { conflict_share: 1.0, ..Faults::default() };
    let world = World::with(Options { faults, ..Options::default() });
    check(
        &world,
        "TransactWriteItems",
        r#"{"TransactItems":[{"Put":{"TableName":"plain","Item":{"id":{"S":"a"}}}},
            {"Put":{"TableName":"plain","Item":{"id":{"S":"b"}}}}]}"#,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict, None]","CancellationReasons":[{"Code":"TransactionConflict","Message":"Transaction is ongoing for the item"},{"Code":"None"}]}"#
        ]],
    );
    check(
        &world,
        "PutItem",
        r#"{"TableName":"plain","Item":{"id":{"S":"a"}}}"#,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"Transaction is ongoing for the item"}"#
        ]],
    );
}

#[test]
fn a_transactional_put_ignores_unused_values() {
    check(
        &world(),
        "TransactWriteItems",
        r#"{"TransactItems":[{"Put":{"TableName":"plain","Item":{"id":{"S":"a"}},
            "ExpressionAttributeValues":{":v":{"S":"v"}}}}]}"#,
        expect!["{}"],
    );
}

/// Thirteen items of 350 KB, which are more than 4 MB together.
fn world_with_large_items() -> World {
    let world = World::new();
    let text = "x".repeat(350 << 10);
    for number in 0..13 {
        world.put("plain", &format!(r#"{{"id":{{"S":"{number}"}},"text":{{"S":"{text}"}}}}"#));
    }
    world
}

fn thirteen(action: impl Fn(usize) -> String) -> String {
    let actions: Vec<String> = (0..13).map(action).collect();
    format!(r#"{{"TransactItems":[{}]}}"#, actions.join(","))
}

#[test]
fn the_size_of_a_transaction_excludes_the_stored_items() {
    let world = world_with_large_items();
    let target = |number| format!(r#""TableName":"plain","Key":{{"id":{{"S":"{number}"}}}}"#);
    let checks = thirteen(|number| {
        let target = target(number);
        format!(r#"{{"ConditionCheck":{{{target},"ConditionExpression":"attribute_exists(id)"}}}}"#)
    });
    let updates = thirteen(|number| {
        let target = target(number);
        format!(
            r#"{{"Update":{{{target},"UpdateExpression":"SET n = :n",
                "ExpressionAttributeValues":{{":n":{{"N":"1"}}}}}}}}"#
        )
    });
    let deletes = thirteen(|number| format!(r#"{{"Delete":{{{}}}}}"#, target(number)));
    for body in [checks, updates, deletes] {
        assert_eq!(world.answer("TransactWriteItems", &body), "{}");
    }
    assert!(world.answer("Scan", r#"{"TableName":"plain"}"#).contains(r#""Count":0"#));
}

#[test]
fn a_transaction_of_more_than_4_mb_is_refused() {
    let world = World::new();
    let text = "x".repeat(350 << 10);
    let puts = thirteen(|number| {
        format!(
            r#"{{"Put":{{"TableName":"plain",
                "Item":{{"id":{{"S":"{number}"}},"text":{{"S":"{text}"}}}}}}}}"#
        )
    });
    let updates = thirteen(|number| {
        format!(
            r#"{{"Update":{{"TableName":"plain","Key":{{"id":{{"S":"{number}"}}}},
                "UpdateExpression":"SET a = :a","ExpressionAttributeValues":{{":a":{{"S":"{text}"}}}}}}}}"#
        )
    });
    for body in [puts, updates] {
        let refused = world.call("TransactWriteItems", body.as_bytes());
        assert!(refused.contains("exceeding the 4MB limit"), "{refused}");
    }
    assert!(world.answer("Scan", r#"{"TableName":"plain"}"#).contains(r#""Count":0"#));
}

fn nested(levels: usize) -> String {
    format!(r#"{}{{"S":"a"}}{}"#, r#"{"M":{"n":"#.repeat(levels), "}}".repeat(levels))
}

#[test]
fn a_value_of_33_levels_counts_only_when_it_is_stored() {
    let world = world();
    let transaction = |action: &str, expressions: &str| {
        format!(
            r#"{{"TransactItems":[{{"{action}":{{"TableName":"plain","Key":{{"id":{{"S":"old"}}}},
                {expressions},"ExpressionAttributeValues":{{":deep":{}}}}}}}]}}"#,
            nested(32)
        )
    };
    check(
        &world,
        "TransactWriteItems",
        &transaction("ConditionCheck", r#""ConditionExpression":"d = :deep""#),
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed]","CancellationReasons":[{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"}]}"#
        ]],
    );
    check(
        &world,
        "TransactWriteItems",
        &transaction("Update", r#""UpdateExpression":"SET d = :deep""#),
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]","CancellationReasons":[{"Code":"ValidationError","Message":"Nesting Levels have exceeded supported limits"}]}"#
        ]],
    );
}

#[test]
fn a_value_next_to_one_of_33_levels_is_still_checked() {
    let world = world();
    let body = format!(
        r#"{{"TransactItems":[{{"ConditionCheck":{{"TableName":"plain","Key":{{"id":{{"S":"old"}}}},
            "ConditionExpression":"d = :deep OR count = :n",
            "ExpressionAttributeValues":{{":deep":{},":n":{{"N":"x"}}}}}}}}]}}"#,
        nested(32)
    );
    check(
        &world,
        "TransactWriteItems",
        &body,
        expect![[
            r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :n"}"#
        ]],
    );
}

#[test]
fn an_update_that_empties_an_index_key_is_refused_outright() {
    let world = world();
    for index_key in ["city", "name"] {
        let update = |expression: &str| {
            format!(
                r##"{{"TransactItems":[{{"Update":{{"TableName":"league",
                    "Key":{{"PK":{{"S":"a"}},"SK":{{"S":"b"}}}},
                    "UpdateExpression":"SET #key = {expression}",
                    "ExpressionAttributeNames":{{"#key":"{index_key}"}},
                    "ExpressionAttributeValues":{{":v":{{"S":""}}}}}}}}]}}"##
            )
        };
        check(
            &world,
            "TransactWriteItems",
            &update(":v"),
            expect![[
                r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."}"#
            ]],
        );
    }
}
