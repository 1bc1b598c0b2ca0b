//! Query and Scan: a page with every optional member.

use expect_test::{Expect, expect};

use crate::fixture::{World, error_body};

fn league() -> World {
    let world = World::new();
    for (team, player, city, score) in
        [("A", "1", "Graz", 5), ("A", "2", "Linz", 3), ("A", "3", "Graz", 4), ("B", "1", "Linz", 1)]
    {
        let item = format!(
            r#"{{"PK":{{"S":"{team}"}},"SK":{{"S":"{player}"}},"city":{{"S":"{city}"}},
                "score":{{"N":"{score}"}},"name":{{"S":"{team}{player}"}}}}"#
        );
        world.put("league", &item);
    }
    world
}

#[track_caller]
fn check(operation: &str, body: &str, expected: Expect) {
    expected.assert_eq(&league().call(operation, body.as_bytes()));
}

#[test]
fn a_query_returns_every_requested_member() {
    check(
        "Query",
        r##"{"TableName":"league","KeyConditionExpression":"PK = :team AND SK BETWEEN :a AND :z",
            "FilterExpression":"#c = :city","ProjectionExpression":"SK, #c",
            "ExpressionAttributeNames":{"#c":"city"},
            "ExpressionAttributeValues":
                {":team":{"S":"A"},":a":{"S":"1"},":z":{"S":"9"},":city":{"S":"Graz"}},
            "Select":"SPECIFIC_ATTRIBUTES","ScanIndexForward":false,"Limit":2,
            "ExclusiveStartKey":{"PK":{"S":"A"},"SK":{"S":"4"}},
            "ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES"}"##,
        expect![[
            r#"{"Items":[{"SK":{"S":"3"},"city":{"S":"Graz"}}],"Count":1,"ScannedCount":2,"LastEvaluatedKey":{"PK":{"S":"A"},"SK":{"S":"2"}},"ConsumedCapacity":{"TableName":"league","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}}"#
        ]],
    );
}

#[test]
fn a_query_that_counts_has_no_items() {
    check(
        "Query",
        r#"{"TableName":"league","KeyConditionExpression":"PK = :team","Select":"COUNT",
            "ExpressionAttributeValues":{":team":{"S":"A"}}}"#,
        expect![[r#"{"Count":3,"ScannedCount":3}"#]],
    );
}

#[test]
fn indexes_are_queried_by_name() {
    check(
        "Query",
        r#"{"TableName":"league","IndexName":"by-score","Limit":1,
            "KeyConditionExpression":"PK = :team AND score > :s",
            "ExpressionAttributeValues":{":team":{"S":"A"},":s":{"N":"3"}},
            "ReturnConsumedCapacity":"INDEXES"}"#,
        expect![[
            r#"{"Items":[{"PK":{"S":"A"},"SK":{"S":"3"},"city":{"S":"Graz"},"name":{"S":"A3"},"score":{"N":"4"}}],"Count":1,"ScannedCount":1,"LastEvaluatedKey":{"PK":{"S":"A"},"SK":{"S":"3"},"score":{"N":"4"}},"ConsumedCapacity":{"TableName":"league","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},"LocalSecondaryIndexes":{"by-score":{"CapacityUnits":0.5}}}}"#
        ]],
    );
    check(
        "Query",
        r##"{"TableName":"league","IndexName":"by-name","Select":"ALL_PROJECTED_ATTRIBUTES",
            "KeyConditionExpression":"#n = :n","ExpressionAttributeNames":{"#n":"name"},
            "ExpressionAttributeValues":{":n":{"S":"A2"}},"ReturnConsumedCapacity":"INDEXES"}"##,
        expect![[
            r#"{"Items":[{"PK":{"S":"A"},"SK":{"S":"2"},"name":{"S":"A2"}}],"Count":1,"ScannedCount":1,"ConsumedCapacity":{"TableName":"league","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},"GlobalSecondaryIndexes":{"by-name":{"CapacityUnits":0.5}}}}"#
        ]],
    );
}

#[test]
fn the_old_form_of_a_query_means_the_same() {
    check(
        "Query",
        r#"{"TableName":"league",
            "KeyConditions":{
                "PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"A"}]},
                "SK":{"ComparisonOperator":"GE","AttributeValueList":[{"S":"1"}]}},
            "QueryFilter":{
                "city":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"Linz"}]},
                "score":{"ComparisonOperator":"GE","AttributeValueList":[{"N":"5"}]}},
            "ConditionalOperator":"OR","AttributesToGet":["score"]}"#,
        expect![[
            r#"{"Items":[{"score":{"N":"5"}},{"score":{"N":"3"}}],"Count":2,"ScannedCount":3}"#
        ]],
    );
}

