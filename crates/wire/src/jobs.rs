//! `ExportDescription`, `ImportTableDescription` and `BulkOperationDescription`.

use monotable_lifecycle::{BulkJob, ExportJob, ImportJob};

use crate::json::Writer;

/// Writes `ExportDescription`.
pub(crate) fn write_export(json: &mut Writer<'_>, export: &ExportJob) {
    json.object_member("ExportDescription", |json| {
        json.text_member("ExportArn", &export.arn());
        json.text_member("ExportStatus", export.status.as_str());
        json.moment_member("StartTime", export.start_ms);
        json.optional_moment_member("EndTime", export.end_ms);
        json.optional_text_member("ExportManifest", export.manifest.as_deref());
        json.text_member("TableArn", &export.table_arn);
        json.text_member("TableId", &export.table_id);
        if export.incremental.is_none() {
            json.moment_member("ExportTime", export.export_ms);
        }
        let token = export.token.as_ref().map(|token| token.text.as_str());
        json.optional_text_member("ClientToken", token);
        json.text_member("S3Bucket", &export.bucket);
        json.optional_text_member("S3BucketOwner", export.bucket_owner.as_deref());
        json.optional_text_member("S3Prefix", export.prefix.as_deref());
        json.text_member("S3SseAlgorithm", export.sse_algorithm.as_deref().unwrap_or("AES256"));
        json.optional_text_member("S3SseKmsKeyId", export.sse_key.as_deref());
        json.optional_text_member("FailureCode", export.failure_code.as_deref());
        json.optional_text_member("FailureMessage", export.failure_message.as_deref());
        json.text_member("ExportFormat", export.format.as_str());
        if export.end_ms.is_some() {
            json.integer_member("BilledSizeBytes", export.billed_bytes);
            json.integer_member("ItemCount", export.items);
        }
        json.text_member("ExportType", export_type(export));
        if let Some(incremental) = &export.incremental {
            json.object_member("IncrementalExportSpecification", |json| {
                json.moment_member("ExportFromTime", incremental.from_ms);
                json.moment_member("ExportToTime", incremental.to_ms);
                json.text_member("ExportViewType", incremental.view.as_str());
            });
        }
        json.raw_member("FilterSpecification", export.filter.as_deref());
    });
}

fn export_type(export: &ExportJob) -> &'static str {
    if export.incremental.is_some() { "INCREMENTAL_EXPORT" } else { "FULL_EXPORT" }
}

/// Writes the members of an `ExportSummary`.
pub(crate) fn write_export_summary(json: &mut Writer<'_>, export: &ExportJob) {
    json.text_member("ExportArn", &export.arn());
    json.text_member("ExportStatus", export.status.as_str());
    json.text_member("ExportType", export_type(export));
}

fn write_source(json: &mut Writer<'_>, import: &ImportJob) {
    json.object_member("S3BucketSource", |json| {
        json.optional_text_member("S3BucketOwner", import.bucket_owner.as_deref());
        json.text_member("S3Bucket", &import.bucket);
        json.optional_text_member("S3KeyPrefix", import.prefix.as_deref());
    });
}

/// Writes `ImportTableDescription`.
pub(crate) fn write_import(json: &mut Writer<'_>, import: &ImportJob) {
    json.object_member("ImportTableDescription", |json| {
        json.text_member("ImportArn", &import.arn());
        json.text_member("ImportStatus", import.status.as_str());
        json.text_member("TableArn", &import.table_arn);
        if !import.table_id.is_empty() {
            json.text_member("TableId", &import.table_id);
        }
        let token = import.token.as_ref().map(|token| token.text.as_str());
        json.optional_text_member("ClientToken", token);
        write_source(json, import);
        json.integer_member("ErrorCount", import.errors);
        json.text_member("CloudWatchLogGroupArn", &import.log_group_arn());
        json.text_member("InputFormat", import.format.as_str());
        if let Some(csv) = &import.csv {
            json.object_member("InputFormatOptions", |json| {
                json.object_member("Csv", |json| {
                    let delimiter = csv.delimiter.map(String::from);
                    json.optional_text_member("Delimiter", delimiter.as_deref());
                    if let Some(headers) = &csv.headers {
                        json.array_member("HeaderList", headers, |json, name| json.string(name));
                    }
                });
            });
        }
        let compression = import.compression.unwrap_or_default();
        json.text_member("InputCompressionType", compression.as_str());
        json.raw_member("TableCreationParameters", Some(&import.table_parameters));
        json.moment_member("StartTime", import.start_ms);
        json.optional_moment_member("EndTime", import.end_ms);
        json.integer_member("ProcessedSizeBytes", import.processed_bytes);
        json.integer_member("ProcessedItemCount", import.processed_items);
        json.integer_member("ImportedItemCount", import.imported_items);
        json.optional_text_member("FailureCode", import.failure_code.as_deref());
        json.optional_text_member("FailureMessage", import.failure_message.as_deref());
    });
}

/// Writes the members of an `ImportSummary`.
pub(crate) fn write_import_summary(json: &mut Writer<'_>, import: &ImportJob) {
    json.text_member("ImportArn", &import.arn());
    json.text_member("ImportStatus", import.status.as_str());
    json.text_member("TableArn", &import.table_arn);
    write_source(json, import);
    json.text_member("CloudWatchLogGroupArn", &import.log_group_arn());
    json.text_member("InputFormat", import.format.as_str());
    json.moment_member("StartTime", import.start_ms);
    json.optional_moment_member("EndTime", import.end_ms);
}

/// Writes `BulkOperationDescription`.
pub(crate) fn write_bulk(json: &mut Writer<'_>, bulk: &BulkJob) {
    json.object_member("BulkOperationDescription", |json| {
        json.text_member("BulkOperationArn", &bulk.arn());
        json.text_member("BulkOperationStatus", bulk.status.as_str());
        json.objects_member("TableDetails", [bulk], |json, bulk| {
            json.text_member("TableName", &bulk.table_name);
            json.text_member("TableId", &bulk.table_id);
        });
        let token = bulk.token.as_ref().map(|token| token.text.as_str());
        json.optional_text_member("ClientToken", token);
        json.raw_member("InputS3Configuration", Some(&bulk.input));
        json.raw_member("OutputS3Configuration", Some(&bulk.output));
        json.moment_member("StartTime", bulk.start_ms);
        json.optional_moment_member("EndTime", bulk.end_ms);
        json.integer_member("ProcessedItemCount", bulk.processed_items);
        json.integer_member("ProcessedInputBytes", bulk.processed_bytes);
        json.optional_integer_member("TotalInputBytes", bulk.total_bytes);
        json.integer_member("FailedItemCount", bulk.failed_items);
        json.optional_text_member("FailureCode", bulk.failure_code.as_deref());
        json.optional_text_member("FailureMessage", bulk.failure_message.as_deref());
        json.optional_integer_member("MaxWriteRequestUnits", bulk.units_max);
        json.text_member("PerformanceTier", &bulk.tier);
    });
}

/// Writes the members of a `BulkOperationSummary`.
pub(crate) fn write_bulk_summary(json: &mut Writer<'_>, bulk: &BulkJob) {
    json.text_member("BulkOperationArn", &bulk.arn());
    json.text_member("BulkOperationStatus", bulk.status.as_str());
    json.moment_member("StartTime", bulk.start_ms);
    json.optional_moment_member("EndTime", bulk.end_ms);
}
