//! Streams: ListStreams, DescribeStream, GetShardIterator, GetRecords.

use std::sync::Arc;

use expect_test::{Expect, expect};
use monotable_engine::{
    CreateTable, Database, ManualClock, Options, PutItem, StreamViewType, UpdateTimeToLive, item,
};
use monotable_wire::{Endpoint, Operation, Request};

use crate::fixture::{World, block_on, error_body};

const ARN: &str =
    "arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275";

/// Returns a world in which `plain` has a stream.
fn world(view_type: &str) -> World {
    let clock = Arc::new(ManualClock::new(1_791_500_851_275));
    let world = World::with(Options { clock, ..Options::default() });
    let body = format!(
        r#"{{"TableName":"plain",
            "StreamSpecification":{{"StreamEnabled":true,"StreamViewType":"{view_type}"}}}}"#
    );
    world.answer("UpdateTable", &body);
    world
}

#[track_caller]
fn check(world: &World, operation: Operation, body: &str, expected: Expect) {
    expected.assert_eq(&world.run(operation, body.as_bytes()));
}

#[track_caller]
fn check_refused(operation: Operation, body: &str, code: &str, message: &str) {
    let response = world("KEYS_ONLY").run(operation, body.as_bytes());
    assert_eq!(response, error_body(code, message), "{body}");
}

