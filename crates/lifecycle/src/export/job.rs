//! //! ExportTableToPointInTime: exports every item of a table at one moment.

use std::path::Path;
use std::sync::atomic::Ordering;

use monotable_engine::{DatabaseSnapshot, WriteRecords};
use serde::{Deserialize, Serialize};

use super::ExportFilter;
use super::files::{DataFile, DataFiles};
use super::manifest;
use crate::bucket::path_of_key;
use crate::disk;
use crate::error::{Error, Refusal, Result};
use crate::id::{Kind, arn, file_stem, parse_arn};
use crate::ion;
use crate::jobs::Control;
use crate::lifecycle::{Lifecycle, Shared};
use crate::page::{Page, page};
use crate::record::{self, Record};
use crate::token::{Token, Tokened};

/// The limit of unfinished exports, as on AWS.
const EXPORTS_MAX: usize = 300;
/// How long an export is listed, as on AWS.
const LISTED_MS: u64 = 90 * 24 * 60 * 60 * 1000;

/// The format of the data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportFormat {
    /// `DYNAMODB_JSON`
    DynamoDbJson,
    /// `ION`
    Ion,
}

impl ExportFormat {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DynamoDbJson => "DYNAMODB_JSON",
            Self::Ion => "ION",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::DynamoDbJson => "json.gz",
            Self::Ion => "ion.gz",
        }
    }
}

/// The images of changed items in an incremental export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportView {
    /// `NEW_IMAGE`
    NewImage,
    /// `NEW_AND_OLD_IMAGES`
    NewAndOldImages,
}

impl ExportView {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NewImage => "NEW_IMAGE",
            Self::NewAndOldImages => "NEW_AND_OLD_IMAGES",
        }
    }
}

/// The period of an incremental export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incremental {
    /// Its beginning, inclusive, in milliseconds since the epoch.
    pub from_ms: u64,
    /// Its end, exclusive.
    pub to_ms: u64,
    /// The images in it.
    pub view: ExportView,
}

/// The state of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportStatus {
    /// It is being written.
    InProgress,
    /// Everything is in the bucket.
    Completed,
    /// It failed.
    Failed,
}

impl ExportStatus {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "IN_PROGRESS",
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
        }
    }
}

/// The parameters of ExportTableToPointInTime.
#[derive(Clone)]
pub struct ExportRequest {
    /// The table, by ARN or name.
    pub table_arn: String,
    /// The token; a repeated request with the same token is run once.
    pub token: Option<Token>,
    /// The bucket of the files.
    pub bucket: String,
    /// The account that owns the bucket; stored and returned, without an effect.
    pub bucket_owner: Option<String>,
    /// The prefix of the files' keys.
    pub prefix: Option<String>,
    /// The encryption of the files on AWS; stored and returned, without an effect.
    pub sse_algorithm: Option<String>,
    /// The key of the encryption; stored and returned, without an effect.
    pub sse_key: Option<String>,
    /// The format of the files.
    pub format: ExportFormat,
    /// Selects the items and their attributes.
    pub filter: Option<ExportFilter>,
}

/// An export: running, completed or failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExportJob {
    /// Its identifier.
    pub id: String,
    /// Its state.
    pub status: ExportStatus,
    /// The table.
    pub table_name: String,
    /// Its ARN.
    pub table_arn: String,
    /// Its identity.
    pub table_id: String,
    /// The request's token.
    pub token: Option<Token>,
    /// The bucket of the files.
    pub bucket: String,
    /// The account that owns the bucket.
    pub bucket_owner: Option<String>,
    /// The prefix of the files' keys.
    pub prefix: Option<String>,
    /// The encryption of the files on AWS.
    pub sse_algorithm: Option<String>,
    /// The key of the encryption.
    pub sse_key: Option<String>,
    /// The format of the files.
    pub format: ExportFormat,
    /// The filter as it was sent.
    pub filter: Option<String>,
    /// The period, if it is incremental.
    pub incremental: Option<Incremental>,
    /// The time of its snapshot, in milliseconds since the epoch.
    pub export_ms: u64,
    /// When it began.
    pub start_ms: u64,
    /// When it ended.
    pub end_ms: Option<u64>,
    /// The bytes of the items that were read.
    pub billed_bytes: u64,
    /// The number of items in the files.
    pub items: u64,
    /// The key of the summary.
    pub manifest: Option<String>,
    /// AWS's code for the failure.
    pub failure_code: Option<String>,
    /// The message of the failure.
    pub failure_message: Option<String>,
}

