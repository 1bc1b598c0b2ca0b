//! Unsupported features: queries return valid empty results, changes are refused with a clear
//! error.

use expect_test::{Expect, expect};

use crate::fixture::{World, check_refusals};

const BACKUP: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/plain/backup/01";
const TABLE: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/plain";
const VALIDATION: &str = "ValidationException";
const NOT_FOUND: &str = "ResourceNotFoundException";

#[track_caller]
fn check(operation: &str, body: &str, expected: Expect) {
    expected.assert_eq(&World::new().call(operation, body.as_bytes()));
}

#[test]
fn queries_about_the_account_return_empty_results() {
    check(
        "DescribeLimits",
        "{}",
        expect![[
            r#"{"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000}"#
        ]],
    );
    check("ListBackups", "{}", expect![[r#"{"BackupSummaries":[]}"#]]);
    check(
        "ListBackups",
        r#"{"TableName":"nowhere","Limit":10}"#,
        expect![[r#"{"BackupSummaries":[]}"#]],
    );
    check(
        "ListGlobalTables",
        r#"{"Limit":10,"RegionName":"us-east-1"}"#,
        expect![[r#"{"GlobalTables":[]}"#]],
    );
    check(
        "ListBulkOperations",
        r#"{"MaxResults":25}"#,
        expect![[r#"{"BulkOperationsSummaryList":[]}"#]],
    );
    check("ListExports", "{}", expect![[r#"{"ExportSummaries":[]}"#]]);
    check("ListImports", r#"{"PageSize":25}"#, expect![[r#"{"ImportSummaryList":[]}"#]]);
    check("ListContributorInsights", "{}", expect![[r#"{"ContributorInsightsSummaries":[]}"#]]);
}

#[test]
fn queries_about_a_table_return_empty_results() {
    let plain = r#"{"TableName":"plain"}"#;
    check(
        "DescribeContinuousBackups",
        plain,
        expect![[
            r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}"#
        ]],
    );
    check(
        "DescribeTableReplicaAutoScaling",
        plain,
        expect![[
            r#"{"TableAutoScalingDescription":{"TableName":"plain","TableStatus":"ACTIVE","Replicas":[]}}"#
        ]],
    );
    check(
        "DescribeKinesisStreamingDestination",
        plain,
        expect![[r#"{"TableName":"plain","KinesisDataStreamDestinations":[]}"#]],
    );
    check(
        "DescribeContributorInsights",
        plain,
        expect![[r#"{"TableName":"plain","ContributorInsightsStatus":"DISABLED"}"#]],
    );
    check("ListContributorInsights", plain, expect![[r#"{"ContributorInsightsSummaries":[]}"#]]);
    let index = r#"{"TableName":"league","IndexName":"by-city"}"#;
    check(
        "DescribeContributorInsights",
        index,
        expect![[
            r#"{"TableName":"league","IndexName":"by-city","ContributorInsightsStatus":"DISABLED"}"#
        ]],
    );
}

#[test]
fn requests_for_the_current_state_succeed() {
    let body = r#"{"TableName":"plain",
        "PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":false}}"#;
    check(
        "UpdateContinuousBackups",
        body,
        expect![[
            r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED","PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}"#
        ]],
    );
    let body = r#"{"TableName":"plain","ContributorInsightsAction":"DISABLE"}"#;
    check(
        "UpdateContributorInsights",
        body,
        expect![[r#"{"TableName":"plain","ContributorInsightsStatus":"DISABLED"}"#]],
    );
    check("DeleteResourcePolicy", &format!(r#"{{"ResourceArn":"{TABLE}"}}"#), expect![["{}"]]);
}

#[test]
fn missing_tables_are_not_found() {
    let body = r#"{"TableName":"nowhere","ContributorInsightsAction":"ENABLE",
        "PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}"#;
    for operation in ["DescribeContinuousBackups", "UpdateContinuousBackups"] {
        let message = "Table not found: nowhere";
        check_refusals(&[(operation, body, "TableNotFoundException", message)]);
    }
    for operation in [
        "DescribeTableReplicaAutoScaling",
        "DescribeKinesisStreamingDestination",
        "DescribeContributorInsights",
        "UpdateContributorInsights",
        "ListContributorInsights",
    ] {
        let message = "Requested resource not found: Table: nowhere not found";
        check_refusals(&[(operation, body, NOT_FOUND, message)]);
    }
    let body = r#"{"TableName":"league","IndexName":"by-none"}"#;
    let message = "Requested resource not found: Index by-none for table league";
    check_refusals(&[("DescribeContributorInsights", body, NOT_FOUND, message)]);
}

#[test]
fn missing_resources_are_not_found() {
    let nowhere = TABLE.replace("plain", "nowhere");
    let stream = format!("{TABLE}/stream/2026");
    let resource = |arn: &str| format!(r#"{{"ResourceArn":"{arn}"}}"#);
    let no_resource =
        |arn: &str| format!("Requested resource not found: ResourceArn: {arn} not found");
    let no_policy =
        format!("Resource-based policy not found for the provided ResourceArn: {TABLE}");
    let bulk = format!(r#"{{"BulkOperationArn":"{BACKUP}"}}"#);
    let no_bulk = format!("Requested resource not found: Bulk operation: {BACKUP} not found");
    let global = r#"{"GlobalTableName":"plain"}"#;
    let no_global = "Global table with name: 'plain' does not exist.";
    check_refusals(&[
        (
            "DescribeBackup",
            &format!(r#"{{"BackupArn":"{BACKUP}"}}"#),
            "BackupNotFoundException",
            &format!("Backup not found: {BACKUP}"),
        ),
        (
            "DescribeExport",
            &format!(r#"{{"ExportArn":"{BACKUP}"}}"#),
            "ExportNotFoundException",
            &format!("Export not found: {BACKUP}"),
        ),
        (
            "DescribeImport",
            &format!(r#"{{"ImportArn":"{BACKUP}"}}"#),
            "ImportNotFoundException",
            &format!("Import not found: {BACKUP}"),
        ),
        ("DescribeBulkOperation", &bulk, NOT_FOUND, &no_bulk),
        ("CancelBulkOperation", &bulk, NOT_FOUND, &no_bulk),
        ("DescribeGlobalTable", global, "GlobalTableNotFoundException", no_global),
        ("DescribeGlobalTableSettings", global, "GlobalTableNotFoundException", no_global),
        ("GetResourcePolicy", &resource(TABLE), "PolicyNotFoundException", &no_policy),
        ("GetResourcePolicy", &resource(&nowhere), NOT_FOUND, &no_resource(&nowhere)),
        ("GetResourcePolicy", &resource(&stream), NOT_FOUND, &no_resource(&stream)),
        ("DeleteResourcePolicy", &resource(&nowhere), NOT_FOUND, &no_resource(&nowhere)),
    ]);
}

#[test]
fn malformed_queries_are_refused() {
    let null = |path: &str| {
        format!(
            "1 validation error detected: Value null at '{path}' failed to satisfy constraint: \
             Member must not be null"
        )
    };
    for (operation, path) in [
        ("DescribeBackup", "backupArn"),
        ("DescribeExport", "exportArn"),
        ("DescribeImport", "importArn"),
        ("DescribeBulkOperation", "bulkOperationArn"),
        ("CancelBulkOperation", "bulkOperationArn"),
        ("DescribeGlobalTable", "globalTableName"),
        ("DescribeGlobalTableSettings", "globalTableName"),
        ("GetResourcePolicy", "resourceArn"),
        ("DeleteResourcePolicy", "resourceArn"),
        ("UpdateContinuousBackups", "pointInTimeRecoverySpecification"),
        ("UpdateContributorInsights", "contributorInsightsAction"),
    ] {
        check_refusals(&[(operation, "{}", VALIDATION, &null(path))]);
    }
    let body = r#"{"TableName":"plain","PointInTimeRecoverySpecification":{}}"#;
    let path = "pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled";
    check_refusals(&[
        ("UpdateContinuousBackups", body, VALIDATION, &null(path)),
        (
            "ListExports",
            r#"{"MaxResults":26}"#,
            VALIDATION,
            "1 validation error detected: Value '26' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 25",
        ),
        (
            "UpdateContributorInsights",
            r#"{"TableName":"plain","ContributorInsightsAction":"ON"}"#,
            VALIDATION,
            "1 validation error detected: Value 'ON' at 'contributorInsightsAction' failed to satisfy constraint: Member must satisfy enum value set: [ENABLE, DISABLE]",
        ),
        (
            "GetResourcePolicy",
            r#"{"ResourceArn":"plain"}"#,
            VALIDATION,
            "One or more parameter values were invalid: ARNs must start with 'arn:': plain",
        ),
    ]);
}

const NO_GLOBAL_TABLES: &str = "A global table is not supported by this server: it is one region.";
const NO_VECTORS: &str = "A vector index is not supported by this server: use a global or local \
    secondary index instead.";
const NO_KINESIS: &str = "Sending changes to Kinesis is not supported by this server: read them with \
    DynamoDB Streams instead.";

#[test]
fn operations_on_unsupported_features_are_refused() {
    for (operation, message) in [
        ("CreateGlobalTable", NO_GLOBAL_TABLES),
        ("UpdateGlobalTable", NO_GLOBAL_TABLES),
        ("UpdateGlobalTableSettings", NO_GLOBAL_TABLES),
        ("EnableKinesisStreamingDestination", NO_KINESIS),
        ("DisableKinesisStreamingDestination", NO_KINESIS),
        ("UpdateKinesisStreamingDestination", NO_KINESIS),
        (
            "UpdateTableReplicaAutoScaling",
            "Auto scaling of replicas is not supported by this server: it has neither replicas nor \
             auto scaling.",
        ),
        ("SearchVectors", NO_VECTORS),
    ] {
        assert!(message.contains("is not supported"), "clients look for these words");
        check_refusals(&[(operation, "{}", VALIDATION, message)]);
    }
}

#[test]
fn unsupported_settings_are_refused() {
    let create = |more: &str| {
        format!(
            r#"{{"TableName":"fresh","BillingMode":"PAY_PER_REQUEST",
                "AttributeDefinitions":[{{"AttributeName":"id","AttributeType":"S"}}],
                "KeySchema":[{{"AttributeName":"id","KeyType":"HASH"}}],{more}}}"#
        )
    };
    let update = |more: &str| format!(r#"{{"TableName":"league",{more}}}"#);
    let replicas = "A replica in another region is not supported by this server: it is one region.";
    check_refusals(&[
        ("CreateTable", &create(r#""VectorIndexes":[{}]"#), VALIDATION, NO_VECTORS),
        ("CreateTable", &create(r#""GlobalTableSourceArn":"arn:x""#), VALIDATION, replicas),
        ("UpdateTable", &update(r#""ReplicaUpdates":[{}]"#), VALIDATION, replicas),
        ("UpdateTable", &update(r#""MultiRegionConsistency":"STRONG""#), VALIDATION, replicas),
        ("UpdateTable", &update(r#""VectorIndexUpdates":[{}]"#), VALIDATION, NO_VECTORS),
        ("UpdateTable", &update(r#""DisassociationProtectionEnabled":true"#), VALIDATION, replicas),
    ]);
}
