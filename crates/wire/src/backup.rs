//! `ContinuousBackupsDescription`, `BackupDetails` and `BackupDescription`.

use monotable_engine::{Encryption, IndexDescription};
use monotable_lifecycle::{BackupDescription, ContinuousBackups};

use crate::json::Writer;
use crate::table::{stream_view_type_name, write_index_definition, write_key_schema};

/// What continuous backups are without a lifecycle.
pub(crate) const NO_RECOVERY: ContinuousBackups =
    ContinuousBackups { is_available: false, recovery: None };

/// Writes `ContinuousBackupsDescription`.
pub(crate) fn write_continuous_backups(json: &mut Writer<'_>, backups: &ContinuousBackups) {
    let status = |is_enabled| if is_enabled { "ENABLED" } else { "DISABLED" };
    json.object_member("ContinuousBackupsDescription", |json| {
        json.text_member("ContinuousBackupsStatus", status(backups.is_available));
        json.object_member("PointInTimeRecoveryDescription", |json| {
            json.text_member("PointInTimeRecoveryStatus", status(backups.recovery.is_some()));
            let Some(recovery) = &backups.recovery else { return };
            json.integer_member("RecoveryPeriodInDays", recovery.period_days);
            if let Some(times_ms) = &recovery.times_ms {
                json.moment_member("EarliestRestorableDateTime", *times_ms.start());
                json.moment_member("LatestRestorableDateTime", *times_ms.end());
            }
        });
    });
}

/// Writes `BackupDetails`.
pub(crate) fn write_details(json: &mut Writer<'_>, backup: &BackupDescription) {
    json.object_member("BackupDetails", |json| {
        json.text_member("BackupArn", &backup.arn);
        json.text_member("BackupName", &backup.name);
        write_state(json, backup);
    });
}

fn write_state(json: &mut Writer<'_>, backup: &BackupDescription) {
    json.moment_member("BackupCreationDateTime", backup.creation_ms);
    if let Some(expiry_ms) = backup.expiry_ms {
        json.moment_member("BackupExpiryDateTime", expiry_ms);
    }
    json.text_member("BackupStatus", backup.status.as_str());
    json.text_member("BackupType", backup.kind.as_str());
    if let Some(size_bytes) = backup.size_bytes {
        json.integer_member("BackupSizeBytes", size_bytes);
    }
}

/// Writes the members of a `BackupSummary`.
pub(crate) fn write_summary(json: &mut Writer<'_>, backup: &BackupDescription) {
    json.text_member("TableName", &backup.table.table_name);
    json.text_member("TableId", &backup.table.table_id);
    json.text_member("TableArn", &backup.table.table_arn);
    json.text_member("BackupArn", &backup.arn);
    json.text_member("BackupName", &backup.name);
    write_state(json, backup);
}

/// Writes `BackupDescription`.
pub(crate) fn write_backup(json: &mut Writer<'_>, backup: &BackupDescription) {
    let table = &backup.table;
    json.object_member("BackupDescription", |json| {
        write_details(json, backup);
        json.object_member("SourceTableDetails", |json| {
            json.text_member("TableName", &table.table_name);
            json.text_member("TableId", &table.table_id);
            json.text_member("TableArn", &table.table_arn);
            json.integer_member("TableSizeBytes", table.table_size_bytes);
            write_key_schema(json, &table.key_schema);
            json.moment_member("TableCreationDateTime", table.creation_ms);
            json.object_member("ProvisionedThroughput", |json| {
                let units = table.provisioned_throughput;
                json.integer_member("ReadCapacityUnits", units.read_capacity_units);
                json.integer_member("WriteCapacityUnits", units.write_capacity_units);
            });
            json.integer_member("ItemCount", table.item_count);
            json.text_member("BillingMode", crate::table::billing_mode_name(table.billing_mode));
        });
        json.object_member("SourceTableFeatureDetails", |json| write_features(json, backup));
    });
}

fn write_features(json: &mut Writer<'_>, backup: &BackupDescription) {
    let table = &backup.table;
    if !table.local_secondary_indexes.is_empty() {
        let indexes = &table.local_secondary_indexes;
        json.objects_member("LocalSecondaryIndexes", indexes, write_index_definition);
    }
    if !table.global_secondary_indexes.is_empty() {
        let indexes = &table.global_secondary_indexes;
        json.objects_member("GlobalSecondaryIndexes", indexes, write_global_index);
    }
    if let Some(stream) = table.stream.as_ref().filter(|stream| stream.enabled) {
        json.object_member("StreamDescription", |json| {
            json.boolean_member("StreamEnabled", true);
            json.text_member("StreamViewType", stream_view_type_name(stream.view_type));
        });
    }
    if let Some(attribute) = &backup.ttl_attribute {
        json.object_member("TimeToLiveDescription", |json| {
            json.text_member("TimeToLiveStatus", "ENABLED");
            json.text_member("AttributeName", attribute);
        });
    }
    if let (Encryption::Kms { .. }, Some(key_arn)) = (&backup.encryption, &table.kms_key_arn) {
        json.object_member("SSEDescription", |json| {
            json.text_member("Status", "ENABLED");
            json.text_member("SSEType", "KMS");
            json.text_member("KMSMasterKeyArn", key_arn);
        });
    }
}

fn write_global_index(json: &mut Writer<'_>, index: &IndexDescription) {
    write_index_definition(json, index);
    json.object_member("ProvisionedThroughput", |json| {
        let units = index.provisioned_throughput;
        json.integer_member("ReadCapacityUnits", units.read_capacity_units);
        json.integer_member("WriteCapacityUnits", units.write_capacity_units);
    });
}
