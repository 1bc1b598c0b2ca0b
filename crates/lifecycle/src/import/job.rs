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

/// How many imports can be on their way at the same time, as on AWS.
const IMPORTS_MAX: usize = 50;
/// How many errors are written down; more are only counted.
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
    /// AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DynamoDbJson => "DYNAMODB_JSON",
            Self::Ion => "ION",
            Self::Csv => "CSV",
        }
    }
}

/// How CSV is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CsvOptions {
    /// What is between columns; a comma if it is not given.
    pub delimiter: Option<char>,
    /// The names of the columns; the first line if they are not given.
    pub headers: Option<Vec<String>>,
}

/// The state of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportStatus {
    /// Being read.
    InProgress,
    /// The table has everything.
    Completed,
    /// It could not be done, or not for all items.
    Failed,
}

impl ImportStatus {
    /// AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "IN_PROGRESS",
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
        }
    }
}

/// What ImportTable asks for.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The same request with the same token is done once.
    pub token: Option<Token>,
    /// Where the objects are.
    pub bucket: String,
    /// The account that owns the bucket; kept and shown.
    pub bucket_owner: Option<String>,
    /// What the keys of the objects begin with.
    pub prefix: Option<String>,
    /// What is in them.
    pub format: ImportFormat,
    /// How CSV is read.
    pub csv: Option<CsvOptions>,
    /// How they are compressed, if the request says so.
    pub compression: Option<Compression>,
    /// The new table.
    pub table: CreateTable,
    /// The request's parameters of the table, which are shown as they were sent.
    pub table_parameters: String,
}

/// An import: on its way, done, or failed.
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
    /// Where the objects are.
    pub bucket: String,
    /// The account that owns the bucket.
    pub bucket_owner: Option<String>,
    /// What the keys of the objects begin with.
    pub prefix: Option<String>,
    /// What is in them.
    pub format: ImportFormat,
    /// How CSV is read.
    pub csv: Option<CsvOptions>,
    /// How they are compressed.
    pub compression: Option<Compression>,
    /// The request's parameters of the table.
    pub table_parameters: String,
    /// When it began, in milliseconds since the epoch.
    pub start_ms: u64,
    /// When it ended.
    pub end_ms: Option<u64>,
    /// Bytes read so far, decompressed.
    pub processed_bytes: u64,
    /// Items read so far, wrong ones included.
    pub processed_items: u64,
    /// Items that the table has taken.
    pub imported_items: u64,
    /// Items and objects that were wrong.
    pub errors: u64,
    /// AWS's word for why it failed.
    pub failure_code: Option<String>,
    /// Why it failed.
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
    /// Its ARN.
    pub fn arn(&self) -> String {
        arn(&self.table_arn, Kind::Import, &self.id)
    }

    /// The group of logs that AWS would write errors to.
    pub fn log_group_arn(&self) -> String {
        let mut parts = self.table_arn.split(':').skip(3);
        let (region, account) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        format!("arn:aws:logs:{region}:{account}:log-group:/aws-dynamodb/imports:*")
    }
}

/// What ListImports asks for.
#[derive(Clone, Debug, Default)]
pub struct ListImports {
    /// Imports into this table only.
    pub table_arn: Option<String>,
    /// At most so many.
    pub limit: usize,
    /// Behind this place.
    pub token: Option<String>,
}

impl Lifecycle {
    /// Creates a table and starts to fill it from a bucket.
    ///
    /// # Errors
    /// `ResourceInUseException`, `LimitExceededException`, `ImportConflictException` for a token with another request, and
    /// `ValidationException` for a bucket that there is not.
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

    /// Describes an import, with the progress of one that is on its way.
    ///
    /// # Errors
    /// `ImportNotFoundException`
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
    /// `ValidationException` for a token that was not returned.
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
    /// Fills the table of an import, from the beginning: what is there already is put in place again.
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

/// The file that lists what was wrong in an import.
pub(crate) struct ErrorLog {
    directory: PathBuf,
    path: PathBuf,
    file: Option<File>,
    count: u64,
    is_continued: bool,
}

impl ErrorLog {
    /// A new list; an older one of this name is replaced.
    pub(crate) fn new(directory: PathBuf, name: &str) -> Self {
        let path = directory.join(name);
        Self { directory, path, file: None, count: 0, is_continued: false }
    }

    /// Goes on with the list of this name, which has so many errors.
    pub(crate) fn go_on(directory: PathBuf, name: &str, count: u64) -> Self {
        Self { count, is_continued: count > 0, ..Self::new(directory, name) }
    }

    pub(crate) fn add(&mut self, problem: &Problem) -> Result<()> {
        self.count += 1;
        if self.count > ERRORS_LISTED_MAX {
            return Ok(());
        }
        if self.file.is_none() {
            disk::create_directory(&self.directory)?;
            let created = match self.is_continued {
                true => File::options().append(true).create(true).open(&self.path),
                false => File::create(&self.path),
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

    /// How many errors there were, and where they are listed.
    pub(crate) fn finish(self) -> Result<(u64, PathBuf)> {
        if let Some(file) = &self.file {
            file.sync_all().map_err(|error| Error::io(&self.path, "synced", &error))?;
        }
        Ok((self.count, self.path))
    }
}
