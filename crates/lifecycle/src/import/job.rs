//! ImportTable: a new table from the objects of a bucket.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use monotable_engine::{BeginLoad, CreateTable, DescribeTable, EndLoad};
use serde::{Deserialize, Serialize};

use super::{Compression, Objects, Problem, Source};
use crate::backup::Filling;
use crate::codec::LineError;
use crate::disk;
use crate::error::{Error, Refusal, Result};
use crate::id::{Kind, arn};
use crate::jobs::Control;
use crate::lifecycle::{Lifecycle, Shared};
use crate::page::{Page, page};
use crate::record::{self, Record};
use crate::token::Token;
use crate::transfer::Transfer;

/// The limit of unfinished imports, as on AWS.
const IMPORTS_MAX: usize = 50;
/// The limit of listed errors; more are only counted.
const ERRORS_LISTED_MAX: u64 = 10_000;

/// The format of items in objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportFormat {
    /// `DYNAMODB_JSON`
    DynamoDbJson,
    /// `ION`
    Ion,
    /// `CSV`
    Csv,
}

impl ImportFormat {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DynamoDbJson => "DYNAMODB_JSON",
            Self::Ion => "ION",
            Self::Csv => "CSV",
        }
    }
}

/// The options of CSV.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CsvOptions {
    /// The delimiter of columns; a comma by default.
    pub delimiter: Option<char>,
    /// The names of the columns; the first line by default.
    pub headers: Option<Vec<String>>,
}

/// The state of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportStatus {
    /// It is being read.
    InProgress,
    /// All items are in the table.
    Completed,
    /// It failed, at least for some items.
    Failed,
}

impl ImportStatus {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "IN_PROGRESS",
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
        }
    }
}

/// The parameters of ImportTable.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The token; a repeated request with the same token is run once.
    pub token: Option<Token>,
    /// The bucket of the objects.
    pub bucket: String,
    /// The account that owns the bucket; stored and returned, without an effect.
    pub bucket_owner: Option<String>,
    /// The prefix of the objects' keys.
    pub prefix: Option<String>,
    /// Their format.
    pub format: ImportFormat,
    /// The options of CSV.
    pub csv: Option<CsvOptions>,
    /// Their compression, if the request specifies it.
    pub compression: Option<Compression>,
    /// The new table.
    pub table: CreateTable,
    /// The request's parameters of the table, which descriptions repeat unchanged.
    pub table_parameters: String,
}

/// An import: running, completed or failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportJob {
    /// Its identifier.
    pub id: String,
    /// Its state.
    pub status: ImportStatus,
    /// The new table's name.
    pub table_name: String,
    /// The new table's ARN.
    pub table_arn: String,
    /// The new table's identity.
    pub table_id: String,
    /// The request's token.
    pub token: Option<Token>,
    /// The bucket of the objects.
    pub bucket: String,
    /// The account that owns the bucket.
    pub bucket_owner: Option<String>,
    /// The prefix of the objects' keys.
    pub prefix: Option<String>,
    /// Their format.
    pub format: ImportFormat,
    /// The options of CSV.
    pub csv: Option<CsvOptions>,
    /// Their compression.
    pub compression: Option<Compression>,
    /// The request's parameters of the table.
    pub table_parameters: String,
    /// When it began, in milliseconds since the epoch.
    pub start_ms: u64,
    /// When it ended.
    pub end_ms: Option<u64>,
    /// Bytes read so far, decompressed.
    pub processed_bytes: u64,
    /// Items read so far, including invalid ones.
    pub processed_items: u64,
    /// The number of items that were stored.
    pub imported_items: u64,
    /// The number of invalid items and objects.
    pub errors: u64,
    /// AWS's code for the failure.
    pub failure_code: Option<String>,
    /// The message of the failure.
    pub failure_message: Option<String>,
}

impl Record for ImportJob {
    const PREFIX: &'static str = "import/";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Transfer for ImportJob {
    const KIND: Kind = Kind::Import;
    const MAX: usize = IMPORTS_MAX;
    const TOO_MANY: &'static str = "tables are being imported";
    const CONFLICT: Refusal = Refusal::ImportConflict;

    fn table_arn(&self) -> &str {
        &self.table_arn
    }

    fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    fn start_ms(&self) -> u64 {
        self.start_ms
    }
}

impl ImportJob {
    /// Returns its ARN.
    pub fn arn(&self) -> String {
        arn(&self.table_arn, Kind::Import, &self.id)
    }

