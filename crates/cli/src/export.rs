//! `monotable export`: the items of a table into files in AWS's format.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use monotable_lifecycle::Lifecycle;
use monotable_wire::{Endpoint, Operation};
use serde_json::{Value, json};

use crate::bucket_place::BucketPlace;
use crate::database::{DatabaseArguments, Directories};
use crate::endpoint_call::call;
use crate::progress;
use crate::serve::block_on;

const AFTER_HELP: &str = "\
A running server has the operation ExportTableToPointInTime: see `--buckets` of `monotable serve`. An interrupted export lacks its manifests; run the command again. `monotable check DIR` verifies the directory of an export.";

/// The arguments of `monotable export`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The table
    #[arg(value_name = "TABLE")]
    table: String,
    #[command(flatten)]
    database: DatabaseArguments,
    /// Write below this directory, which is created: AWSDynamoDB/ID/data/… and manifests
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The format of the files
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Format::Json)]
    format: Format,
}

/// The formats of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// DynamoDB's JSON, one line per item
    Json,
    /// Amazon Ion as text
    Ion,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (bucket, lifecycle) = open(&arguments.database, &arguments.to)?;
    let format = match arguments.format {
        Format::Json => "DYNAMODB_JSON",
        Format::Ion => "ION",
    };
    let more = json!({ "ExportFormat": format });
    let export = export(&lifecycle, &bucket, &arguments.table, &more)?;
    println!("{}: {} items in {}", arguments.table, export.items, export.directory.display());
    Ok(())
}

/// A complete export.
pub(crate) struct Export {
    pub(crate) items: u64,
    /// The directory of its manifests.
    pub(crate) directory: PathBuf,
}

/// Opens a database and creates the directory for its exports.
pub(crate) fn open(database: &DatabaseArguments, to: &Path) -> Result<(BucketPlace, Lifecycle)> {
    std::fs::create_dir_all(to).with_context(|| format!("{} can't be created", to.display()))?;
    let bucket = BucketPlace::of(to)?;
    let buckets = Some(bucket.buckets.clone());
    let lifecycle = database.open_lifecycle(Directories { buckets, ..Directories::default() })?;
    Ok((bucket, lifecycle))
}

/// Exports a table; `more` contains additional members of the request.
pub(crate) fn export(
    lifecycle: &Lifecycle,
    bucket: &BucketPlace,
    table: &str,
    more: &Value,
) -> Result<Export> {
    let endpoint = Endpoint::with_lifecycle(lifecycle.clone());
    let mut body = json!({ "TableArn": table, "S3Bucket": bucket.name });
    for (name, member) in more.as_object().into_iter().flatten() {
        body[name] = member.clone();
    }
    let started = block_on(call(&endpoint, Operation::ExportTableToPointInTime, &body))??;
    progress::watch_jobs("export", "read", lifecycle);
    let describe = json!({ "ExportArn": started["ExportDescription"]["ExportArn"] });
    let done = block_on(call(&endpoint, Operation::DescribeExport, &describe))??;
    let done = &done["ExportDescription"];
    let Some(manifest) = done["ExportManifest"].as_str() else {
        bail!("the export failed: {}", done["FailureMessage"].as_str().unwrap_or_default());
    };
    let directory = bucket.path(manifest).parent().map(Path::to_owned).unwrap_or_default();
    Ok(Export { items: done["ItemCount"].as_u64().unwrap_or_default(), directory })
}
