//! Tables: CreateTable, DescribeTable, ListTables, UpdateTable, DeleteTable, with every member.

use std::sync::Arc;

use expect_test::{Expect, expect};
use monotable_engine::{ManualClock, Options};

use crate::fixture::World;

/// Returns an empty table: keys and billing, and what the test adds to it.
fn create(name: &str, more: &str) -> String {
    format!(
        r#"{{"TableName":"{name}","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{{"AttributeName":"id","AttributeType":"S"}}],
            "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}]{more}}}"#
    )
}

const FULL: &str = r#"{
    "TableName":"full",
    "AttributeDefinitions":[
        {"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"N"},
        {"AttributeName":"city","AttributeType":"S"},{"AttributeName":"raw","AttributeType":"B"}],
    "KeySchema":[
        {"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
    "BillingMode":"PROVISIONED",
    "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},
    "GlobalSecondaryIndexes":[{
        "IndexName":"by-city",
        "KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},
        "ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":8}}],
    "LocalSecondaryIndexes":[{
        "IndexName":"by-raw",
        "KeySchema":[
            {"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"raw","KeyType":"RANGE"}],
        "Projection":{"ProjectionType":"KEYS_ONLY"}}],
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},
    "SSESpecification":{"Enabled":false},
    "OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":-1},
    "TableClass":"STANDARD_INFREQUENT_ACCESS",
    "DeletionProtectionEnabled":true,
    "Tags":[{"Key":"stage","Value":"test"}]
}"#;

/// Returns a world with a fixed clock.
fn world() -> World {
    let clock = Arc::new(ManualClock::new(1_791_500_851_275));
    World::with(Options { clock, ..Options::default() })
}

#[track_caller]
fn check(world: &World, operation: &str, body: &str, expected: Expect) {
    expected.assert_eq(&world.call(operation, body.as_bytes()));
}

#[test]
fn a_new_table_is_described_in_full() {
    let world = world();
    check(
        &world,
        "CreateTable",
        FULL,
        expect![[
            r#"{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"city","AttributeType":"S"},{"AttributeName":"raw","AttributeType":"B"}],"TableName":"full","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"TableStatus":"CREATING","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full","TableId":"39e684c6-f38e-8bc1-87e7-660ef3585036","LocalSecondaryIndexes":[{"IndexName":"by-raw","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"raw","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-raw"}],"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-city","IndexStatus":"CREATING","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":7,"WriteCapacityUnits":8},"WarmThroughput":{"ReadUnitsPerSecond":7,"WriteUnitsPerSecond":8,"Status":"CREATING"}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"LatestStreamLabel":"2026-10-08T23:07:31.275","LatestStreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/stream/2026-10-08T23:07:31.275","TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},"DeletionProtectionEnabled":true,"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":6,"Status":"CREATING"}}}"#
        ]],
    );
    check(
        &world,
        "DescribeTable",
        r#"{"TableName":"full"}"#,
        expect![[
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"city","AttributeType":"S"},{"AttributeName":"raw","AttributeType":"B"}],"TableName":"full","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"TableStatus":"ACTIVE","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full","TableId":"39e684c6-f38e-8bc1-87e7-660ef3585036","LocalSecondaryIndexes":[{"IndexName":"by-raw","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"raw","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-raw"}],"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-city","IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":7,"WriteCapacityUnits":8},"WarmThroughput":{"ReadUnitsPerSecond":7,"WriteUnitsPerSecond":8,"Status":"ACTIVE"}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"LatestStreamLabel":"2026-10-08T23:07:31.275","LatestStreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/stream/2026-10-08T23:07:31.275","TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},"DeletionProtectionEnabled":true,"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":6,"Status":"ACTIVE"}}}"#
        ]],
    );
}

#[test]
fn a_table_on_demand_is_described() {
    let world = world();
    let more =
        r#","StreamSpecification":{"StreamEnabled":false},"Tags":[],"TableClass":"STANDARD""#;
    check(
        &world,
        "CreateTable",
        &create("small", more),
        expect![[
            r#"{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"small","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"CREATING","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/small","TableId":"39e684c6-f38e-8bc1-87e7-660ef3585036","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"CREATING"}}}"#
        ]],
    );
    check(
        &world,
        "DescribeTable",
        r#"{"TableName":"small"}"#,
        expect![[
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"small","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"ACTIVE","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/small","TableId":"39e684c6-f38e-8bc1-87e7-660ef3585036","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}"#
        ]],
    );
}