impl Record for ExportJob {
    const PREFIX: &'static str = "export/";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Tokened for ExportJob {
    fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    fn start_ms(&self) -> u64 {
        self.start_ms
    }
}

impl ExportJob {
    /// Returns its ARN.
    pub fn arn(&self) -> String {
        arn(&self.table_arn, Kind::Export, &self.id)
    }

    pub(crate) fn is_in_progress(&self) -> bool {
        self.status == ExportStatus::InProgress
    }

    /// Returns the folder of all exports below the prefix.
    fn root(&self) -> String {
        match self.prefix.as_deref().unwrap_or_default().trim_end_matches('/') {
            "" => "AWSDynamoDB".to_owned(),
            prefix => format!("{prefix}/AWSDynamoDB"),
        }
    }

    /// Returns the folder of this export.
    pub(super) fn folder(&self) -> String {
        format!("{}/{}", self.root(), self.id)
    }
}

/// The parameters of ListExports.
#[derive(Clone, Debug, Default)]
pub struct ListExports {
    /// Exports of this table only.
    pub table_arn: Option<String>,
    /// The size of the page.
    pub limit: usize,
    /// The token of the page.
    pub token: Option<String>,
}

impl Lifecycle {
    /// Starts an export of a table in its current state.
    ///
    /// # Errors
    /// Fails with `TableNotFoundException`, with `ExportConflictException` for a token of another
    /// request, with `LimitExceededException`, or with `ValidationException` for a missing bucket.
    pub async fn export_table(&self, request: ExportRequest) -> Result<ExportJob> {
        let shared = self.shared();
        let snapshot = shared.database.snapshot();
        let now_ms = snapshot.moment_ms();
        let same = shared.repeated::<ExportJob>(
            request.token.as_ref(),
            now_ms,
            Refusal::ExportConflict,
        )?;
        if let Some(job) = same {
            return Ok(job);
        }
        let Some(table) = snapshot.table(&request.table_arn) else {
            return Err(shared.unusable(&request.table_arn));
        };
        let bucket = shared.buckets.find(&request.bucket)?;
        if shared.jobs.count(ExportJob::PREFIX) >= EXPORTS_MAX {
            return Err(Refusal::LimitExceeded.with(format!(
                "Too many tables are being exported: at most {EXPORTS_MAX} at the same time"
            )));
        }
        let description = table.definition().description();
        let (filter, specification) = match request.filter {
            Some(filter) => (Some(filter.filter), Some(filter.specification)),
            None => (None, None),
        };
        let job = ExportJob {
            id: shared.ids.next(now_ms, table.name()),
            status: ExportStatus::InProgress,
            table_name: description.table_name,
            table_arn: description.table_arn,
            table_id: description.table_id,
            token: request.token,
            bucket: request.bucket,
            bucket_owner: request.bucket_owner,
            prefix: request.prefix,
            sse_algorithm: request.sse_algorithm,
            sse_key: request.sse_key,
            format: request.format,
            filter: specification,
            incremental: None,
            export_ms: now_ms,
            start_ms: now_ms,
            end_ms: None,
            billed_bytes: 0,
            items: 0,
            manifest: None,
            failure_code: None,
            failure_message: None,
        };
        path_of_key(&bucket, &job.folder())?;
        if let Some(filter) = filter {
            shared.filters().insert(job.key(), filter);
        }
        let started = shared.start_with(&job, Some(snapshot));
        shared.database.submit(WriteRecords { changes: vec![job.change()?] }).await?;
        drop(started);
        Ok(job)
    }

    /// Describes an export.
    ///
    /// # Errors
    /// Fails with `ExportNotFoundException`.
    pub fn describe_export(&self, export_arn: &str) -> Result<ExportJob> {
        let not_found = || Refusal::ExportNotFound.with(format!("Export not found: {export_arn}"));
        let (_, id) = parse_arn(export_arn, Kind::Export).ok_or_else(not_found)?;
        let found = record::find::<ExportJob>(&self.shared().database, id)?;
        found.filter(|job| job.arn() == export_arn).ok_or_else(not_found)
    }

