//! StartBulkPutItems: puts items from a bucket into a table that is in use, as ordinary puts.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use monotable_engine::{
    DescribeTable, Error as EngineError, Item, Pending, PutItem, PutItemOutput, TableStatus,
    WriteRecords,
};
use monotable_types::item_size_bytes;
use serde::{Deserialize, Serialize};

use crate::bucket::path_of_key;
use crate::codec::LineError;
use crate::error::{Error, Refusal, Result};
use crate::id::{Kind, arn};
use crate::import::{Compression, ErrorLog, ImportFormat, Objects, Problem, Source};
use crate::jobs::Control;
use crate::lifecycle::{Lifecycle, Shared};
use crate::page::{Page, page};
use crate::record::{self, Record};
use crate::token::Token;
use crate::transfer::Transfer;

/// The limit of unfinished bulk operations.
const BULK_MAX: usize = 50;
/// The limit of unfinished puts.
const UNFINISHED_MAX: usize = 128;
/// The progress is recorded each time after this many items.
const RECORDED_ITEMS: u64 = 2_000;
/// The bytes of a write unit.
const UNIT_BYTES: usize = 1024;

/// The state of a bulk operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BulkStatus {
    /// It is running.
    InProgress,
    /// Every item was put.
    Completed,
    /// Some items were invalid.
    CompletedWithErrors,
    /// It was cancelled, but has not stopped yet.
    Cancelling,
    /// It was cancelled.
    Cancelled,
    /// It failed.
    Failed,
}

impl BulkStatus {
    /// Returns AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "IN_PROGRESS",
            Self::Completed => "COMPLETED",
            Self::CompletedWithErrors => "COMPLETED_WITH_ERRORS",
            Self::Cancelling => "CANCELLING",
            Self::Cancelled => "CANCELLED",
            Self::Failed => "FAILED",
        }
    }

    fn is_over(self) -> bool {
        !matches!(self, Self::InProgress | Self::Cancelling)
    }
}

/// The parameters of StartBulkPutItems.
#[derive(Clone, Debug)]
pub struct BulkRequest {
    /// The table, by name or ARN.
    pub table_name: String,
    /// The token; a repeated request with the same token is run once.
    pub token: Option<Token>,
    /// The bucket of the objects.
    pub bucket: String,
    /// The prefix of their keys.
    pub prefix: Option<String>,
    /// Their format.
    pub format: ImportFormat,
    /// Their compression.
    pub compression: Compression,
    /// The bucket of the list of errors, if one is wanted.
    pub error_bucket: Option<String>,
    /// The prefix of its key.
    pub error_prefix: Option<String>,
    /// The request's input, which descriptions repeat unchanged.
    pub input: String,
    /// The request's output, which descriptions repeat unchanged.
    pub output: String,
    /// The limit of write units per second.
    pub units_max: Option<u64>,
    /// Stored and returned, without an effect.
    pub tier: String,
}

/// A bulk operation: running, completed or failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BulkJob {
    /// Its identifier.
    pub id: String,
    /// Its state.
    pub status: BulkStatus,
    /// The table.
    pub table_name: String,
    /// Its ARN.
    pub table_arn: String,
    /// Its identity.
    pub table_id: String,
    /// The request's token.
    pub token: Option<Token>,
    bucket: String,
    prefix: Option<String>,
    format: ImportFormat,
    compression: Compression,
    error_bucket: Option<String>,
    error_prefix: Option<String>,
    /// The request's input.
    pub input: String,
    /// The request's output.
    pub output: String,
    /// The limit of write units per second.
    pub units_max: Option<u64>,
    /// `STANDARD` or `ACCELERATED`.
    pub tier: String,
    /// The time when it began, in milliseconds since the epoch.
    pub start_ms: u64,
    /// The time when it ended.
    pub end_ms: Option<u64>,
    /// Items read so far.
    pub processed_items: u64,
    /// Bytes read so far.
    pub processed_bytes: u64,
    /// Bytes of all objects.
    pub total_bytes: Option<u64>,
    /// The number of invalid items.
    pub failed_items: u64,
    /// AWS's code for the failure.
    pub failure_code: Option<String>,
    /// The message of the failure.
    pub failure_message: Option<String>,
    /// The current object, and the number of its items that are done.
    place: (String, u64),
}

