//! ExportTableToPointInTime: exports every item of a table at one moment, or the changes of a period.

use monotable_engine::WriteRecords;
use serde::{Deserialize, Serialize};

use super::{ExportFilter, ExportTime, Incremental};
use crate::bucket::path_of_key;
use crate::error::{Refusal, Result};
use crate::id::{Kind, arn};
use crate::lifecycle::Lifecycle;
use crate::page::{Page, page};
use crate::record::{self, Record};
use crate::token::Token;
use crate::transfer::Transfer;

/// The limit of unfinished exports, as on AWS.
const EXPORTS_MAX: usize = 300;
/// The time for which an export is listed, as on AWS.
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

    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::DynamoDbJson => "json.gz",
            Self::Ion => "ion.gz",
        }
    }
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
    /// The time or period that it shows.
    pub time: ExportTime,
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
    /// The time when it began.
    pub start_ms: u64,
    /// The time when it ended.
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

impl Transfer for ExportJob {
    const KIND: Kind = Kind::Export;
    const MAX: usize = EXPORTS_MAX;
    const TOO_MANY: &'static str = "tables are being exported";
    const CONFLICT: Refusal = Refusal::ExportConflict;

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

    /// Returns the folder of its data files. Incremental exports share one, as on AWS.
    pub(super) fn data_folder(&self) -> String {
        match self.incremental {
            None => format!("{}/data", self.folder()),
            Some(_) => format!("{}/data", self.root()),
        }
    }

    /// Returns whether it is read from a backup and the log.
    pub(super) fn is_of_past(&self) -> bool {
        self.incremental.is_some() || self.export_ms < self.start_ms
    }

    /// Returns the earliest time that it shows.
    pub(super) fn earliest_ms(&self) -> u64 {
        self.incremental.map_or(self.export_ms, |incremental| incremental.from_ms)
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
    /// Starts an export of a table: in its current state, as it was at a time, or of the changes of
    /// a period.
    ///
    /// # Errors
    /// Fails with `TableNotFoundException`, `LimitExceededException`, `InvalidExportTimeException`
    /// or `PointInTimeRecoveryUnavailableException`, with `ExportConflictException` for a token of
    /// another request, or with `ValidationException` for a missing bucket.
    pub async fn export_table(&self, request: ExportRequest) -> Result<ExportJob> {
        let shared = self.shared();
        let snapshot = shared.database.snapshot();
        let now_ms = snapshot.moment_ms();
        if let Some(job) = shared.admit(request.token.as_ref(), now_ms)? {
            return Ok(job);
        }
        let Some(table) = snapshot.table(&request.table_arn) else {
            return Err(shared.unusable(&request.table_arn));
        };
        let incremental = request.time.checked(&table, now_ms)?;
        let export_ms = match request.time {
            ExportTime::At(at_ms) => at_ms,
            ExportTime::Now | ExportTime::Window { .. } => now_ms,
        };
        if incremental.is_some() || export_ms < now_ms {
            let from_ms = incremental.map_or(export_ms, |incremental| incremental.from_ms);
            shared.check_past(&table, from_ms)?;
        }
        let bucket = shared.buckets.find(&request.bucket)?;
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
            incremental,
            export_ms,
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
        let started = shared.start_with(&job, (!job.is_of_past()).then_some(snapshot));
        shared.database.submit(WriteRecords { changes: vec![job.change()?] }).await?;
        drop(started);
        Ok(job)
    }

    /// Describes an export.
    ///
    /// # Errors
    /// Fails with `ExportNotFoundException`.
    pub fn describe_export(&self, export_arn: &str) -> Result<ExportJob> {
        self.shared()
            .find_transfer(export_arn)?
            .ok_or_else(|| Refusal::ExportNotFound.with(format!("Export not found: {export_arn}")))
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