#[test]
fn a_description_counts_items_and_bytes() {
    let world = world();
    world.put("league", r#"{"PK":{"S":"a"},"SK":{"S":"b"},"city":{"S":"Graz"}}"#);
    let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/league";
    check(
        &world,
        "DescribeTable",
        &format!(r#"{{"TableName":"{arn}"}}"#),
        expect![[
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"city","AttributeType":"S"},{"AttributeName":"name","AttributeType":"S"},{"AttributeName":"score","AttributeType":"N"}],"TableName":"league","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"TableStatus":"ACTIVE","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":14,"ItemCount":1,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/league","TableId":"e73cd50a-7d2d-8920-b7ae-b3d66fe97c71","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"LocalSecondaryIndexes":[{"IndexName":"by-score","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"score","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/league/index/by-score"}],"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":14,"ItemCount":1,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/league/index/by-city","IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}},{"IndexName":"by-name","KeySchema":[{"AttributeName":"name","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/league/index/by-name","IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}],"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}"#
        ]],
    );
}

#[test]
fn a_deleted_table_is_described_once_more() {
    let world = world();
    check(
        &world,
        "DeleteTable",
        r#"{"TableName":"league"}"#,
        expect![[
            r#"{"TableDescription":{"TableName":"league","TableStatus":"DELETING","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/league","TableId":"e73cd50a-7d2d-8920-b7ae-b3d66fe97c71","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"DeletionProtectionEnabled":false}}"#
        ]],
    );
    check(
        &world,
        "DescribeTable",
        r#"{"TableName":"league"}"#,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found: Table: league not found"}"#
        ]],
    );
    check(
        &world,
        "DeleteTable",
        r#"{"TableName":"league"}"#,
        expect![[
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found: Table: league not found"}"#
        ]],
    );
}

#[test]
fn a_protected_table_is_not_deleted() {
    let world = world();
    world.answer("CreateTable", FULL);
    check(
        &world,
        "DeleteTable",
        r#"{"TableName":"full"}"#,
        expect![[
            r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."}"#
        ]],
    );
    world.answer("UpdateTable", r#"{"TableName":"full","DeletionProtectionEnabled":false}"#);
    world.answer("DeleteTable", r#"{"TableName":"full"}"#);
}

#[test]
fn tables_are_listed_in_pages() {
    let world = world();
    check(
        &world,
        "ListTables",
        "{}",
        expect![[r#"{"TableNames":["blobs","league","numbers","plain"]}"#]],
    );
    check(
        &world,
        "ListTables",
        r#"{"Limit":2}"#,
        expect![[r#"{"TableNames":["blobs","league"],"LastEvaluatedTableName":"league"}"#]],
    );
    let next = r#"{"Limit":2,"ExclusiveStartTableName":"league"}"#;
    check(&world, "ListTables", next, expect![[r#"{"TableNames":["numbers","plain"]}"#]]);
}

#[test]
fn capacity_changes() {
    let world = world();
    world.answer("CreateTable", FULL);
    let body = r#"{"TableName":"full",
        "ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":11},
        "GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"by-city",
            "ProvisionedThroughput":{"ReadCapacityUnits":12,"WriteCapacityUnits":13}}}]}"#;
    check(
        &world,
        "UpdateTable",
        body,
        expect![[
            r#"{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"city","AttributeType":"S"},{"AttributeName":"raw","AttributeType":"B"}],"TableName":"full","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"TableStatus":"UPDATING","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full","TableId":"39e684c6-f38e-8bc1-87e7-660ef3585036","LocalSecondaryIndexes":[{"IndexName":"by-raw","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"raw","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-raw"}],"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-city","IndexStatus":"UPDATING","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":7,"WriteCapacityUnits":8},"WarmThroughput":{"ReadUnitsPerSecond":7,"WriteUnitsPerSecond":8,"Status":"ACTIVE"}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"LatestStreamLabel":"2026-10-08T23:07:31.275","LatestStreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/stream/2026-10-08T23:07:31.275","TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},"DeletionProtectionEnabled":true,"WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":6,"Status":"ACTIVE"}}}"#
        ]],
    );
    check(
        &world,
        "DescribeTable",
        r#"{"TableName":"full"}"#,
        expect![[
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"city","AttributeType":"S"},{"AttributeName":"raw","AttributeType":"B"}],"TableName":"full","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"TableStatus":"ACTIVE","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":10,"WriteCapacityUnits":11},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full","TableId":"39e684c6-f38e-8bc1-87e7-660ef3585036","LocalSecondaryIndexes":[{"IndexName":"by-raw","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"raw","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-raw"}],"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-city","IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":12,"WriteCapacityUnits":13},"WarmThroughput":{"ReadUnitsPerSecond":12,"WriteUnitsPerSecond":13,"Status":"ACTIVE"}}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"LatestStreamLabel":"2026-10-08T23:07:31.275","LatestStreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/stream/2026-10-08T23:07:31.275","TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},"DeletionProtectionEnabled":true,"WarmThroughput":{"ReadUnitsPerSecond":10,"WriteUnitsPerSecond":11,"Status":"ACTIVE"}}}"#
        ]],
    );
}

#[test]
fn billing_class_and_stream_change() {
    let world = world();
    world.answer("CreateTable", FULL);
    for body in [
        r#"{"TableName":"full","BillingMode":"PAY_PER_REQUEST"}"#,
        r#"{"TableName":"full","TableClass":"STANDARD"}"#,
        r#"{"TableName":"full","StreamSpecification":{"StreamEnabled":false}}"#,
        r#"{"TableName":"full","DeletionProtectionEnabled":false}"#,
    ] {
        world.answer("UpdateTable", body);
    }
    check(
        &world,
        "DescribeTable",
        r#"{"TableName":"full"}"#,
        expect![[
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"city","AttributeType":"S"},{"AttributeName":"raw","AttributeType":"B"}],"TableName":"full","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"TableStatus":"ACTIVE","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full","TableId":"39e684c6-f38e-8bc1-87e7-660ef3585036","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"LocalSecondaryIndexes":[{"IndexName":"by-raw","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"raw","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-raw"}],"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/index/by-city","IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}],"LatestStreamLabel":"2026-10-08T23:07:31.275","LatestStreamArn":"arn:aws:dynamodb:us-east-1:123456789012:table/full/stream/2026-10-08T23:07:31.275","DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}"#
        ]],
    );
}

