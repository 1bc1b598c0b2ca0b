//! Point-in-time recovery: the setting, the times, restores, errors.

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use monotable_engine::{Database, ManualClock, Options};
use monotable_lifecycle::{Control, Lifecycle, LifecycleOptions, Schedule};
use monotable_wire::ItemLines;
use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{VALIDATION, World, check_refusals, error_body};

const NOW_MS: u64 = 1_791_500_851_275;
const CREATE: &str = r#"{"TableName":"league","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"team","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
    "GlobalSecondaryIndexes":[{"IndexName":"by-team","KeySchema":[{"AttributeName":"team","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"ALL"}}]}"#;
const ENABLE: &str = r#"{"TableName":"league","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}"#;
const LEAGUE: &str = r#"{"TableName":"league"}"#;

/// A database that keeps its log.
struct Kept {
    world: World,
    lifecycle: Lifecycle,
    clock: Arc<ManualClock>,
    directory: TempDir,
}

impl Kept {
    /// With a table `league` whose recovery is disabled.
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(NOW_MS));
        let kept = Self::open(directory, clock);
        kept.world.answer("CreateTable", CREATE);
        kept
    }

    fn open(directory: TempDir, clock: Arc<ManualClock>) -> Self {
        let data = directory.path().join("data");
        let options = Options { clock: clock.clone(), keeps_history: true, ..Options::default() };
        let database = Database::open(&data, options).unwrap();
        let options = LifecycleOptions {
            backups: Some(directory.path().join("backups")),
            history: Some(data),
            buckets: None,
            attached: Vec::new(),
            codec: Arc::new(ItemLines),
        };
        let lifecycle = Lifecycle::open(database, options).unwrap();
        Self { world: World::over(lifecycle.clone()), lifecycle, clock, directory }
    }

    /// Closes the database and opens it again.
    fn reopened(self) -> Self {
        let Self { world, lifecycle, clock, directory } = self;
        drop((world, lifecycle));
        Self::open(directory, clock)
    }

    /// Puts an item, and returns the time since when it is there.
    fn put(&self, id: &str, team: &str) -> u64 {
        self.clock.advance_ms(10_000);
        let item = format!(r#"{{"id":{{"S":"{id}"}},"team":{{"S":"{team}"}}}}"#);
        self.world.put("league", &item);
        self.lifecycle.database().now_ms()
    }

    fn restore(&self, target: &str, when: &str) -> String {
        let body = format!(r#"{{"SourceTableName":"league","TargetTableName":"{target}",{when}}}"#);
        let response = self.world.call("RestoreTableToPointInTime", body.as_bytes());
        self.world.finish_jobs();
        response
    }
}

/// The ids in a table or in its index.
fn ids(world: &World, table: &str, index: &str) -> Vec<String> {
    let scanned = world.answer("Scan", &format!(r#"{{"TableName":"{table}"{index}}}"#));
    let page: Value = serde_json::from_str(&scanned).unwrap();
    let id = |item: &Value| item["id"]["S"].as_str().unwrap().to_owned();
    let mut ids: Vec<String> = page["Items"].as_array().unwrap().iter().map(id).collect();
    ids.sort();
    ids
}

fn at(ms: u64) -> String {
    format!(r#""RestoreDateTime":{}"#, ms as f64 / 1000.0)
}

#[test]
fn recovery_is_enabled_changed_and_disabled_and_survives_a_restart() {
    let kept = Kept::new();
    let disabled = expect![[
        r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}"#
    ]];
    disabled.assert_eq(&kept.world.answer("DescribeContinuousBackups", LEAGUE));
    kept.clock.advance_ms(60_000);
    let enabled = kept.world.answer("UpdateContinuousBackups", ENABLE);
    // The earliest time is in whole seconds, as clients send it, and never later than now.
    expect![[r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":35,"EarliestRestorableDateTime":1791500911.275,"LatestRestorableDateTime":1791500911.275}}}"#]]
        .assert_eq(&enabled);
    let kept = kept.reopened();
    kept.clock.advance_ms(3_600_000);
    let described = kept.world.answer("DescribeContinuousBackups", LEAGUE);
    expect![[r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":35,"EarliestRestorableDateTime":1791500912.0,"LatestRestorableDateTime":1791504511.275}}}"#]]
        .assert_eq(&described);
    let shorter = ENABLE.replace("true", r#"true,"RecoveryPeriodInDays":1"#);
    kept.world.answer("UpdateContinuousBackups", &shorter);
    kept.clock.advance_ms(10 * 24 * 3_600_000);
    let described = kept.world.answer("DescribeContinuousBackups", LEAGUE);
    expect![[r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":1,"EarliestRestorableDateTime":1792282112.0,"LatestRestorableDateTime":1792368511.275}}}"#]]
        .assert_eq(&described);
    let disable = ENABLE.replace("true", "false");
    disabled.assert_eq(&kept.world.answer("UpdateContinuousBackups", &disable));
    let kept = kept.reopened();
    disabled.assert_eq(&kept.world.answer("DescribeContinuousBackups", LEAGUE));
}

#[test]
fn a_table_is_restored_as_it_was_at_any_time_with_and_without_a_backup() {
    let kept = Kept::new();
    kept.world.answer("UpdateContinuousBackups", ENABLE);
    let one = kept.put("1", "a");
    let two = kept.put("2", "b");
    kept.lifecycle.back_up_all("nightly", &Control::default()).unwrap();
    kept.clock.advance_ms(10_000);
    kept.world.answer("DeleteItem", r#"{"TableName":"league","Key":{"id":{"S":"1"}}}"#);
    let three = kept.put("3", "b");
    let kept = kept.reopened();
    let described = kept.restore("at-one", &at(one));
    let described: Value = serde_json::from_str(&described).unwrap();
    let summary = &described["TableDescription"]["RestoreSummary"];
    let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/league";
    assert_eq!(summary["SourceTableArn"], arn);
    assert_eq!(summary["RestoreDateTime"], one as f64 / 1000.0);
    assert!(summary.get("SourceBackupArn").is_none(), "{described}");
    kept.restore("before-two", &at(two - 1));
    kept.restore("at-two", &at(two));
    kept.restore("at-three", &at(three));
    kept.restore("latest", r#""UseLatestRestorableTime":true"#);
    kept.restore("bare", &format!(r#"{},"GlobalSecondaryIndexOverride":[]"#, at(two)));
    for (table, expected) in [
        ("at-one", vec!["1"]),
        ("before-two", vec!["1"]),
        ("at-two", vec!["1", "2"]),
        ("at-three", vec!["2", "3"]),
        ("latest", vec!["2", "3"]),
        ("bare", vec!["1", "2"]),
    ] {
        assert_eq!(ids(&kept.world, table, ""), expected, "{table}");
        if table != "bare" {
            assert_eq!(ids(&kept.world, table, r#","IndexName":"by-team""#), expected, "{table}");
        }
    }
    let bare = kept.world.answer("DescribeTable", r#"{"TableName":"bare"}"#);
    assert!(!bare.contains("by-team") && bare.contains(r#""TableStatus":"ACTIVE""#), "{bare}");
    // As on AWS, a restored table has no recovery of its own.
    let recovery = kept.world.answer("DescribeContinuousBackups", r#"{"TableName":"bare"}"#);
    assert!(recovery.contains(r#""PointInTimeRecoveryStatus":"DISABLED""#), "{recovery}");
    assert!(kept.lifecycle.database().check().unwrap().is_clean());
    assert_eq!(kept.lifecycle.failures(), [""; 0]);
}

#[test]
fn a_deleted_table_leaves_a_backup_for_35_days() {
    let kept = Kept::new();
    kept.put("0", "a");
    kept.world.answer("UpdateContinuousBackups", ENABLE);
    kept.put("1", "a");
    let protect = r#"{"TableName":"league","DeletionProtectionEnabled":PROTECTED}"#;
    kept.world.answer("UpdateTable", &protect.replace("PROTECTED", "true"));
    let refused = kept.world.call("DeleteTable", LEAGUE.as_bytes());
    assert!(refused.contains(VALIDATION), "{refused}");
    kept.world.finish_jobs();
    let list = || kept.world.answer("ListBackups", r#"{"BackupType":"SYSTEM"}"#);
    let none = r#"{"BackupSummaries":[]}"#;
    assert_eq!(list(), none);
    kept.world.answer("UpdateTable", &protect.replace("PROTECTED", "false"));
    kept.world.answer("DeleteTable", LEAGUE);
    kept.world.finish_jobs();
    let listed: Value = serde_json::from_str(&list()).unwrap();
    let backup = &listed["BackupSummaries"][0];
    assert_eq!(backup["BackupName"], "league$DeletedTableBackup");
    assert_eq!(backup["BackupStatus"], "AVAILABLE");
    let arn = backup["BackupArn"].as_str().unwrap();
    let restore = format!(r#"{{"TargetTableName":"again","BackupArn":"{arn}"}}"#);
    kept.world.answer("RestoreTableFromBackup", &restore);
    kept.world.finish_jobs();
    assert_eq!(ids(&kept.world, "again", ""), ["0", "1"]);
    let schedule = Schedule {
        backup_every: Duration::from_secs(24 * 3600),
        keep: 1,
        drill_every: None,
        history: None,
    };
    let day_ms = 24 * 3_600_000;
    for (days, is_there) in [(34, true), (1, false)] {
        kept.clock.advance_ms(days * day_ms);
        kept.lifecycle.run_due(&schedule, &Control::default()).unwrap();
        assert_eq!(list() != none, is_there);
    }
    // A table without recovery leaves nothing.
    kept.world.answer("DeleteTable", r#"{"TableName":"again"}"#);
    kept.world.finish_jobs();
    assert_eq!(list(), none);
}

#[test]
fn times_that_cannot_be_restored_and_taken_names_are_refused() {
    let kept = Kept::new();
    let disabled = "Point in time recovery is not enabled for table 'league'";
    assert_eq!(
        kept.restore("new", r#""UseLatestRestorableTime":true"#),
        error_body("PointInTimeRecoveryUnavailableException", disabled)
    );
    let before = kept.put("1", "a");
    kept.clock.advance_ms(5_000);
    kept.world.answer("UpdateContinuousBackups", ENABLE);
    let now = kept.put("2", "a");
    let time = "An invalid restore time was specified. RestoreDateTime must be between \
        EarliestRestorableDateTime and LatestRestorableDateTime.";
    for ms in [0, before, now + 1_000] {
        let expected = error_body("InvalidRestoreTimeException", time);
        assert_eq!(kept.restore("new", &at(ms)), expected, "{ms}");
    }
    let taken = error_body("TableAlreadyExistsException", "Table already exists: league");
    assert_eq!(kept.restore("league", &at(now)), taken);
    kept.world.answer("DeleteTable", LEAGUE);
    let gone = error_body("TableNotFoundException", "Table not found: league");
    assert_eq!(kept.restore("new", &at(now)), gone);
    // Another table of the same name has a history of its own.
    kept.world.answer("CreateTable", CREATE);
    kept.world.answer("UpdateContinuousBackups", ENABLE);
    assert_eq!(kept.restore("new", &at(now - 1)), error_body("InvalidRestoreTimeException", time));
}

#[test]
fn malformed_requests_and_servers_without_a_log_refuse() {
    let null = |path: &str| {
        format!(
            "1 validation error detected: Value null at '{path}' failed to satisfy constraint: \
             Member must not be null"
        )
    };
    let bounds = |days: &str, rule: &str| {
        format!(
            "1 validation error detected: Value '{days}' at \
             'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy constraint: \
             Member must have value {rule}"
        )
    };
    let days =
        |days: &str| ENABLE.replace("true", &format!(r#"true,"RecoveryPeriodInDays":{days}"#));
    let restore = |more: &str| format!(r#"{{"TargetTableName":"new"{more}}}"#);
    let both = r#","SourceTableName":"league","UseLatestRestorableTime":true,"RestoreDateTime":1"#;
    let sources = r#","SourceTableName":"league","SourceTableArn":"league""#;
    let operation = "RestoreTableToPointInTime";
    check_refusals(&[
        (operation, r#"{"SourceTableName":"league"}"#, VALIDATION, &null("targetTableName")),
        (
            operation,
            &restore(""),
            VALIDATION,
            "One of the parameters must be specified: SourceTableName or SourceTableArn",
        ),
        (
            operation,
            &restore(sources),
            VALIDATION,
            "Only one of the parameters can be specified: SourceTableName or SourceTableArn",
        ),
        (
            operation,
            &restore(r#","SourceTableName":"league""#),
            VALIDATION,
            "One of the parameters must be specified: RestoreDateTime or UseLatestRestorableTime",
        ),
        (
            operation,
            &restore(both),
            VALIDATION,
            "Only one of the parameters can be specified: RestoreDateTime or UseLatestRestorableTime",
        ),
        (
            operation,
            &restore(r#","SourceTableName":"league","RestoreDateTime":1"#),
            "PointInTimeRecoveryUnavailableException",
            "Point in time recovery is not enabled for table 'league'",
        ),
        (
            "UpdateContinuousBackups",
            &days("0"),
            VALIDATION,
            &bounds("0", "greater than or equal to 1"),
        ),
        (
            "UpdateContinuousBackups",
            &days("36"),
            VALIDATION,
            &bounds("36", "less than or equal to 35"),
        ),
        (
            "UpdateContinuousBackups",
            ENABLE,
            "ContinuousBackupsUnavailableException",
            "Continuous backups are not available: the server does not keep its log of commits (serve --keep-log)",
        ),
    ]);
}
