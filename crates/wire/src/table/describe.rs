//! `TableDescription`.

use monotable_engine::{
    BillingMode, IndexDescription, IndexStatus, ProvisionedThroughput, TableClass,
    TableDescription, TableStatus, TableStream,
};
use monotable_types::{AttributeDefinition, KeySchemaElement, Projection};

use super::stream::stream_view_type_name;
use crate::json::Writer;

/// What AWS shows for every new table on demand; nothing here is limited to it.
const ON_DEMAND_WARM_UNITS: ProvisionedThroughput =
    ProvisionedThroughput { read_capacity_units: 12_000, write_capacity_units: 4_000 };

/// AWS's word for a table's state.
pub(crate) fn table_status_name(status: TableStatus) -> &'static str {
    match status {
        TableStatus::Creating => "CREATING",
        TableStatus::Active => "ACTIVE",
        TableStatus::Updating => "UPDATING",
        TableStatus::Deleting => "DELETING",
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

/// Writes the member `name` with everything that is known of a table.
pub(crate) fn write_table(json: &mut Writer<'_>, name: &str, table: &TableDescription) {
    json.object_member(name, |json| write_members(json, table));
}

fn write_members(json: &mut Writer<'_>, table: &TableDescription) {
    json.objects_member("AttributeDefinitions", &table.attribute_definitions, write_definition);
    json.text_member("TableName", &table.table_name);
    write_key_schema(json, &table.key_schema);
    json.text_member("TableStatus", table_status_name(table.table_status));
    json.moment_member("CreationDateTime", table.creation_ms);
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
    json.boolean_member("DeletionProtectionEnabled", table.deletion_protection);
    let status = match table.table_status {
        TableStatus::Creating => "CREATING",
        TableStatus::Active | TableStatus::Updating | TableStatus::Deleting => "ACTIVE",
    };
    write_warm_throughput(json, table.billing_mode, table.provisioned_throughput, status);
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

fn write_warm_throughput(
    json: &mut Writer<'_>,
    billing_mode: BillingMode,
    provisioned: ProvisionedThroughput,
    status: &str,
) {
    let units = match billing_mode {
        BillingMode::PayPerRequest => ON_DEMAND_WARM_UNITS,
        BillingMode::Provisioned => provisioned,
    };
    json.object_member("WarmThroughput", |json| {
        json.integer_member("ReadUnitsPerSecond", units.read_capacity_units);
        json.integer_member("WriteUnitsPerSecond", units.write_capacity_units);
        json.text_member("Status", status);
    });
}

/// What local and global indexes have in common.
fn write_index_members(json: &mut Writer<'_>, index: &IndexDescription) {
    json.text_member("IndexName", &index.index_name);
    write_key_schema(json, &index.key_schema);
    json.object_member("Projection", |json| {
        json.text_member("ProjectionType", index.projection.type_str());
        if let Projection::Include(names) = &index.projection {
            json.array_member("NonKeyAttributes", names, |json, name| json.string(name));
        }
    });
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
    // Indexes that come with their table are never said to be filled.
    if index.index_status == IndexStatus::Creating && table.table_status != TableStatus::Creating {
        json.boolean_member("Backfilling", index.backfilling);
    }
    write_throughput(json, index.provisioned_throughput);
    let status = match index.index_status {
        IndexStatus::Creating => "CREATING",
        IndexStatus::Active | IndexStatus::Updating | IndexStatus::Deleting => "ACTIVE",
    };
    write_warm_throughput(json, table.billing_mode, index.provisioned_throughput, status);
}

/// The specification is there only while there is a stream; its names stay.
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
