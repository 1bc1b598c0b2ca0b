//! `monotable import`: items from files into a table.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable_engine::{DescribeTable, Error as EngineError};
use monotable_lifecycle::{ExportFolder, Lifecycle};
use monotable_wire::{Endpoint, ItemLines, Operation};
use serde_json::{Value, json};

use crate::bucket_place::BucketPlace;
use crate::database::{DatabaseArguments, Directories};
use crate::endpoint_call::call;
use crate::progress;
use crate::serve::block_on;

const AFTER_HELP: &str = "\
Files end with .json, .ion or .csv, and .gz or .zst if they are compressed; all have the same ending. Those of an export are \
compared with its manifests first.

An existing table keeps its items, except those with the same keys, which are replaced. A new table appears when all its items are imported. An interrupted import continues if the command is repeated.";

/// The arguments of `monotable import`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The table
    #[arg(value_name = "TABLE")]
    table: String,
    #[command(flatten)]
    database: DatabaseArguments,
    /// The directory of an export (the one with its manifests), or any directory with files
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Create the table from this file: a CreateTable request in JSON, as for `aws dynamodb
    /// create-table --cli-input-json`
    #[arg(long, value_name = "FILE")]
    create: Option<PathBuf>,
}

/// The settings that ImportTable does not have.
const NOT_IMPORTED: [&str; 4] =
    ["LocalSecondaryIndexes", "ResourcePolicy", "StreamSpecification", "Tags"];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let source = Source::find(&arguments.from)?;
    let buckets = Some(source.bucket.buckets.clone());
    let directories = Directories { buckets, ..Directories::default() };
    let lifecycle = arguments.database.open_lifecycle(directories)?;
    let endpoint = Endpoint::with_lifecycle(lifecycle.clone());
    let describe = DescribeTable::new(arguments.table.as_str());
    let exists = match lifecycle.database().describe_table(describe) {
        Ok(_) => true,
        Err(EngineError::ResourceNotFound(_)) => false,
        Err(error) => return Err(error.into()),
    };
    let resumed = lifecycle.resume_transfer(&arguments.table)?;
    let described = match (&resumed, exists, &arguments.create) {
        (Some(arn), ..) => finish(&lifecycle, &endpoint, arn)?,
        (None, true, Some(file)) => bail!(
            "there is a table {} already; leave out --create {} to put items into it",
            arguments.table,
            file.display()
        ),
        (None, true, None) => {
            let started = source.put_into(&endpoint, &arguments.table)?;
            finish(&lifecycle, &endpoint, &started)?
        }
        (None, false, Some(file)) => {
            let started = source.create(&endpoint, &arguments.table, file)?;
            finish(&lifecycle, &endpoint, &started)?
        }
        (None, false, None) => {
            bail!("there is no table {}; create it with --create FILE", arguments.table)
        }
    };
    described.report(&arguments.table)
}

/// The files of an import.
struct Source {
    bucket: BucketPlace,
    /// The prefix of the files' names.
    prefix: &'static str,
    format: &'static str,
    compression: &'static str,
}

impl Source {
    fn find(directory: &Path) -> Result<Self> {
        let bucket = BucketPlace::of(directory)?;
        let prefix = if ExportFolder::is_in(directory) {
            let folder = ExportFolder::open(directory, std::sync::Arc::new(ItemLines))?;
            progress::watch("import", "verified", |control| folder.verify(control))?;
            "data/"
        } else {
            ""
        };
        let mut endings = Vec::new();
        collect_endings(&directory.join(prefix), &mut endings)?;
        endings.sort();
        endings.dedup();
        let [ending] = &endings[..] else {
            bail!(
                "{} has files with {}; there must be one ending",
                directory.display(),
                if endings.is_empty() { "no ending".to_owned() } else { endings.join(", ") }
            );
        };
        let (name, compression) = match ending.rsplit_once('.') {
            Some((name, "gz")) => (name, "GZIP"),
            Some((name, "zst")) => (name, "ZSTD"),
            _ => (&**ending, "NONE"),
        };
        let format = match name {
            "json" => "DYNAMODB_JSON",
            "ion" => "ION",
            "csv" => "CSV",
            _ => bail!("files with the ending .{ending} can't be imported: .json, .ion or .csv"),
        };
        Ok(Self { bucket, prefix, format, compression })
    }

