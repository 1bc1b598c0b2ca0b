//! `TableDescription`.

use monotable_engine::{
    BillingMode, IndexDescription, IndexStatus, OnDemandThroughput, ProvisionedThroughput,
    TableClass, TableDescription, TableStatus, TableStream,
};
use monotable_types::{AttributeDefinition, KeySchemaElement, Projection};

use super::stream::stream_view_type_name;
use crate::json::Writer;

/// Returns AWS's name of a table's state.
pub(crate) fn table_status_name(status: TableStatus) -> &'static str {
    match status {
        TableStatus::Creating => "CREATING",
        TableStatus::Active => "ACTIVE",
        TableStatus::Updating => "UPDATING",
        TableStatus::Deleting => "DELETING",
    }
}

/// Returns AWS's name of a billing mode.
pub(crate) fn billing_mode_name(mode: BillingMode) -> &'static str {
    match mode {
        BillingMode::Provisioned => "PROVISIONED",
        BillingMode::PayPerRequest => "PAY_PER_REQUEST",
    }
}

fn index_status_name(status: IndexStatus) -> &'static str {
    match status {
        IndexStatus::Creating => "CREATING",
        IndexStatus::Active => "ACTIVE",
        IndexStatus::Updating => "UPDATING",
        IndexStatus::Deleting => "DELETING",
    }
}

/// Writes the member `name` with the full description of a table.
pub(crate) fn write_table(json: &mut Writer<'_>, name: &str, table: &TableDescription) {
    json.object_member(name, |json| write_members(json, table));
}

/// Writes `TableDescription` of a table that is being deleted. AWS leaves out its keys, indexes,
/// streams and creation time.
pub(crate) fn write_deleted_table(json: &mut Writer<'_>, table: &TableDescription) {
    json.object_member("TableDescription", |json| {
        json.text_member("TableName", &table.table_name);
        json.text_member("TableStatus", table_status_name(table.table_status));
        write_size_and_billing(json, table);
        json.boolean_member("DeletionProtectionEnabled", table.deletion_protection);
    });
}

fn write_size_and_billing(json: &mut Writer<'_>, table: &TableDescription) {
    write_throughput(json, table.provisioned_throughput);
    json.integer_member("TableSizeBytes", table.table_size_bytes);
    json.integer_member("ItemCount", table.item_count);
    json.text_member("TableArn", &table.table_arn);
    json.text_member("TableId", &table.table_id);
    if table.billing_mode == BillingMode::PayPerRequest {
        json.object_member("BillingModeSummary", |json| {
            json.text_member("BillingMode", "PAY_PER_REQUEST");
        });
    }
}

fn write_members(json: &mut Writer<'_>, table: &TableDescription) {
    json.objects_member("AttributeDefinitions", &table.attribute_definitions, write_definition);
    json.text_member("TableName", &table.table_name);
    write_key_schema(json, &table.key_schema);
    json.text_member("TableStatus", table_status_name(table.table_status));
    json.moment_member("CreationDateTime", table.creation_ms);
    write_size_and_billing(json, table);
    if !table.local_secondary_indexes.is_empty() {
        let indexes = &table.local_secondary_indexes;
        json.objects_member("LocalSecondaryIndexes", indexes, write_index_members);
    }
    if !table.global_secondary_indexes.is_empty() {
        let indexes = &table.global_secondary_indexes;
        json.objects_member("GlobalSecondaryIndexes", indexes, |json, index| {
            write_global_index_members(json, index, table);
        });
    }
    if let Some(stream) = &table.stream {
        write_stream(json, stream);
    }
    if table.table_class == TableClass::StandardInfrequentAccess {
        json.object_member("TableClassSummary", |json| {
            json.text_member("TableClass", "STANDARD_INFREQUENT_ACCESS");
        });
    }
    if let Some(key_arn) = &table.kms_key_arn {
        json.object_member("SSEDescription", |json| {
            json.text_member("Status", "ENABLED");
            json.text_member("SSEType", "KMS");
            json.text_member("KMSMasterKeyArn", key_arn);
        });
    }
    json.boolean_member("DeletionProtectionEnabled", table.deletion_protection);
    write_restore(json, table);
    write_on_demand(json, table.on_demand_throughput);
    let status = match table.table_status {
        TableStatus::Creating => "CREATING",
        TableStatus::Active | TableStatus::Updating | TableStatus::Deleting => "ACTIVE",
    };
    write_warm_throughput(json, table.warm_throughput, status);
}

