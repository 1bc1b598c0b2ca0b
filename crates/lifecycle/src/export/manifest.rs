//! The manifests of an export: which files there are, and what they are of. They are written last.

use std::path::Path;

use md5::{Digest as _, Md5};
use serde_json::json;

use super::files::DataFile;
use super::job::{ExportFormat, ExportJob};
use crate::disk;
use crate::error::Result;
use crate::moment::milliseconds;

/// The form of checksums.
pub(super) fn base64(bytes: &[u8]) -> String {
    base64_simd::STANDARD.encode_to_string(bytes)
}

/// Writes a file and one with its checksum.
fn write_with_checksum(folder: &Path, name: &str, text: &str) -> Result<()> {
    disk::write_file(&folder.join(format!("{name}.json")), text.as_bytes())?;
    let checksum = base64(&Md5::digest(text.as_bytes()));
    disk::write_file(&folder.join(format!("{name}.checksum")), checksum.as_bytes())
}

/// Writes the list of files, and then the summary. Returns the key of the summary.
pub(super) fn write(
    bucket: &Path,
    job: &ExportJob,
    files: &[DataFile],
    end_ms: u64,
) -> Result<String> {
    let folder = job.folder();
    let directory = bucket.join(&folder);
    let mut lines = String::new();
    for file in files {
        let line = json!({
            "itemCount": file.items,
            "md5Checksum": base64(&file.md5),
            "etag": format!("{}-1", hex::encode(file.md5)),
            "dataFileS3Key": file.key,
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    write_with_checksum(&directory, "manifest-files", &lines)?;
    let mut summary = json!({
        "version": if job.incremental.is_some() { "2023-08-01" } else { "2020-06-30" },
        "exportArn": job.arn(),
        "startTime": milliseconds(job.start_ms)?,
        "endTime": milliseconds(end_ms)?,
        "tableArn": job.table_arn,
        "tableId": job.table_id,
        "exportTime": milliseconds(job.export_ms)?,
        "s3Bucket": job.bucket,
        "s3Prefix": job.prefix,
        "s3SseAlgorithm": job.sse_algorithm.as_deref().unwrap_or("AES256"),
        "s3SseKmsKeyId": job.sse_key,
        "manifestFilesS3Key": format!("{folder}/manifest-files.json"),
        "billedSizeBytes": job.billed_bytes,
        "itemCount": job.items,
        "outputFormat": match job.format {
            ExportFormat::DynamoDbJson => "DYNAMODB_JSON",
            ExportFormat::Ion => "ION",
        },
        "exportType": if job.incremental.is_some() { "INCREMENTAL_EXPORT" } else { "FULL_EXPORT" },
    });
    if let (Some(incremental), Some(fields)) = (&job.incremental, summary.as_object_mut()) {
        fields.insert("exportFromTime".to_owned(), json!(milliseconds(incremental.from_ms)?));
        fields.insert("exportToTime".to_owned(), json!(milliseconds(incremental.to_ms)?));
        fields.insert("outputView".to_owned(), json!(incremental.view.as_str()));
        fields.remove("exportTime");
    }
    write_with_checksum(&directory, "manifest-summary", &summary.to_string())?;
    Ok(format!("{folder}/manifest-summary.json"))
}
