//! Updates of items that do not exist: those that only remove do nothing, all others create the
//! item.

use crate::fixture::World;

const KEY: &str = r#""Key":{"id":{"S":"a"}}"#;

/// Sends the rest of an UpdateItem on an item that does not exist.
fn update(world: &World, rest: &str) -> String {
    world.answer("UpdateItem", &format!(r#"{{"TableName":"watched",{KEY},{rest}}}"#))
}

fn scanned(world: &World) -> String {
    world.answer("Scan", r#"{"TableName":"watched"}"#)
}

/// Returns the number of change records in the stream of `watched`.
fn records(world: &World) -> usize {
    let member = |body: &str, name: &str| {
        let start = body.find(&format!(r#""{name}":""#)).unwrap() + name.len() + 4;
        body[start..].split('"').next().unwrap().to_owned()
    };
    let arn = member(&world.answer("ListStreams", "{}"), "StreamArn");
    let body = world.answer("DescribeStream", &format!(r#"{{"StreamArn":"{arn}"}}"#));
    let shard = member(&body, "ShardId");
    let body = world.answer(
        "GetShardIterator",
        &format!(
            r#"{{"StreamArn":"{arn}","ShardId":"{shard}","ShardIteratorType":"TRIM_HORIZON"}}"#
        ),
    );
    let iterator = member(&body, "ShardIterator");
    let body = world.answer("GetRecords", &format!(r#"{{"ShardIterator":"{iterator}"}}"#));
    body.matches(r#""eventID""#).count()
}

fn watched() -> World {
    let world = World::new();
    world.answer(
        "CreateTable",
        r#"{"TableName":"watched","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
            "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}"#,
    );
    world
}

const TAKING_AWAY: [&str; 6] = [
    r#""UpdateExpression":"REMOVE a""#,
    r#""UpdateExpression":"REMOVE a.b, c[0]""#,
    r#""UpdateExpression":"DELETE s :s","ExpressionAttributeValues":{":s":{"SS":["x"]}}"#,
    r#""UpdateExpression":"REMOVE a DELETE s.t :s","ExpressionAttributeValues":{":s":{"SS":["x"]}}"#,
    r#""AttributeUpdates":{"a":{"Action":"DELETE"}}"#,
    r#""AttributeUpdates":{"s":{"Action":"DELETE","Value":{"SS":["x"]}}}"#,
];

#[test]
fn an_update_that_only_removes_creates_no_item_and_no_record() {
    for rest in TAKING_AWAY {
        let world = watched();
        for values in ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"] {
            let answer = update(&world, &format!(r#"{rest},"ReturnValues":"{values}""#));
            assert_eq!(answer, "{}", "{rest} {values}");
        }
        assert_eq!(scanned(&world), r#"{"Items":[],"Count":0,"ScannedCount":0}"#, "{rest}");
        assert_eq!(records(&world), 0, "{rest}");
    }
}

#[test]
fn an_update_that_only_removes_costs_a_unit_and_evaluates_its_condition() {
    let world = watched();
    let answer =
        update(&world, r#""UpdateExpression":"REMOVE a","ReturnConsumedCapacity":"TOTAL""#);
    assert_eq!(answer, r#"{"ConsumedCapacity":{"TableName":"watched","CapacityUnits":1.0}}"#);
    let body = format!(
        r#"{{"TableName":"watched",{KEY},"UpdateExpression":"REMOVE a",
            "ConditionExpression":"attribute_exists(id)"}}"#
    );
    let refused = world.call("UpdateItem", body.as_bytes());
    assert!(refused.contains("ConditionalCheckFailedException"), "{refused}");
}

#[test]
fn a_transaction_that_only_removes_creates_no_item() {
    for rest in TAKING_AWAY.iter().filter(|rest| rest.contains("UpdateExpression")) {
        let world = watched();
        let body =
            format!(r#"{{"TransactItems":[{{"Update":{{"TableName":"watched",{KEY},{rest}}}}}]}}"#);
        assert_eq!(world.answer("TransactWriteItems", &body), "{}", "{rest}");
        assert_eq!(scanned(&world), r#"{"Items":[],"Count":0,"ScannedCount":0}"#, "{rest}");
        assert_eq!(records(&world), 0, "{rest}");
    }
}

#[test]
fn an_update_that_writes_or_does_nothing_creates_the_item() {
    let created = r#"{"Items":[{"id":{"S":"a"}}],"Count":1,"ScannedCount":1}"#;
    for rest in [r#""ReturnValues":"NONE""#, r#""AttributeUpdates":{}"#] {
        let world = watched();
        update(&world, rest);
        assert_eq!(scanned(&world), created, "{rest}");
        assert_eq!(records(&world), 1, "{rest}");
    }
    let world = watched();
    update(
        &world,
        r#""UpdateExpression":"SET b = :b REMOVE a","ExpressionAttributeValues":{":b":{"N":"1"}}"#,
    );
    assert!(scanned(&world).contains(r#""b":{"N":"1"}"#));
}

#[test]
fn an_item_that_exists_still_needs_the_document_that_a_path_leads_into() {
    let world = watched();
    world.put("watched", r#"{"id":{"S":"a"}}"#);
    let body = format!(r#"{{"TableName":"watched",{KEY},"UpdateExpression":"REMOVE a.b"}}"#);
    let refused = world.call("UpdateItem", body.as_bytes());
    assert!(refused.contains("document path provided in the update expression"), "{refused}");
}