    /// Lists the exports of the last 90 days, newest first.
    ///
    /// # Errors
    /// Fails with `ValidationException` for an unknown token.
    pub fn list_exports(&self, request: &ListExports) -> Result<Page<ExportJob>> {
        let database = &self.shared().database;
        let oldest_ms = database.now_ms().saturating_sub(LISTED_MS);
        let mut jobs = record::all::<ExportJob>(database)?;
        jobs.retain(|job| {
            job.start_ms >= oldest_ms
                && request.table_arn.as_ref().is_none_or(|arn| job.table_arn == *arn)
        });
        page(jobs, request.limit, request.token.as_deref(), |job| job.id.clone())
    }
}

impl Shared {
    /// Writes the export of a record.
    pub(crate) fn run_export(
        &self,
        id: &str,
        snapshot: Option<DatabaseSnapshot>,
        control: &Control,
    ) -> Result<()> {
        let filter = self.filters().remove(&record::key::<ExportJob>(id));
        let Some(mut job) = record::find::<ExportJob>(&self.database, id)? else { return Ok(()) };
        if !job.is_in_progress() {
            return Ok(());
        }
        let result = match snapshot {
            Some(snapshot) => self.export(&mut job, &snapshot, filter.as_ref(), control),
            None => Err(Error::Io(
                "the server stopped before the export was complete; start it again".to_owned(),
            )),
        };
        match &result {
            Ok(manifest) => {
                job.status = ExportStatus::Completed;
                job.manifest = Some(manifest.clone());
            }
            // // The snapshot ends with the process, so the export can't be written again.
            Err(error) => {
                job.status = ExportStatus::Failed;
                job.failure_code = Some("InternalServerError".to_owned());
                job.failure_message = Some(error.to_string());
            }
        }
        job.end_ms = Some(self.database.now_ms());
        job.save(&self.database)?;
        result.map(drop)
    }

    fn export(
        &self,
        job: &mut ExportJob,
        snapshot: &DatabaseSnapshot,
        filter: Option<&monotable_engine::ItemFilter>,
        control: &Control,
    ) -> Result<String> {
        let bucket = self.buckets.find(&job.bucket)?;
        let folder = path_of_key(&bucket, &job.folder())?;
        disk::create_directory(&folder)?;
        disk::write_file(&folder.join("_started"), b"")?;
        let files = self.export_items(job, &bucket, snapshot, filter, control)?;
        job.items = files.iter().map(|file| file.items).sum();
        job.billed_bytes = control.bytes.load(Ordering::Relaxed);
        manifest::write(&bucket, job, &files, self.database.now_ms())
    }

    fn export_items(
        &self,
        job: &ExportJob,
        bucket: &Path,
        snapshot: &DatabaseSnapshot,
        filter: Option<&monotable_engine::ItemFilter>,
        control: &Control,
    ) -> Result<Vec<DataFile>> {
        let table = snapshot.table(&job.table_name);
        let table = table.ok_or_else(|| crate::error::table_not_found(&job.table_name))?;
        let folder = job.folder();
        let extension = job.format.extension();
        let mut files = DataFiles::new(bucket, |number| {
            format!("{folder}/data/{}.{extension}", file_stem(&job.id, number))
        });
        let mut line = Vec::new();
        for row in table.rows(None) {
            control.check()?;
            let row = row?;
            control.count(1, row.size_bytes() as u64);
            let item = match filter {
                None => row.item(),
                Some(filter) => match filter.apply(row.item()) {
                    Some(item) => item,
                    None => continue,
                },
            };
            line.clear();
            match job.format {
                ExportFormat::DynamoDbJson => {
                    line.extend_from_slice(b"{\"Item\":");
                    self.options.codec.write(&item, &mut line);
                }
                ExportFormat::Ion => {
                    line.extend_from_slice(b"$ion_1_0 {Item:");
                    ion::write_item(&item, &mut line);
                }
            }
            line.extend_from_slice(b"}\n");
            files.line(&line)?;
        }
        files.finish()
    }
}
