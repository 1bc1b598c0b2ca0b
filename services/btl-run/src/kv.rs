//! The key-value layer: typed access to any row of the table, with versions, expiry and one codec.
//!
//! Matches have their own entities; this is for programs that choose their own keys, and for rows
//! that are only known by their key. Conditions decide, not what was read before.

mod key;
mod lock;
mod log;

pub use key::Key;
pub(crate) use key::{check_partition, is_private_partition};
pub use log::{EventPage, LogEntry};
pub(crate) use log::{log_records, seq};

use monotable::model::codec::CodecProblem;
use monotable::model::rows::{
    CounterKey as _, CreateRecord, Record, RecordKey as _, RecordPage, Records, RuleOperation,
    Stored, WriteRecord, Written,
};
use monotable::model::time::EpochSeconds;
use monotable::model::{Error, Store};
use monotable_kit::{Counter, Metrics, Problem};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::refusal::Refusal;
use crate::table::BtlRun;

/// Larger rows are written, and counted: they make every read expensive.
pub const LARGE_BYTES: usize = 100 * 1024;

/// The rows of the table by their keys.
#[derive(Clone)]
pub struct Kv {
    db: Store<BtlRun>,
    large: Counter,
}

/// The result of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The version of the row now.
    pub version: u64,
    /// Whether the row is larger than rows should be.
    pub is_large: bool,
}

impl Kept {
    pub(crate) fn of(written: &Written) -> Self {
        Self { version: written.version, is_large: written.bytes > LARGE_BYTES }
    }
}

/// What happens to the expiry of a row that is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// It is kept.
    Kept,
    /// The row expires then, or never.
    Set(Option<EpochSeconds>),
}

/// Which row may be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Only {
    /// Any row.
    Any,
    /// The row with this version; `None` for a row of a program that wrote no versions.
    Version(Option<u64>),
    /// The row with this value, such as the token of its owner.
    Value(String),
}

impl Kv {
    /// Returns the rows of a table.
    pub fn new(db: Store<BtlRun>) -> Self {
        Self { db, large: Counter::default() }
    }

    /// Counts rows that are larger than they should be.
    pub fn measure(&self, metrics: &Metrics) {
        let about = "Rows of more than 100 KB that were written by their keys.";
        metrics.count("btl_run_large_rows_total", about, &self.large);
    }

    /// Returns the value under a key, with its version and expiry.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn get<T>(&self, key: &Key) -> Result<Option<Stored<T>>, Problem>
    where
        T: DeserializeOwned + Send,
    {
        self.db.run(record(key).read()).await.map_err(problem)
    }