/// Returns the value of a text member.
fn text_member<'a>(response: &'a str, name: &str) -> &'a str {
    let (_, value) = response.split_once(&format!(r#""{name}":""#)).expect("the member is there");
    value.split('"').next().unwrap_or_default()
}

/// Returns all records of the stream.
fn records(world: &World) -> String {
    records_through(|operation, body| world.run(operation, body.as_bytes()))
}

fn records_through(call: impl Fn(Operation, &str) -> String) -> String {
    let stream = call(Operation::DescribeStream, &format!(r#"{{"StreamArn":"{ARN}"}}"#));
    let body = format!(
        r#"{{"StreamArn":"{ARN}","ShardId":"{}","ShardIteratorType":"TRIM_HORIZON"}}"#,
        text_member(&stream, "ShardId")
    );
    let iterator = call(Operation::GetShardIterator, &body);
    let body = format!(r#"{{"ShardIterator":"{}"}}"#, text_member(&iterator, "ShardIterator"));
    call(Operation::GetRecords, &body)
}

fn write(world: &World) {
    world.put("plain", r#"{"id":{"S":"a"},"n":{"N":"1"}}"#);
    world.put("plain", r#"{"id":{"S":"a"},"n":{"N":"2"}}"#);
    world.answer("DeleteItem", r#"{"TableName":"plain","Key":{"id":{"S":"a"}}}"#);
}

#[test]
fn streams_are_listed() {
    let world = world("NEW_IMAGE");
    check(
        &world,
        Operation::ListStreams,
        "{}",
        expect![[
            r#"{"Streams":[{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275","StreamLabel":"2026-10-08T23:07:31.275","TableName":"plain"}]}"#
        ]],
    );
    let body = r#"{"TableName":"plain","Limit":1}"#;
    check(
        &world,
        Operation::ListStreams,
        body,
        expect![[
            r#"{"Streams":[{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275","StreamLabel":"2026-10-08T23:07:31.275","TableName":"plain"}]}"#
        ]],
    );
    check(
        &world,
        Operation::ListStreams,
        r#"{"TableName":"league"}"#,
        expect![[r#"{"Streams":[]}"#]],
    );
    let body = format!(r#"{{"ExclusiveStartStreamArn":"{ARN}"}}"#);
    check(&world, Operation::ListStreams, &body, expect![[r#"{"Streams":[]}"#]]);
}

#[test]
fn a_stream_is_described() {
    let world = world("NEW_IMAGE");
    let body = format!(r#"{{"StreamArn":"{ARN}","Limit":10}}"#);
    check(
        &world,
        Operation::DescribeStream,
        &body,
        expect![[
            r#"{"StreamDescription":{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275","StreamLabel":"2026-10-08T23:07:31.275","TableName":"plain","StreamStatus":"ENABLED","StreamViewType":"NEW_IMAGE","CreationRequestDateTime":1791500851.275,"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"Shards":[{"ShardId":"shardId-00000001791500851275-00000001","SequenceNumberRange":{"StartingSequenceNumber":"100000000000000000000"}}]}}"#
        ]],
    );
    let children = format!(
        r#"{{"StreamArn":"{ARN}","ShardFilter":{{"Type":"CHILD_SHARDS",
            "ShardId":"shardId-00000001791500851275-00000001"}}}}"#
    );
    check(
        &world,
        Operation::DescribeStream,
        &children,
        expect![[
            r#"{"StreamDescription":{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275","StreamLabel":"2026-10-08T23:07:31.275","TableName":"plain","StreamStatus":"ENABLED","StreamViewType":"NEW_IMAGE","CreationRequestDateTime":1791500851.275,"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"Shards":[]}}"#
        ]],
    );
    let end = r#"{"TableName":"plain","StreamSpecification":{"StreamEnabled":false}}"#;
    world.answer("UpdateTable", end);
    check(
        &world,
        Operation::DescribeStream,
        &body,
        expect![[
            r#"{"StreamDescription":{"StreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275","StreamLabel":"2026-10-08T23:07:31.275","TableName":"plain","StreamStatus":"DISABLED","StreamViewType":"NEW_IMAGE","CreationRequestDateTime":1791500851.275,"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"Shards":[{"ShardId":"shardId-00000001791500851275-00000001","SequenceNumberRange":{"StartingSequenceNumber":"100000000000000000000","EndingSequenceNumber":"100000000000000000000"}}]}}"#
        ]],
    );
}

#[test]
fn records_carry_both_images() {
    let world = world("NEW_AND_OLD_IMAGES");
    write(&world);
    expect![[r#"{"Records":[{"eventID":"1dc869695302aa16ac0e4307ca180d49","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1791500851,"Keys":{"id":{"S":"a"}},"NewImage":{"id":{"S":"a"},"n":{"N":"1"}},"SequenceNumber":"100000000000000000000","SizeBytes":9,"StreamViewType":"NEW_AND_OLD_IMAGES"}},{"eventID":"2f99aab01510999261f50a467a6715e1","eventName":"MODIFY","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1791500851,"Keys":{"id":{"S":"a"}},"NewImage":{"id":{"S":"a"},"n":{"N":"2"}},"OldImage":{"id":{"S":"a"},"n":{"N":"1"}},"SequenceNumber":"100000000000000000001","SizeBytes":15,"StreamViewType":"NEW_AND_OLD_IMAGES"}},{"eventID":"719b33ce095f1a56c771de6110b64ec3","eventName":"REMOVE","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1791500851,"Keys":{"id":{"S":"a"}},"OldImage":{"id":{"S":"a"},"n":{"N":"2"}},"SequenceNumber":"100000000000000000002","SizeBytes":9,"StreamViewType":"NEW_AND_OLD_IMAGES"}}],"NextShardIterator":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275|1|000000020000000000000003000001a11dc5984b"}"#]].assert_eq(&records(&world));
}

#[test]
fn records_carry_the_images_of_their_view_type() {
    for view_type in ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE"] {
        let world = world(view_type);
        write(&world);
        let records = records(&world);
        let count = |name: &str| records.matches(name).count();
        assert_eq!(count(r#""Keys":{"id":{"S":"a"}}"#), 3, "{records}");
        let images = |wanted: &str| if view_type == wanted { 2 } else { 0 };
        assert_eq!(count(r#""NewImage""#), images("NEW_IMAGE"), "{records}");
        assert_eq!(count(r#""OldImage""#), images("OLD_IMAGE"), "{records}");
        assert_eq!(count(&format!(r#""StreamViewType":"{view_type}""#)), 3, "{records}");
    }
}

#[test]
fn a_stream_that_ended_is_read_to_its_end() {
    let world = world("KEYS_ONLY");
    write(&world);
    assert!(records(&world).contains("NextShardIterator"));
    let end = r#"{"TableName":"plain","StreamSpecification":{"StreamEnabled":false}}"#;
    world.answer("UpdateTable", end);
    assert!(!records(&world).contains("NextShardIterator"));
}

#[test]
fn iterators_start_at_the_requested_position() {
    let shard = "shardId-00000001791500851275-00000001";
    let body = |kind: &str, more: &str| {
        format!(r#"{{"StreamArn":"{ARN}","ShardId":"{shard}","ShardIteratorType":"{kind}"{more}}}"#)
    };
    let number = r#","SequenceNumber":"100000000000000000000""#;
    let refused = |kind: &str, more: &str, message: &str| {
        let operation = Operation::GetShardIterator;
        check_refused(operation, &body(kind, more), "ValidationException", message);
    };
    let invalid = "One or more parameter values were invalid: ";
    for kind in ["TRIM_HORIZON", "LATEST"] {
        let message = "SequenceNumber should not be passed for this iterator type";
        refused(kind, number, &format!("{invalid}{message}"));
    }
    for kind in ["AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"] {
        refused(kind, "", &format!("{invalid}SequenceNumber cannot be null"));
        let world = world("KEYS_ONLY");
        let response = world.run(Operation::GetShardIterator, body(kind, number).as_bytes());
        assert!(response.starts_with(r#"{"ShardIterator":"arn:"#), "{response}");
    }
    refused(
        "AT_TIMESTAMP",
        r#","Timestamp":1791500851.275"#,
        "Finding records by their time is not supported by this server: start at TRIM_HORIZON or at a sequence number instead.",
    );
    refused(
        "FIRST",
        "",
        "1 validation error detected: Value 'FIRST' at 'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON, AT_TIMESTAMP]",
    );
}

#[test]
fn missing_streams_and_shards_are_refused() {
    let validation = "ValidationException";
    check_refused(
        Operation::GetShardIterator,
        "{}",
        validation,
        "3 validation errors detected: Value null at 'streamArn' failed to satisfy constraint: Member must not be null; Value null at 'shardId' failed to satisfy constraint: Member must not be null; Value null at 'shardIteratorType' failed to satisfy constraint: Member must not be null",
    );
    check_refused(
        Operation::DescribeStream,
        r#"{"Limit":0,"ShardFilter":{"Type":"ALL"}}"#,
        validation,
        "3 validation errors detected: Value null at 'streamArn' failed to satisfy constraint: Member must not be null; Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1; Value 'ALL' at 'shardFilter.type' failed to satisfy constraint: Member must satisfy enum value set: [CHILD_SHARDS]",
    );
    let filtered = |filter: &str| format!(r#"{{"StreamArn":"{ARN}","ShardFilter":{filter}}}"#);
    check_refused(
        Operation::DescribeStream,
        &filtered("{}"),
        validation,
        "One or more parameter values were invalid: ShardFilter needs a Type",
    );
    check_refused(
        Operation::DescribeStream,
        &filtered(r#"{"Type":"CHILD_SHARDS"}"#),
        validation,
        "One or more parameter values were invalid: ShardFilter of Type CHILD_SHARDS needs a ShardId",
    );
    check_refused(
        Operation::DescribeStream,
        &filtered(r#"{"Type":"CHILD_SHARDS","ShardId":"x"}"#),
        validation,
        "1 validation error detected: Value 'x' at 'shardFilter.shardId' failed to satisfy constraint: Member must have length greater than or equal to 28",
    );
    check_refused(
        Operation::DescribeStream,
        &filtered(r#"{"Type":"CHILD_SHARDS","ShardId":"shardId-00000000000000000000-00000000"}"#),
        "ResourceNotFoundException",
        "Requested resource not found: Shard does not exist",
    );
    check_refused(
        Operation::GetRecords,
        r#"{"Limit":1001}"#,
        validation,
        "2 validation errors detected: Value null at 'shardIterator' failed to satisfy constraint: Member must not be null; Value '1001' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 1000",
    );
    check_refused(
        Operation::GetRecords,
        r#"{"ShardIterator":"x"}"#,
        validation,
        "Invalid ShardIterator",
    );
    check_refused(
        Operation::ListStreams,
        r#"{"Limit":-1}"#,
        validation,
        "1 validation error detected: Value '-1' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    );
    check_refused(
        Operation::ListStreams,
        r#"{"TableName":"nowhere"}"#,
        "ResourceNotFoundException",
        "Requested resource not found: Table: nowhere not found",
    );
    let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2020";
    check_refused(
        Operation::DescribeStream,
        &format!(r#"{{"StreamArn":"{arn}"}}"#),
        "ResourceNotFoundException",
        &format!("Requested resource not found: Stream: {arn} not found"),
    );
}

#[test]
fn an_expired_item_is_removed_by_the_service() {
    let clock = Arc::new(ManualClock::new(1_791_500_851_275));
    let options = Options { clock: Arc::clone(&clock) as _, ..Options::default() };
    let database = Database::memory_with(options);
    let plain = CreateTable::new("plain").partition_key("id", "S").unwrap();
    database.create_table(plain.stream(StreamViewType::OldImage)).unwrap();
    database.update_time_to_live(UpdateTimeToLive::enable("plain", "end")).unwrap();
    let item = item! { "id" => "a", "end" => 1_791_500_852 };
    database.put_item(PutItem::new("plain", item)).unwrap();
    clock.advance_ms(60_000);
    assert_eq!(database.maintain().unwrap().swept_items, 1);

    let endpoint = Endpoint::new(database);
    let response = records_through(|operation, body| {
        let mut response = Vec::new();
        let request = Request { host: "localhost:8000", body: body.as_bytes(), identity: None };
        block_on(endpoint.call(operation, request, &mut response)).unwrap();
        String::from_utf8(response).unwrap()
    });
    expect![[r#"{"Records":[{"eventID":"1dc869695302aa16ac0e4307ca180d49","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1791500851,"Keys":{"id":{"S":"a"}},"SequenceNumber":"100000000000000000000","SizeBytes":3,"StreamViewType":"OLD_IMAGE"}},{"eventID":"2f99aab01510999261f50a467a6715e1","eventName":"REMOVE","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1791500911,"Keys":{"id":{"S":"a"}},"OldImage":{"end":{"N":"1791500852"},"id":{"S":"a"}},"SequenceNumber":"100000000000000000001","SizeBytes":15,"StreamViewType":"OLD_IMAGE"},"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}],"NextShardIterator":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/stream/2026-10-08T23:07:31.275|1|000000010000000000000002000001a11dc682ab"}"#]].assert_eq(&response);
}