impl Record for BulkJob {
    const PREFIX: &'static str = "bulk/";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Transfer for BulkJob {
    const KIND: Kind = Kind::BulkOperation;
    const MAX: usize = BULK_MAX;
    const TOO_MANY: &'static str = "bulk operations are in progress";
    const CONFLICT: Refusal = Refusal::TokenMismatch;

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

impl BulkJob {
    /// Returns its ARN.
    pub fn arn(&self) -> String {
        arn(&self.table_arn, Kind::BulkOperation, &self.id)
    }

    pub(crate) fn is_unfinished(&self) -> bool {
        !self.status.is_over()
    }
}

fn not_found(arn: &str) -> Error {
    Refusal::ResourceNotFound
        .with(format!("Requested resource not found: Bulk operation: {arn} not found"))
}

impl Lifecycle {
    /// Starts to put the items of a bucket into a table.
    ///
    /// # Errors
    /// Fails with `ResourceNotFoundException`, `ResourceInUseException`, `LimitExceededException`
    /// or `IdempotentParameterMismatchException`, or with `ValidationException` for a missing
    /// bucket.
    pub async fn start_bulk_put(&self, request: BulkRequest) -> Result<BulkJob> {
        let shared = self.shared();
        let now_ms = shared.database.now_ms();
        if let Some(job) = shared.admit(request.token.as_ref(), now_ms)? {
            return Ok(job);
        }
        let table = shared.database.describe_table(DescribeTable::new(request.table_name))?.table;
        if table.table_status != TableStatus::Active {
            return Err(
                Refusal::ResourceInUse.with(format!("Table is not active: {}", table.table_name))
            );
        }
        shared.buckets.find(&request.bucket)?;
        if let Some(bucket) = &request.error_bucket {
            shared.buckets.find(bucket)?;
        }
        let job = BulkJob {
            id: shared.ids.next(now_ms, &table.table_name),
            status: BulkStatus::InProgress,
            table_name: table.table_name,
            table_arn: table.table_arn,
            table_id: table.table_id,
            token: request.token,
            bucket: request.bucket,
            prefix: request.prefix,
            format: request.format,
            compression: request.compression,
            error_bucket: request.error_bucket,
            error_prefix: request.error_prefix,
            input: request.input,
            output: request.output,
            units_max: request.units_max,
            tier: request.tier,
            start_ms: now_ms,
            end_ms: None,
            processed_items: 0,
            processed_bytes: 0,
            total_bytes: None,
            failed_items: 0,
            failure_code: None,
            failure_message: None,
            place: (String::new(), 0),
        };
        let started = shared.start_with(&job, None);
        shared.database.submit(WriteRecords { changes: vec![job.change()?] }).await?;
        drop(started);
        Ok(job)
    }

    /// Describes a bulk operation.
    ///
    /// # Errors
    /// Fails with `ResourceNotFoundException`.
    pub fn describe_bulk_operation(&self, bulk_arn: &str) -> Result<BulkJob> {
        let shared = self.shared();
        let mut job: BulkJob =
            shared.find_transfer(bulk_arn)?.ok_or_else(|| not_found(bulk_arn))?;
        if let Some(control) = shared.jobs.control(&job.key())
            && !job.status.is_over()
        {
            job.processed_items = job.processed_items.max(control.items.load(Ordering::Relaxed));
            job.processed_bytes = job.processed_bytes.max(control.bytes.load(Ordering::Relaxed));
            job.failed_items = job.failed_items.max(control.errors.load(Ordering::Relaxed));
            if control.is_cancelled() {
                job.status = BulkStatus::Cancelling;
            }
        }
        Ok(job)
    }

