//! Backups and restores: names, states, errors, limits.

use std::sync::Arc;

use expect_test::expect;
use monotable_engine::{ManualClock, Options};
use serde_json::Value;

use crate::fixture::{VALIDATION, World, check_refusals, error_body};

const TABLE: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/league";
const NOWHERE: &str =
    "arn:aws:dynamodb:us-east-1:123456789012:table/league/backup/01700000000000-0123abcd";
const NOW_MS: u64 = 1_791_500_851_275;

fn world() -> (World, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(NOW_MS));
    let world = World::with(Options { clock: clock.clone(), ..Options::default() });
    for player in 0..250 {
        let item = format!(
            r#"{{"PK":{{"S":"TEAM#{}"}},"SK":{{"S":"PLAYER#{player}"}},"city":{{"S":"c{}"}},"score":{{"N":"{player}"}}}}"#,
            player % 7,
            player % 3
        );
        world.put("league", &item);
    }
    (world, clock)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Makes a backup and waits for it.
fn back_up(world: &World, name: &str) -> String {
    let body = format!(r#"{{"TableName":"league","BackupName":"{name}"}}"#);
    let details = json(&world.answer("CreateBackup", &body))["BackupDetails"].clone();
    assert_eq!(details["BackupStatus"], "CREATING");
    world.finish_jobs();
    details["BackupArn"].as_str().unwrap().to_owned()
}

fn scan(world: &World, table: &str, index: &str) -> Vec<Value> {
    let body = format!(r#"{{"TableName":"{table}"{index}}}"#);
    json(&world.answer("Scan", &body))["Items"].as_array().unwrap().clone()
}

#[test]
fn a_backup_is_described_listed_and_deleted() {
    let (world, _) = world();
    let arn = back_up(&world, "nightly.1");
    assert!(arn.starts_with(&format!("{TABLE}/backup/01791500851275-")), "{arn}");
    let by_arn = format!(r#"{{"BackupArn":"{arn}"}}"#);
    let id = &arn[arn.len() - 8..];
    let described = world.answer("DescribeBackup", &by_arn).replace(id, "XXXXXXXX");
    let table_id = json(&described)["BackupDescription"]["SourceTableDetails"]["TableId"].clone();
    let described = described.replace(table_id.as_str().unwrap(), "TABLE-ID");
    expect![[r#"{"BackupDescription":{"BackupDetails":{"BackupArn":"arn:aws:dynamodb:us-east-1:123456789012:table/league/backup/01791500851275-XXXXXXXX","BackupName":"nightly.1","BackupCreationDateTime":1791500851.275,"BackupStatus":"AVAILABLE","BackupType":"USER","BackupSizeBytes":8287},"SourceTableDetails":{"TableName":"league","TableId":"TABLE-ID","TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/league","TableSizeBytes":8287,"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"TableCreationDateTime":1791500851.275,"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0},"ItemCount":250,"BillingMode":"PAY_PER_REQUEST"},"SourceTableFeatureDetails":{"LocalSecondaryIndexes":[{"IndexName":"by-score","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"score","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}},{"IndexName":"by-name","KeySchema":[{"AttributeName":"name","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}}]}}}"#]].assert_eq(&described);
    let listed = json(&world.answer("ListBackups", "{}"));
    assert_eq!(listed["BackupSummaries"][0]["BackupArn"], arn.as_str());
    assert_eq!(listed["BackupSummaries"][0]["TableName"], "league");
    let deleted = json(&world.answer("DeleteBackup", &by_arn));
    let details = &deleted["BackupDescription"]["BackupDetails"];
    assert_eq!(details["BackupStatus"], "DELETED");
    assert_eq!(world.answer("ListBackups", "{}"), r#"{"BackupSummaries":[]}"#);
    let gone = error_body("BackupNotFoundException", &format!("Backup not found: {arn}"));
    for operation in ["DescribeBackup", "DeleteBackup"] {
        assert_eq!(world.call(operation, by_arn.as_bytes()), gone);
    }
}

#[test]
fn a_restored_table_equals_the_backed_up_one() {
    let (world, _) = world();
    let before = scan(&world, "league", "");
    let by_city = r#","IndexName":"by-city""#;
    let cities = scan(&world, "league", by_city);
    let arn = back_up(&world, "before");
    let key = r#"{"PK":{"S":"TEAM#1"},"SK":{"S":"PLAYER#1"}}"#;
    world.answer("DeleteItem", &format!(r#"{{"TableName":"league","Key":{key}}}"#));
    let body = format!(r#"{{"TargetTableName":"again","BackupArn":"{arn}"}}"#);
    let description =
        json(&world.answer("RestoreTableFromBackup", &body))["TableDescription"].clone();
    assert_eq!(description["TableStatus"], "CREATING");
    assert_eq!(description["RestoreSummary"]["SourceBackupArn"], arn.as_str());
    assert_eq!(description["RestoreSummary"]["SourceTableArn"], TABLE);
    assert_eq!(description["RestoreSummary"]["RestoreInProgress"], true);
    world.finish_jobs();
    let described =
        json(&world.answer("DescribeTable", r#"{"TableName":"again"}"#))["Table"].clone();
    assert_eq!(described["TableStatus"], "ACTIVE");
    assert_eq!(described["RestoreSummary"]["RestoreInProgress"], false);
    assert_eq!(described["ItemCount"], 250);
    assert_eq!(scan(&world, "again", ""), before);
    assert_eq!(scan(&world, "again", by_city), cities);
    assert_eq!(scan(&world, "league", "").len(), 249);
    let taken = error_body("TableAlreadyExistsException", "Table already exists: again");
    assert_eq!(world.call("RestoreTableFromBackup", body.as_bytes()), taken);
}

#[test]
fn settings_of_a_restored_table_can_differ() {
    let (world, _) = world();
    let arn = back_up(&world, "before");
    let body = format!(
        r#"{{"TargetTableName":"bare","BackupArn":"{arn}","BillingModeOverride":"PROVISIONED",
            "ProvisionedThroughputOverride":{{"ReadCapacityUnits":5,"WriteCapacityUnits":6}},
            "GlobalSecondaryIndexOverride":[],"LocalSecondaryIndexOverride":[]}}"#
    );
    world.answer("RestoreTableFromBackup", &body);
    world.finish_jobs();
    let table = json(&world.answer("DescribeTable", r#"{"TableName":"bare"}"#))["Table"].clone();
    assert_eq!(table["ProvisionedThroughput"]["WriteCapacityUnits"], 6);
    assert_eq!(table["AttributeDefinitions"].as_array().unwrap().len(), 2);
    assert!(table.get("GlobalSecondaryIndexes").is_none());
    assert!(table.get("LocalSecondaryIndexes").is_none());
    assert_eq!(scan(&world, "bare", "").len(), 250);
    let body = format!(
        r#"{{"TargetTableName":"other","BackupArn":"{arn}","GlobalSecondaryIndexOverride":[{{
            "IndexName":"by-shoe","KeySchema":[{{"AttributeName":"shoe","KeyType":"HASH"}}],
            "Projection":{{"ProjectionType":"ALL"}}}}]}}"#
    );
    let refused = world.call("RestoreTableFromBackup", body.as_bytes());
    assert!(refused.contains("by-shoe") && refused.contains(VALIDATION), "{refused}");
}

#[test]
fn lists_have_pages_and_filters() {
    let (world, clock) = world();
    let arns: Vec<String> = (0..5)
        .map(|number| {
            clock.advance_ms(1000);
            back_up(&world, &format!("backup-{number}"))
        })
        .collect();
    let list = |body: &str| -> (Vec<String>, Option<String>) {
        let page = json(&world.answer("ListBackups", body));
        let arn = |summary: &Value| summary["BackupArn"].as_str().unwrap().to_owned();
        let found = page["BackupSummaries"].as_array().unwrap().iter().map(arn).collect();
        (found, page["LastEvaluatedBackupArn"].as_str().map(str::to_owned))
    };
    let (first, last) = list(r#"{"Limit":2}"#);
    assert_eq!((&first[..], last.as_ref()), (&arns[..2], Some(&arns[1])));
    let (rest, last) = list(&format!(r#"{{"ExclusiveStartBackupArn":"{}"}}"#, arns[1]));
    assert_eq!((&rest[..], last), (&arns[2..], None));
    // The lower bound is part of the range, the upper one is not.
    let seconds = |number: u64| (NOW_MS + 1000 * number) as f64 / 1000.0;
    let range =
        format!(r#"{{"TimeRangeLowerBound":{},"TimeRangeUpperBound":{}}}"#, seconds(2), seconds(4));
    assert_eq!(list(&range).0, arns[1..3]);
    assert_eq!(list(r#"{"BackupType":"SYSTEM"}"#).0.len(), 0);
    assert_eq!(list(r#"{"BackupType":"ALL"}"#).0.len(), 5);
    assert_eq!(list(r#"{"TableName":"plain"}"#).0.len(), 0);
    assert_eq!(list(&format!(r#"{{"TableName":"{TABLE}"}}"#)).0.len(), 5);
}

#[test]
fn wrong_requests_are_refused() {
    let null = |path: &str| {
        format!(
            "1 validation error detected: Value null at '{path}' failed to satisfy constraint: \
             Member must not be null"
        )
    };
    let create =
        |table: &str, name: &str| format!(r#"{{"TableName":"{table}","BackupName":"{name}"}}"#);
    let restore =
        |arn: &str, table: &str| format!(r#"{{"BackupArn":"{arn}","TargetTableName":"{table}"}}"#);
    let short = "1 validation error detected: Value 'ab' at 'backupName' failed to satisfy constraint: \
        Member must have length greater than or equal to 3";
    let pattern = "1 validation error detected: Value 'a b c' at 'backupName' failed to satisfy \
        constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
    let not_found = format!("Backup not found: {NOWHERE}");
    let limit = "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: \
        Member must have value less than or equal to 100";
    check_refusals(&[
        ("CreateBackup", r#"{"BackupName":"abc"}"#, VALIDATION, &null("tableName")),
        ("CreateBackup", r#"{"TableName":"league"}"#, VALIDATION, &null("backupName")),
        ("CreateBackup", &create("league", "ab"), VALIDATION, short),
        ("CreateBackup", &create("league", "a b c"), VALIDATION, pattern),
        (
            "CreateBackup",
            &create("nowhere", "abc"),
            "TableNotFoundException",
            "Table not found: nowhere",
        ),
        ("DescribeBackup", "{}", VALIDATION, &null("backupArn")),
        ("DeleteBackup", "{}", VALIDATION, &null("backupArn")),
        ("RestoreTableFromBackup", r#"{"TargetTableName":"abc"}"#, VALIDATION, &null("backupArn")),
        ("RestoreTableFromBackup", &restore(NOWHERE, "abc"), "BackupNotFoundException", &not_found),
        ("ListBackups", r#"{"Limit":101}"#, VALIDATION, limit),
    ]);
    let world = World::new();
    let outside = format!(r#"{{"BackupArn":"{TABLE}/backup/../../../../etc"}}"#);
    assert!(world.call("DescribeBackup", outside.as_bytes()).contains("BackupNotFoundException"));
}