#[test]
fn an_index_is_created_and_deleted() {
    let world = world();
    world.put("plain", r#"{"id":{"S":"a"},"city":{"S":"Graz"}}"#);
    let body = r#"{"TableName":"plain",
        "AttributeDefinitions":[{"AttributeName":"city","AttributeType":"S"}],
        "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-city",
            "KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],
            "Projection":{"ProjectionType":"ALL"}}}]}"#;
    check(
        &world,
        "UpdateTable",
        body,
        expect![[
            r#"{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"city","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"UPDATING","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":11,"ItemCount":1,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain","TableId":"3f2b095f-9078-8a14-bd05-d7be1d0f165e","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/index/by-city","IndexStatus":"CREATING","Backfilling":false,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"CREATING"}}],"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}"#
        ]],
    );
    check(
        &world,
        "DescribeTable",
        r#"{"TableName":"plain"}"#,
        expect![[
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"city","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"ACTIVE","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":11,"ItemCount":1,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain","TableId":"3f2b095f-9078-8a14-bd05-d7be1d0f165e","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":11,"ItemCount":1,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/index/by-city","IndexStatus":"ACTIVE","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}],"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}"#
        ]],
    );
    let body = r#"{"TableName":"plain",
        "GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-city"}}]}"#;
    check(
        &world,
        "UpdateTable",
        body,
        expect![[
            r#"{"TableDescription":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"UPDATING","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":11,"ItemCount":1,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain","TableId":"3f2b095f-9078-8a14-bd05-d7be1d0f165e","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":11,"ItemCount":1,"IndexArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain/index/by-city","IndexStatus":"DELETING","ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}],"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}"#
        ]],
    );
    check(
        &world,
        "DescribeTable",
        r#"{"TableName":"plain"}"#,
        expect![[
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"TableName":"plain","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableStatus":"ACTIVE","CreationDateTime":1791500851.275,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"TableSizeBytes":11,"ItemCount":1,"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain","TableId":"3f2b095f-9078-8a14-bd05-d7be1d0f165e","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"DeletionProtectionEnabled":false,"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}}}"#
        ]],
    );
}