#[test]
fn an_empty_page_contains_its_counts() {
    check(
        "Query",
        r#"{"TableName":"league","KeyConditionExpression":"PK = :team",
            "ExpressionAttributeValues":{":team":{"S":"Z"}},"ReturnConsumedCapacity":"TOTAL"}"#,
        expect![[
            r#"{"Items":[],"Count":0,"ScannedCount":0,"ConsumedCapacity":{"TableName":"league","CapacityUnits":0.5}}"#
        ]],
    );
}

#[test]
fn a_scan_returns_every_requested_member() {
    check(
        "Scan",
        r##"{"TableName":"league","FilterExpression":"#c = :city","ProjectionExpression":"PK, SK",
            "ExpressionAttributeNames":{"#c":"city"},
            "ExpressionAttributeValues":{":city":{"S":"Linz"}},"Select":"SPECIFIC_ATTRIBUTES",
            "Segment":0,"TotalSegments":1,"Limit":10,"ConsistentRead":true,
            "ReturnConsumedCapacity":"INDEXES"}"##,
        expect![[
            r#"{"Items":[{"PK":{"S":"B"},"SK":{"S":"1"}},{"PK":{"S":"A"},"SK":{"S":"2"}}],"Count":2,"ScannedCount":4,"ConsumedCapacity":{"TableName":"league","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}}"#
        ]],
    );
}

#[test]
fn a_scan_that_counts_has_no_items() {
    check(
        "Scan",
        r#"{"TableName":"league","Select":"COUNT"}"#,
        expect![[r#"{"Count":4,"ScannedCount":4}"#]],
    );
}

#[test]
fn the_old_form_of_a_scan_means_the_same() {
    check(
        "Scan",
        r#"{"TableName":"league","IndexName":"by-city",
            "ScanFilter":{
                "PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"B"}]},
                "score":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]}},
            "ConditionalOperator":"AND","AttributesToGet":["PK","SK"],
            "ReturnConsumedCapacity":"TOTAL"}"#,
        expect![[
            r#"{"Items":[{"PK":{"S":"B"},"SK":{"S":"1"}}],"Count":1,"ScannedCount":4,"ConsumedCapacity":{"TableName":"league","CapacityUnits":0.5}}"#
        ]],
    );
}

#[test]
fn a_scan_continues_after_the_previous_page() {
    let world = league();
    let mut start = String::new();
    let mut items = 0;
    for _ in 0..5 {
        let body = format!(r#"{{"TableName":"league","Limit":1{start}}}"#);
        let page = world.answer("Scan", &body);
        items += page.matches(r#""name""#).count();
        let Some((_, key)) = page.split_once(r#""LastEvaluatedKey":"#) else {
            assert_eq!(items, 4);
            return;
        };
        start = format!(r#","ExclusiveStartKey":{}"#, key.strip_suffix('}').unwrap());
    }
    panic!("the scan does not end");
}

#[test]
fn segments_together_are_the_table() {
    let world = league();
    let segment = |segment| {
        let body = format!(r#"{{"TableName":"league","Segment":{segment},"TotalSegments":3}}"#);
        world.answer("Scan", &body).matches(r#""name""#).count()
    };
    assert_eq!((0..3).map(segment).sum::<usize>(), 4);
}

#[test]
fn a_query_of_a_table_without_a_sort_key_has_one_page() {
    let world = World::new();
    world.put("plain", r#"{"id":{"S":"a"}}"#);
    let query = r#""TableName":"plain","KeyConditionExpression":"id = :id",
        "ExpressionAttributeValues":{":id":{"S":"a"}}"#;
    let page = world.answer("Query", &format!(r#"{{{query},"Limit":1}}"#));
    assert_eq!(page, r#"{"Items":[{"id":{"S":"a"}}],"Count":1,"ScannedCount":1}"#);
    let body = format!(r#"{{{query},"ExclusiveStartKey":{{"id":{{"S":"a"}}}}}}"#);
    let refused = world.call("Query", body.as_bytes());
    let message = "The query can return at most one row and cannot be restarted";
    assert_eq!(refused, error_body("ValidationException", message));
}