    /// Starts to put the items into an existing table. Returns the ARN of the job.
    fn put_into(&self, endpoint: &Endpoint, table: &str) -> Result<String> {
        if self.format == "CSV" {
            bail!("CSV can only be imported into a new table: add --create FILE");
        }
        let body = json!({
            "TableName": table,
            "InputS3Configuration": {
                "S3Bucket": self.bucket.name, "S3KeyPrefix": self.prefix, "InputFormat": self.format,
                "InputCompressionType": self.compression,
            },
            "OutputS3Configuration": { "OutputType": [] },
        });
        let started = block_on(call(endpoint, Operation::StartBulkPutItems, &body))??;
        arn_in(&started["BulkOperationDescription"]["BulkOperationArn"])
    }

    /// Starts to import the items into a new table. Returns the ARN of the job.
    fn create(&self, endpoint: &Endpoint, table: &str, file: &Path) -> Result<String> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("{} can't be read", file.display()))?;
        let mut parameters: Value = serde_json::from_str(&text)
            .with_context(|| format!("{} is not JSON", file.display()))?;
        if let Some(name) = NOT_IMPORTED.iter().find(|name| !parameters[**name].is_null()) {
            bail!(
                "{name} of {} can't be set by an import; create the table first, and import without --create",
                file.display()
            );
        }
        let named = &parameters["TableName"];
        if !named.is_null() && named != table {
            bail!("{} creates the table {named}, not {table}", file.display());
        }
        parameters["TableName"] = table.into();
        let body = json!({
            "S3BucketSource": { "S3Bucket": self.bucket.name, "S3KeyPrefix": self.prefix },
            "InputFormat": self.format,
            "InputCompressionType": self.compression,
            "TableCreationParameters": parameters,
        });
        let started = block_on(call(endpoint, Operation::ImportTable, &body))??;
        arn_in(&started["ImportTableDescription"]["ImportArn"])
    }
}

fn arn_in(value: &Value) -> Result<String> {
    Ok(value.as_str().context("the response names no job")?.to_owned())
}

/// Collects the extensions of all files below a directory, without their first dot.
fn collect_endings(directory: &Path, endings: &mut Vec<String>) -> Result<()> {
    let cannot = || format!("{} can't be read", directory.display());
    for entry in std::fs::read_dir(directory).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.is_dir() {
            collect_endings(&path, endings)?;
        } else if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
            endings.extend(name.split_once('.').map(|(_, ending)| ending.to_owned()));
        }
    }
    Ok(())
}

/// The result of an import.
struct Outcome {
    is_complete: bool,
    items: u64,
    errors: u64,
    failure: String,
}

/// Waits for a job, and describes it.
fn finish(lifecycle: &Lifecycle, endpoint: &Endpoint, arn: &str) -> Result<Outcome> {
    progress::watch_jobs("import", "read", lifecycle);
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let failure = |done: &Value| done["FailureMessage"].as_str().unwrap_or_default().to_owned();
    if arn.contains("/import/") {
        let body = json!({ "ImportArn": arn });
        let done = block_on(call(endpoint, Operation::DescribeImport, &body))??;
        let done = &done["ImportTableDescription"];
        return Ok(Outcome {
            is_complete: done["ImportStatus"] == "COMPLETED",
            items: number(&done["ImportedItemCount"]),
            errors: number(&done["ErrorCount"]),
            failure: failure(done),
        });
    }
    let body = json!({ "BulkOperationArn": arn });
    let done = block_on(call(endpoint, Operation::DescribeBulkOperation, &body))??;
    let done = &done["BulkOperationDescription"];
    let errors = number(&done["FailedItemCount"]);
    Ok(Outcome {
        is_complete: done["BulkOperationStatus"] == "COMPLETED",
        items: number(&done["ProcessedItemCount"]).saturating_sub(errors),
        errors,
        failure: failure(done),
    })
}

impl Outcome {
    fn report(&self, table: &str) -> Result<()> {
        println!("{table}: {} items imported", self.items);
        if self.is_complete {
            return Ok(());
        }
        let failure = if self.failure.is_empty() { "some are not valid" } else { &self.failure };
        bail!("{} items of {table} were not imported: {failure}", self.errors);
    }
}