    /// Returns the ARN of the log group that AWS would write errors to.
    pub fn log_group_arn(&self) -> String {
        let mut parts = self.table_arn.split(':').skip(3);
        let (region, account) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        format!("arn:aws:logs:{region}:{account}:log-group:/aws-dynamodb/imports:*")
    }
}

/// The parameters of ListImports.
#[derive(Clone, Debug, Default)]
pub struct ListImports {
    /// Imports into this table only.
    pub table_arn: Option<String>,
    /// The size of the page.
    pub limit: usize,
    /// The token of the page.
    pub token: Option<String>,
}

impl Lifecycle {
    /// Creates a table and starts to fill it from a bucket.
    ///
    /// # Errors
    /// Fails with `ResourceInUseException` or `LimitExceededException`, with
    /// `ImportConflictException` for a token of another request, or with `ValidationException` for
    /// a missing bucket.
    pub async fn import_table(&self, request: ImportRequest) -> Result<ImportJob> {
        let shared = self.shared();
        let now_ms = shared.database.now_ms();
        if let Some(job) = shared.admit(request.token.as_ref(), now_ms)? {
            return Ok(job);
        }
        shared.buckets.find(&request.bucket)?;
        let (region, account) = (shared.database.region(), shared.database.account());
        let table_name = request.table.table_name.clone();
        let job = ImportJob {
            id: shared.ids.next(now_ms, &table_name),
            status: ImportStatus::InProgress,
            table_arn: format!("arn:aws:dynamodb:{region}:{account}:table/{table_name}"),
            table_name,
            table_id: String::new(),
            token: request.token,
            bucket: request.bucket,
            bucket_owner: request.bucket_owner,
            prefix: request.prefix,
            format: request.format,
            csv: request.csv,
            compression: request.compression,
            table_parameters: request.table_parameters,
            start_ms: now_ms,
            end_ms: None,
            processed_bytes: 0,
            processed_items: 0,
            imported_items: 0,
            errors: 0,
            failure_code: None,
            failure_message: None,
        };
        let begin =
            BeginLoad { table: request.table, job: job.key(), source: None, record: job.change()? };
        let started = shared.start_with(&job, None);
        let description = shared.database.submit(begin).await;
        drop(started);
        Ok(ImportJob { table_id: description?.table_id, ..job })
    }

    /// Describes an import, with the progress if it is running.
    ///
    /// # Errors
    /// Fails with `ImportNotFoundException`.
    pub fn describe_import(&self, import_arn: &str) -> Result<ImportJob> {
        let shared = self.shared();
        let mut job: ImportJob = shared.find_transfer(import_arn)?.ok_or_else(|| {
            Refusal::ImportNotFound.with(format!("Import not found: {import_arn}"))
        })?;
        if job.table_id.is_empty()
            && let Ok(output) =
                shared.database.describe_table(DescribeTable::new(job.table_name.as_str()))
            && output.table.load.is_some_and(|load| load.job == job.key())
        {
            job.table_id = output.table.table_id;
        }
        if let Some(control) = shared.jobs.control(&job.key())
            && job.status == ImportStatus::InProgress
        {
            control.show(&mut job);
        }
        Ok(job)
    }

    /// Lists imports, newest first.
    ///
    /// # Errors
    /// Fails with `ValidationException` for an unknown token.
    pub fn list_imports(&self, request: &ListImports) -> Result<Page<ImportJob>> {
        let mut jobs = record::all::<ImportJob>(&self.shared().database)?;
        jobs.retain(|job| request.table_arn.as_ref().is_none_or(|arn| job.table_arn == *arn));
        page(jobs, request.limit, request.token.as_deref(), |job| job.id.clone())
    }
}

impl Control {
    fn show(&self, job: &mut ImportJob) {
        job.processed_bytes = self.bytes.load(Ordering::Relaxed);
        job.processed_items = self.items.load(Ordering::Relaxed);
        job.errors = self.errors.load(Ordering::Relaxed);
        job.imported_items = job.processed_items.saturating_sub(job.errors);
    }
}