    /// Lists bulk operations, newest first.
    ///
    /// # Errors
    /// Fails with `ValidationException` for an unknown token.
    pub fn list_bulk_operations(&self, limit: usize, token: Option<&str>) -> Result<Page<BulkJob>> {
        let jobs = record::all::<BulkJob>(&self.shared().database)?;
        page(jobs, limit, token, |job| job.id.clone())
    }

    /// Cancels a bulk operation. Items that were put stay; an operation that has ended is not
    /// changed.
    ///
    /// # Errors
    /// Fails with `ResourceNotFoundException`.
    pub fn cancel_bulk_operation(&self, bulk_arn: &str) -> Result<BulkStatus> {
        let job = self.describe_bulk_operation(bulk_arn)?;
        match self.shared().jobs.control(&job.key()) {
            Some(control) if !job.status.is_over() => {
                control.cancel();
                Ok(BulkStatus::Cancelling)
            }
            _ => Ok(job.status),
        }
    }
}

/// The end of an operation that was not interrupted.
enum Ended {
    Done,
    Cancelled,
}

impl Shared {
    /// Runs the bulk operation of a record, from its recorded position.
    pub(crate) fn run_bulk(&self, id: &str, control: &Control) -> Result<()> {
        let Some(mut job) = record::find::<BulkJob>(&self.database, id)? else { return Ok(()) };
        if job.status.is_over() {
            return Ok(());
        }
        let result = self.put_from_bucket(&mut job, control);
        match &result {
            Err(Error::Interrupted) => {
                // The progress was recorded when no put was unfinished.
                return result.map(drop);
            }
            Ok(Ended::Cancelled) => {
                job.status = BulkStatus::Cancelled;
                job.failure_code = Some("Cancelled".to_owned());
                job.failure_message = Some("The operation was cancelled".to_owned());
            }
            Ok(Ended::Done) if job.failed_items > 0 => job.status = BulkStatus::CompletedWithErrors,
            Ok(Ended::Done) => job.status = BulkStatus::Completed,
            Err(error) => {
                job.status = BulkStatus::Failed;
                job.failure_code = Some(error.code().to_owned());
                job.failure_message = Some(error.to_string());
            }
        }
        job.end_ms = Some(self.database.now_ms());
        job.save(&self.database)?;
        result.map(drop)
    }

    fn put_from_bucket(&self, job: &mut BulkJob, control: &Control) -> Result<Ended> {
        let bucket = self.buckets.find(&job.bucket)?;
        let objects = Objects::list(&bucket, job.prefix.as_deref().unwrap_or_default())?;
        job.total_bytes = Some(objects.total_bytes());
        let source = Source {
            format: job.format,
            csv: None,
            compression: job.compression,
            definitions: Vec::new(),
            codec: self.options.codec.clone(),
        };
        control.items.store(job.processed_items, Ordering::Relaxed);
        control.bytes.store(job.processed_bytes, Ordering::Relaxed);
        control.errors.store(job.failed_items, Ordering::Relaxed);
        let mut log = self.error_log(job)?;
        let mut puts = Puts { unfinished: VecDeque::new(), pace: Pace::new(job.units_max) };
        let start = job.place.clone();
        for (key, _) in objects.found.iter().filter(|(key, _)| *key >= start.0) {
            let mut items = source.open(&objects, key)?;
            let done = if *key == start.0 { start.1 } else { 0 };
            (job.place, job.processed_bytes) =
                ((key.clone(), 0), control.bytes.load(Ordering::Relaxed));
            let mut counted = 0;
            while let Some(item) = items.next() {
                job.place.1 += 1;
                if job.place.1 <= done {
                    counted = items.bytes;
                    continue;
                }
                control.count(1, items.bytes - counted);
                counted = items.bytes;
                match item {
                    Ok(item) => puts.put(self, job, item, control, log.as_mut())?,
                    Err(problem) => note(control, log.as_mut(), &problem)?,
                }
                let is_stopping = control.check().is_err() || control.is_cancelled();
                if is_stopping
                    || control.items.load(Ordering::Relaxed).is_multiple_of(RECORDED_ITEMS)
                {
                    puts.finish(job, control, log.as_mut())?;
                    self.record(job, control)?;
                    control.check()?;
                }
                if control.is_cancelled() {
                    return Ok(Ended::Cancelled);
                }
            }
            puts.finish(job, control, log.as_mut())?;
        }
        if let Some(log) = log {
            log.finish()?;
        }
        self.record(job, control)?;
        Ok(Ended::Done)
    }