    /// Returns the version of the row under a key, also where its value can't be read; `Some(None)` is the row of
    /// a program that wrote no versions.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn version(&self, key: &Key) -> Result<Option<Option<u64>>, Problem> {
        let rows = Key::records::<IgnoredAny>(&key.pk().to_owned()).between(key.sk(), key.sk());
        let page = self.query(rows).await?;
        let readable = page.entries.into_iter().map(|entry| entry.stored.version);
        let unreadable = page.unreadable.into_iter().map(|row| row.version);
        Ok(readable.chain(unreadable).next())
    }

    /// Returns the values of any number of keys, in order, `None` for missing ones.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn batch_get<T>(&self, keys: &[Key]) -> Result<Vec<Option<Stored<T>>>, Problem>
    where
        T: DeserializeOwned + Send,
    {
        let records = Record::read_many(keys.iter().map(record).collect());
        self.db.run(records.consistent()).await.map_err(problem)
    }

    /// Returns a page of the values of a partition. Rows that can't be read hide no others; the page lists them.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn query<T>(
        &self,
        records: RuleOperation<Key, Records<T>>,
    ) -> Result<RecordPage<T>, Problem>
    where
        T: DeserializeOwned + Send,
    {
        self.db.run(records.consistent().skip_unreadable()).await.map_err(problem)
    }

    /// Creates a value, which must not exist or have expired.
    ///
    /// # Errors
    /// Returns 409 if there is one, 413 if the value is too large.
    pub async fn create<T>(
        &self,
        key: &Key,
        value: T,
        expires: Option<EpochSeconds>,
    ) -> Result<Kept, Problem>
    where
        T: Serialize + Send + Sync + 'static,
    {
        self.kept(self.db.run(creation(key, value, expires)).await)
    }

    /// Replaces the version that was read; `None` stands for a row without a version. Other
    /// attributes of the row are kept.
    ///
    /// # Errors
    ///
    /// Returns 409 for another version, 404 for a missing row, 413 if the value is too large.
    pub async fn replace<T>(
        &self,
        key: &Key,
        seen: Option<u64>,
        value: T,
        expiry: Expiry,
    ) -> Result<Kept, Problem>
    where
        T: Serialize + Send + Sync + 'static,
    {
        self.write(record(key).replace(seen, value), expiry).await
    }

    /// Writes a value, whether or not the row exists. Other attributes of the row are kept.
    ///
    /// # Errors
    /// Returns 413 if the value is too large.
    pub async fn put<T>(&self, key: &Key, value: T, expiry: Expiry) -> Result<Kept, Problem>
    where
        T: Serialize + Send + Sync + 'static,
    {
        self.write(record(key).put(value), expiry).await
    }

    async fn write<T>(
        &self,
        write: RuleOperation<Key, WriteRecord<T>>,
        expiry: Expiry,
    ) -> Result<Kept, Problem>
    where
        T: Serialize + Send + Sync + 'static,
    {
        let write = match expiry {
            Expiry::Kept => write,
            Expiry::Set(at) => write.expires(at),
        };
        self.kept(self.db.run(write).await)
    }

    fn kept(&self, written: Result<Written, Error>) -> Result<Kept, Problem> {
        let kept = Kept::of(&written.map_err(problem)?);
        self.count(kept);
        Ok(kept)
    }

    /// Counts a row that is larger than it should be.
    pub(crate) fn count(&self, kept: Kept) {
        if kept.is_large {
            self.large.add(1);
        }
    }

    /// Removes a row, and returns whether it existed.
    ///
    /// # Errors
    ///
    /// Returns 409 if it is not the expected one, and 404 if it is missing but must exist.
    pub async fn delete(&self, key: &Key, only: Only) -> Result<bool, Problem> {
        let delete = record::<()>(key).delete();
        let delete = match only {
            Only::Any => delete,
            Only::Version(seen) => delete.version(seen),
            Only::Value(value) => delete.value(value),
        };
        self.db.run(delete).await.map_err(problem)
    }

    /// Adds to the number under a key, which starts at 0, but not beyond a limit. A new number
    /// expires at the given time, if any.
    ///
    /// # Errors
    /// Returns 429 if the limit is reached.
    pub async fn add(
        &self,
        key: &Key,
        by: i64,
        limit: Option<i64>,
        expires: Option<EpochSeconds>,
    ) -> Result<i64, Problem> {
        let mut add = key.clone().counter().add(by);
        if let Some(limit) = limit {
            add = add.at_most(limit);
        }
        if let Some(at) = expires {
            add = add.expires(at);
        }
        self.db.run(add).await.map_err(problem)
    }
}

/// Returns the record under a key.
fn record<T>(key: &Key) -> Record<Key, T> {
    key.clone().record()
}

/// Returns the operation that creates a value.
pub(crate) fn creation<T>(
    key: &Key,
    value: T,
    expires: Option<EpochSeconds>,
) -> RuleOperation<Key, CreateRecord<T>>
where
    T: Serialize + Send + Sync + 'static,
{
    let create = record(key).create(value);
    match expires {
        Some(at) => create.expires(at),
        None => create,
    }
}

/// Returns the problem for an error of the table, for callers that chose a key.
pub(crate) fn problem(error: Error) -> Problem {
    match error {
        Error::Exists { .. } => Refusal::ValueExists.into(),
        Error::Encode { error, .. }
            if matches!(error.problem(), CodecProblem::ValueTooLarge { .. }) =>
        {
            Refusal::ValueTooLarge.into()
        }
        Error::Decode { message, .. } => {
            Problem { internal: Some(message), ..Problem::from(Refusal::ValueUnreadable) }
        }
        error => Problem::from(error),
    }
}