impl Shared {
    /// Fills the table of an import from the beginning; existing items are replaced.
    pub(crate) fn run_import(&self, id: &str, control: &Control) -> Result<()> {
        let Some(mut job) = record::find::<ImportJob>(&self.database, id)? else { return Ok(()) };
        if job.status != ImportStatus::InProgress {
            return Ok(());
        }
        let described = self.database.describe_table(DescribeTable::new(job.table_name.as_str()));
        if let Ok(output) = described {
            job.table_id = output.table.table_id;
        }
        let result = self.fill_from_bucket(&job, control);
        control.show(&mut job);
        job.end_ms = Some(self.database.now_ms());
        let mut fail = |code: &str, message: String| {
            job.status = ImportStatus::Failed;
            (job.failure_code, job.failure_message) = (Some(code.to_owned()), Some(message));
        };
        match &result {
            Err(Error::Interrupted) => return result.map(drop),
            Err(Error::Refused { message, .. }) => fail("S3NoSuchKey", message.clone()),
            Err(error) => fail("InternalServerError", error.to_string()),
            Ok(errors) if errors.0 > 0 => fail(
                "ItemValidationError",
                format!(
                    "Some of the items failed validation checks. Please check the error log for more details: {}",
                    errors.1.display()
                ),
            ),
            Ok(_) => job.status = ImportStatus::Completed,
        }
        let end = EndLoad {
            table_name: job.table_name.clone(),
            job: job.key(),
            is_whole: result.is_ok(),
            record: job.change()?,
        };
        self.database.end_load(end)?;
        result.map(drop)
    }

    fn fill_from_bucket(&self, job: &ImportJob, control: &Control) -> Result<(u64, PathBuf)> {
        let bucket = self.buckets.find(&job.bucket)?;
        let prefix = job.prefix.as_deref().unwrap_or_default();
        let objects = Objects::list(&bucket, prefix)?;
        if objects.found.is_empty() {
            return Err(Refusal::Validation.with(format!(
                "The bucket {} has no objects that begin with {prefix:?}",
                job.bucket
            )));
        }
        let table =
            self.database.describe_table(DescribeTable::new(job.table_name.as_str()))?.table;
        let source = Source {
            format: job.format,
            csv: job.csv.clone(),
            compression: job.compression.unwrap_or_default(),
            definitions: table.attribute_definitions,
            codec: self.options.codec.clone(),
        };
        let directory = self.backups.root.join(".imports");
        let mut log = ErrorLog::new(directory, &format!("{}.errors", job.id));
        let mut filling = Filling::new(self.database.loader(&job.table_name, &job.key())?);
        for (key, _) in &objects.found {
            let mut items = source.open(&objects, key)?;
            let mut counted = 0;
            while let Some(item) = items.next() {
                control.check()?;
                let row = item.and_then(|item| {
                    filling.loader().check(&item).map_err(|error| Problem {
                        object: key.clone(),
                        item: 0,
                        error: LineError::Item(error.to_string()),
                    })
                });
                control.count(1, items.bytes - counted);
                counted = items.bytes;
                match row {
                    Ok(row) => filling.put(row)?,
                    Err(problem) => {
                        control.errors.fetch_add(1, Ordering::Relaxed);
                        log.add(&problem)?;
                    }
                }
            }
            control.count(0, items.bytes - counted);
        }
        filling.finish()?;
        log.finish()
    }
}

/// The file that lists the errors of an import.
pub(crate) struct ErrorLog {
    directory: PathBuf,
    path: PathBuf,
    file: Option<File>,
    count: u64,
    is_continued: bool,
}

impl ErrorLog {
    /// Creates an empty list; an older one of this name is replaced.
    pub(crate) fn new(directory: PathBuf, name: &str) -> Self {
        let path = directory.join(name);
        Self { directory, path, file: None, count: 0, is_continued: false }
    }

    /// Continues the list of this name, which already contains `count` errors.
    pub(crate) fn append(directory: PathBuf, name: &str, count: u64) -> Self {
        Self { count, is_continued: count > 0, ..Self::new(directory, name) }
    }

    pub(crate) fn add(&mut self, problem: &Problem) -> Result<()> {
        self.count += 1;
        if self.count > ERRORS_LISTED_MAX {
            return Ok(());
        }
        if self.file.is_none() {
            disk::create_directory(&self.directory)?;
            let created = if self.is_continued {
                File::options().append(true).create(true).open(&self.path)
            } else {
                File::create(&self.path)
            };
            self.file = Some(created.map_err(|error| Error::io(&self.path, "created", &error))?);
        }
        let line = serde_json::json!({
            "itemS3Pointer": { "key": problem.object, "itemIndex": problem.item },
            "errorMessages": [problem.error.text()],
        });
        let written = self.file.as_mut().map_or(Ok(()), |file| writeln!(file, "{line}"));
        written.map_err(|error| Error::io(&self.path, "written", &error))
    }

    /// Returns the number of errors and the path of the list.
    pub(crate) fn finish(self) -> Result<(u64, PathBuf)> {
        if let Some(file) = &self.file {
            file.sync_all().map_err(|error| Error::io(&self.path, "synced", &error))?;
        }
        Ok((self.count, self.path))
    }
}