fn write_definition(json: &mut Writer<'_>, definition: &AttributeDefinition) {
    json.text_member("AttributeName", &definition.name);
    json.text_member("AttributeType", definition.scalar_type.as_str());
}

/// Writes `KeySchema`.
pub(crate) fn write_key_schema(json: &mut Writer<'_>, schema: &[KeySchemaElement]) {
    json.objects_member("KeySchema", schema, |json, element| {
        json.text_member("AttributeName", &element.attribute_name);
        json.text_member("KeyType", element.key_type.as_str());
    });
}

fn write_throughput(json: &mut Writer<'_>, throughput: ProvisionedThroughput) {
    json.object_member("ProvisionedThroughput", |json| {
        json.integer_member("NumberOfDecreasesToday", 0);
        json.integer_member("ReadCapacityUnits", throughput.read_capacity_units);
        json.integer_member("WriteCapacityUnits", throughput.write_capacity_units);
    });
}

/// Writes what the table was restored from, if anything.
fn write_restore(json: &mut Writer<'_>, table: &TableDescription) {
    let Some(load) = &table.load else { return };
    let Some(source) = &load.source else { return };
    json.object_member("RestoreSummary", |json| {
        json.optional_text_member("SourceBackupArn", source.backup_arn.as_deref());
        json.text_member("SourceTableArn", &source.table_arn);
        json.moment_member("RestoreDateTime", source.restore_ms);
        json.boolean_member("RestoreInProgress", load.in_progress);
    });
}

/// Writes the limits on demand, if there are any. A limit that is not set is written as -1.
fn write_on_demand(json: &mut Writer<'_>, limits: OnDemandThroughput) {
    if limits == OnDemandThroughput::default() {
        return;
    }
    json.object_member("OnDemandThroughput", |json| {
        json.integer_member("MaxReadRequestUnits", limits.max_read_request_units.unwrap_or(-1));
        json.integer_member("MaxWriteRequestUnits", limits.max_write_request_units.unwrap_or(-1));
    });
}

fn write_warm_throughput(json: &mut Writer<'_>, units: ProvisionedThroughput, status: &str) {
    json.object_member("WarmThroughput", |json| {
        json.integer_member("ReadUnitsPerSecond", units.read_capacity_units);
        json.integer_member("WriteUnitsPerSecond", units.write_capacity_units);
        json.text_member("Status", status);
    });
}

/// Writes the name, keys and projection of an index.
pub(crate) fn write_index_definition(json: &mut Writer<'_>, index: &IndexDescription) {
    json.text_member("IndexName", &index.index_name);
    write_key_schema(json, &index.key_schema);
    json.object_member("Projection", |json| {
        json.text_member("ProjectionType", index.projection.type_str());
        if let Projection::Include(names) = &index.projection {
            json.array_member("NonKeyAttributes", names, |json, name| json.string(name));
        }
    });
}

/// Writes what local and global indexes have in common.
fn write_index_members(json: &mut Writer<'_>, index: &IndexDescription) {
    write_index_definition(json, index);
    json.integer_member("IndexSizeBytes", index.index_size_bytes);
    json.integer_member("ItemCount", index.item_count);
    json.text_member("IndexArn", &index.index_arn);
}

fn write_global_index_members(
    json: &mut Writer<'_>,
    index: &IndexDescription,
    table: &TableDescription,
) {
    write_index_members(json, index);
    json.text_member("IndexStatus", index_status_name(index.index_status));
    // AWS reports no backfilling for indexes that are created with their table.
    if index.index_status == IndexStatus::Creating && table.table_status != TableStatus::Creating {
        json.boolean_member("Backfilling", index.backfilling);
    }
    write_throughput(json, index.provisioned_throughput);
    write_on_demand(json, index.on_demand_throughput);
    let status = match index.index_status {
        IndexStatus::Creating => "CREATING",
        IndexStatus::Active | IndexStatus::Updating | IndexStatus::Deleting => "ACTIVE",
    };
    write_warm_throughput(json, index.warm_throughput, status);
}

/// Writes the stream: its specification only while it is enabled, its names also afterwards.
fn write_stream(json: &mut Writer<'_>, stream: &TableStream) {
    if stream.enabled {
        json.object_member("StreamSpecification", |json| {
            json.boolean_member("StreamEnabled", true);
            json.text_member("StreamViewType", stream_view_type_name(stream.view_type));
        });
    }
    json.text_member("LatestStreamLabel", &stream.stream_label);
    json.text_member("LatestStreamArn", &stream.stream_arn);
}