    /// Opens the list of errors, if the request wants one.
    fn error_log(&self, job: &BulkJob) -> Result<Option<ErrorLog>> {
        let Some(bucket) = &job.error_bucket else { return Ok(None) };
        let bucket = self.buckets.find(bucket)?;
        let prefix = job.error_prefix.as_deref().unwrap_or_default().trim_end_matches('/');
        let separator = if prefix.is_empty() { "" } else { "/" };
        let folder = path_of_key(&bucket, &format!("{prefix}{separator}AWSDynamoDB/{}", job.id))?;
        Ok(Some(ErrorLog::append(folder, "ERROR.json", job.failed_items)))
    }

    fn record(&self, job: &mut BulkJob, control: &Control) -> Result<()> {
        job.processed_items = control.items.load(Ordering::Relaxed);
        job.processed_bytes = control.bytes.load(Ordering::Relaxed);
        job.failed_items = control.errors.load(Ordering::Relaxed);
        job.save(&self.database)
    }
}

fn note(control: &Control, log: Option<&mut ErrorLog>, problem: &Problem) -> Result<()> {
    control.errors.fetch_add(1, Ordering::Relaxed);
    log.map_or(Ok(()), |log| log.add(problem))
}

/// The unfinished puts.
struct Puts {
    unfinished: VecDeque<(u64, Pending<PutItemOutput>)>,
    pace: Pace,
}

impl Puts {
    fn put(
        &mut self,
        shared: &Shared,
        job: &BulkJob,
        item: Item,
        control: &Control,
        log: Option<&mut ErrorLog>,
    ) -> Result<()> {
        self.pace.wait(item_size_bytes(&item).div_ceil(UNIT_BYTES).max(1) as u64);
        let put = PutItem::new(job.table_arn.as_str(), item);
        let pending = shared.database.submit(put);
        self.unfinished.push_back((job.place.1, pending));
        if self.unfinished.len() >= UNFINISHED_MAX {
            self.finish_one(job, control, log)
        } else {
            Ok(())
        }
    }

    fn finish_one(
        &mut self,
        job: &BulkJob,
        control: &Control,
        log: Option<&mut ErrorLog>,
    ) -> Result<()> {
        let Some((number, pending)) = self.unfinished.pop_front() else { return Ok(()) };
        match pending.wait() {
            Ok(_) => Ok(()),
            Err(EngineError::Validation(text)) => {
                let error = LineError::Item(text);
                note(control, log, &Problem { object: job.place.0.clone(), item: number, error })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn finish(
        &mut self,
        job: &BulkJob,
        control: &Control,
        mut log: Option<&mut ErrorLog>,
    ) -> Result<()> {
        while !self.unfinished.is_empty() {
            self.finish_one(job, control, log.as_deref_mut())?;
        }
        Ok(())
    }
}

/// Limits the rate of puts.
struct Pace {
    units_max: Option<u64>,
    since: Instant,
    units: u64,
}

impl Pace {
    fn new(units_max: Option<u64>) -> Self {
        Self { units_max, since: Instant::now(), units: 0 }
    }

    fn wait(&mut self, units: u64) {
        let Some(units_max) = self.units_max else { return };
        self.units += units;
        let due = Duration::from_secs_f64(self.units as f64 / units_max as f64);
        let early = due.saturating_sub(self.since.elapsed());
        if early > Duration::from_millis(5) {
            std::thread::sleep(early);
        }
    }
}
