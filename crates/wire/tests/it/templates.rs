//! Templates of production tables: settings for AWS are accepted, stored and described.

use expect_test::expect;

use crate::fixture::{VALIDATION, World, check_refusals};

/// Returns a table as templates create it, with more members.
fn create(more: &str) -> String {
    format!(
        r#"{{"TableName":"fresh","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{{"AttributeName":"id","AttributeType":"S"}}],
            "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}],{more}}}"#
    )
}

fn with_index(more: &str) -> String {
    create(&format!(
        r#""GlobalSecondaryIndexes":[{{"IndexName":"by-id","Projection":{{"ProjectionType":"ALL"}},
            "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}],{more}}}]"#
    ))
}

/// Returns one member of the table's description as text.
fn described(world: &World, member: &str) -> String {
    let body = world.answer("DescribeTable", r#"{"TableName":"fresh"}"#);
    let Some((_, rest)) = body.split_once(&format!(r#""{member}":"#)) else {
        return "none".to_owned();
    };
    let mut depth = 0;
    let end = rest.find(|character| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        depth == 0
    });
    rest[..=end.unwrap()].to_owned()
}

#[test]
fn encryption_is_kept_and_described_with_the_arn_of_its_key() {
    let world = World::new();
    world.answer("CreateTable", &create(r#""SSESpecification":{"Enabled":true}"#));
    expect![[r#"{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"arn:aws:kms:us-east-1:123456789012:key/a3c27016-7cb5-8ecb-b7ba-c26ff943b3f4"}"#]]
        .assert_eq(&described(&world, "SSEDescription"));
    let update = |sse: &str| format!(r#"{{"TableName":"fresh","SSESpecification":{sse}}}"#);
    let key = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    let with_key = format!(r#"{{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"{key}"}}"#);
    let updated = world.answer("UpdateTable", &update(&with_key));
    assert!(updated.contains(key), "{updated}");
    assert!(described(&world, "SSEDescription").contains(key));
    world.answer("UpdateTable", &update(r#"{"Enabled":false}"#));
    assert_eq!(described(&world, "SSEDescription"), "none");
}

#[test]
fn limits_on_demand_are_kept_and_described() {
    let world = World::new();
    let limits = r#""OnDemandThroughput":{"MaxReadRequestUnits":10,"MaxWriteRequestUnits":5}"#;
    let created = world.answer("CreateTable", &create(limits));
    assert!(created.contains(limits), "{created}");
    assert_eq!(
        format!(r#""OnDemandThroughput":{}"#, described(&world, "OnDemandThroughput")),
        limits
    );
    let update = |limits: &str| {
        let body = format!(r#"{{"TableName":"fresh","OnDemandThroughput":{limits}}}"#);
        world.answer("UpdateTable", &body)
    };
    update(r#"{"MaxReadRequestUnits":20,"MaxWriteRequestUnits":15}"#);
    assert_eq!(
        described(&world, "OnDemandThroughput"),
        r#"{"MaxReadRequestUnits":20,"MaxWriteRequestUnits":15}"#
    );
    update(r#"{"MaxWriteRequestUnits":-1}"#);
    assert_eq!(
        described(&world, "OnDemandThroughput"),
        r#"{"MaxReadRequestUnits":20,"MaxWriteRequestUnits":-1}"#
    );
    update(r#"{"MaxReadRequestUnits":-1}"#);
    assert_eq!(described(&world, "OnDemandThroughput"), "none");
}

#[test]
fn warm_throughput_is_kept_and_described() {
    let world = World::new();
    world.answer("CreateTable", &create(r#""WarmThroughput":{"ReadUnitsPerSecond":15000}"#));
    assert_eq!(
        described(&world, "WarmThroughput"),
        r#"{"ReadUnitsPerSecond":15000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}"#
    );
    let body = r#"{"TableName":"fresh","WarmThroughput":{"WriteUnitsPerSecond":5000}}"#;
    world.answer("UpdateTable", body);
    assert_eq!(
        described(&world, "WarmThroughput"),
        r#"{"ReadUnitsPerSecond":15000,"WriteUnitsPerSecond":5000,"Status":"ACTIVE"}"#
    );
}

#[test]
fn indexes_have_limits_and_warm_throughput_of_their_own() {
    let world = World::new();
    world.answer(
        "CreateTable",
        &with_index(
            r#""OnDemandThroughput":{"MaxReadRequestUnits":7},
                "WarmThroughput":{"ReadUnitsPerSecond":15000,"WriteUnitsPerSecond":5000}"#,
        ),
    );
    let update = |more: &str| {
        let body = format!(
            r#"{{"TableName":"fresh",
                "GlobalSecondaryIndexUpdates":[{{"Update":{{"IndexName":"by-id",{more}}}}}]}}"#
        );
        world.answer("UpdateTable", &body)
    };
    let index = || described(&world, "OnDemandThroughput") + &described(&world, "WarmThroughput");
    assert_eq!(
        index(),
        r#"{"MaxReadRequestUnits":7,"MaxWriteRequestUnits":-1}{"ReadUnitsPerSecond":15000,"WriteUnitsPerSecond":5000,"Status":"ACTIVE"}"#
    );
    update(r#""OnDemandThroughput":{"MaxWriteRequestUnits":9}"#);
    update(r#""WarmThroughput":{"ReadUnitsPerSecond":16000}"#);
    assert_eq!(
        index(),
        r#"{"MaxReadRequestUnits":7,"MaxWriteRequestUnits":9}{"ReadUnitsPerSecond":16000,"WriteUnitsPerSecond":5000,"Status":"ACTIVE"}"#
    );
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let provisioned = create(r#""OnDemandThroughput":{"MaxReadRequestUnits":1}"#).replace(
        r#""BillingMode":"PAY_PER_REQUEST""#,
        r#""ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}"#,
    );
    let sse = |members: &str| create(&format!(r#""SSESpecification":{{{members}}}"#));
    let invalid = |why: &str| format!("One or more parameter values were invalid: {why}");
    check_refusals(&[
        (
            "CreateTable",
            &provisioned,
            VALIDATION,
            &invalid("OnDemandThroughput should not be specified when BillingMode is PROVISIONED"),
        ),
        (
            "CreateTable",
            &create(r#""OnDemandThroughput":{"MaxReadRequestUnits":0}"#),
            VALIDATION,
            &invalid(
                "MaxReadRequestUnits of OnDemandThroughput must be at least 1, or -1 for no limit",
            ),
        ),
        (
            "CreateTable",
            &create(r#""WarmThroughput":{"WriteUnitsPerSecond":100}"#),
            VALIDATION,
            &invalid(
                "WriteUnitsPerSecond of WarmThroughput can't be lower than the current value of \
                 the table: 4000",
            ),
        ),
        (
            "UpdateTable",
            r#"{"TableName":"league","WarmThroughput":{"ReadUnitsPerSecond":0}}"#,
            VALIDATION,
            "1 validation error detected: Value '0' at 'warmThroughput.readUnitsPerSecond' failed to satisfy constraint: Member must have value greater than or equal to 1",
        ),
        (
            "CreateTable",
            &sse(r#""Enabled":true,"SSEType":"AES256""#),
            VALIDATION,
            &invalid("SSEType AES256 is not supported for SSESpecification, use KMS"),
        ),
        (
            "CreateTable",
            &sse(r#""Enabled":false,"KMSMasterKeyId":"x""#),
            VALIDATION,
            &invalid("KMSMasterKeyId can only be specified when SSESpecification is enabled"),
        ),
    ]);
}

#[test]
fn contributor_insights_are_enabled_described_and_listed() {
    let world = World::new();
    let update = |body: &str| world.answer("UpdateContributorInsights", body);
    assert_eq!(
        update(r#"{"TableName":"league","ContributorInsightsAction":"ENABLE"}"#),
        r#"{"TableName":"league","ContributorInsightsStatus":"ENABLING","ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS"}"#
    );
    update(
        r#"{"TableName":"league","IndexName":"by-city","ContributorInsightsAction":"ENABLE",
            "ContributorInsightsMode":"THROTTLED_KEYS"}"#,
    );
    let described = world.answer("DescribeContributorInsights", r#"{"TableName":"league"}"#);
    assert!(described.contains(r#""ContributorInsightsStatus":"ENABLED""#), "{described}");
    assert!(described.contains("DynamoDBContributorInsights-SKC-league-"), "{described}");
    assert!(described.ends_with(r#""Contributors":[]}"#), "{described}");
    let summary = |members: &str| format!(r#"{{"TableName":"league",{members}}}"#);
    let table = summary(
        r#""ContributorInsightsStatus":"ENABLED","ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS""#,
    );
    let index = summary(
        r#""IndexName":"by-city","ContributorInsightsStatus":"ENABLED","ContributorInsightsMode":"THROTTLED_KEYS""#,
    );
    assert_eq!(
        world.answer("ListContributorInsights", "{}"),
        format!(r#"{{"ContributorInsightsSummaries":[{table},{index}]}}"#)
    );
    assert_eq!(
        world.answer("ListContributorInsights", r#"{"MaxResults":1}"#),
        format!(r#"{{"ContributorInsightsSummaries":[{table}],"NextToken":"league/"}}"#)
    );
    assert_eq!(
        world.answer("ListContributorInsights", r#"{"MaxResults":1,"NextToken":"league/"}"#),
        format!(r#"{{"ContributorInsightsSummaries":[{index}]}}"#)
    );
    let refused = world.call("ListContributorInsights", br#"{"MaxResults":0}"#);
    assert!(refused.contains("Value '0' at 'maxResults' failed"), "{refused}");
    let disable = r#"{"TableName":"league","ContributorInsightsAction":"DISABLE"}"#;
    assert!(update(disable).contains("DISABLING"));
    assert!(update(disable).contains(r#""DISABLED""#));
}

#[test]
fn contributor_insights_report_the_hottest_partitions_without_whole_keys() {
    let world = World::new();
    let enable = r#"{"TableName":"plain","ContributorInsightsAction":"ENABLE"}"#;
    world.answer("UpdateContributorInsights", enable);
    for _ in 0..500 {
        world.put("plain", r#"{"id":{"S":"USER#ann@example.com"}}"#);
    }
    let described = world.answer("DescribeContributorInsights", r#"{"TableName":"plain"}"#);
    assert!(described.contains(r#"{"Access":"WRITE","PartitionKey":"USER#~"#), "{described}");
    assert!(!described.contains("ann@example.com"), "{described}");
}
