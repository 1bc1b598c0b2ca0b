//! The key-value layer: typed access to any row of the table, with versions, expiry and one codec.
//!
//! Matches have entities of their own; this is for programs that bring their keys, and for what is only
//! known by its key. Conditions decide, never what was read before.

mod key;
mod lock;
mod log;
pub(crate) mod programs;

pub use key::Key;
pub use log::{EventPage, LogEntry};

use monotable::model::codec::CodecProblem;
use monotable::model::rows::{
    Counter as RowCounter, RecordPage, Records, Stored, WriteRecord, Written,
};
use monotable::model::time::EpochSeconds;
use monotable::model::{Error, Store};
use monotable_kit::{Counter, Metrics, Problem, ProblemKind};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::legacy;
use crate::patterns::BtlRun;

/// A row that is larger is written, and counted: it makes every read of it dear.
pub const LARGE_BYTES: usize = 100 * 1024;

/// The rows of the table by their keys.
#[derive(Clone)]
pub struct Kv {
    db: Store<BtlRun>,
    large: Counter,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The version of the row now.
    pub version: u64,
    /// Whether the row is larger than rows should be.
    pub is_large: bool,
}

/// What becomes of the expiry of a row that is written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// It stays.
    Kept,
    /// The row ends then, or never.
    Set(Option<EpochSeconds>),
}

/// Which row may be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Only {
    /// Whatever is there.
    Any,
    /// The one with this version; `None` is that of a program that wrote no versions.
    Version(Option<u64>),
    /// The one with this value, such as the token of its owner.
    Value(String),
}

impl Kv {
    /// The rows of a table.
    pub fn new(db: Store<BtlRun>) -> Self {
        Self { db, large: Counter::default() }
    }

    /// Counts rows that are larger than they should be.
    pub fn measure(&self, metrics: &Metrics) {
        let about = "Rows of more than 100 KB that were written by their keys.";
        metrics.count("btl_run_large_rows_total", about, &self.large);
    }

    /// The value under a key, with its version and expiry.
    ///
    /// # Errors
    /// What the table says.
    pub async fn get<T>(&self, key: &Key) -> Result<Option<Stored<T>>, Problem>
    where
        T: DeserializeOwned + Send,
    {
        self.db.run(legacy::record(key).read()).await.map_err(problem)
    }

    /// Values under any number of keys, in order, `None` where there is none.
    ///
    /// # Errors
    /// What the table says.
    pub async fn batch_get<T>(&self, keys: &[Key]) -> Result<Vec<Option<Stored<T>>>, Problem>
    where
        T: DeserializeOwned + Send,
    {
        let records = Records::of(keys.iter().map(legacy::record).collect());
        self.db.run(records.consistent()).await.map_err(problem)
    }

    /// A page of the values of a partition. Rows that can't be read are left out, so that they hide no
    /// others.
    ///
    /// # Errors
    /// What the table says.
    pub async fn query<T>(&self, records: Records<T>) -> Result<RecordPage<T>, Problem>
    where
        T: DeserializeOwned + Send,
    {
        let records = legacy::records(records).consistent().skip_unreadable();
        self.db.run(records).await.map_err(problem)
    }

    /// Writes a value where there is none, or one that has expired.
    ///
    /// # Errors
    /// 409 if there is one, 413 if the value is too large.
    pub async fn create<T>(
        &self,
        key: &Key,
        value: T,
        expires: Option<EpochSeconds>,
    ) -> Result<Kept, Problem>
    where
        T: Serialize + Send + Sync + 'static,
    {
        let create = legacy::record(key).create(value);
        let create = match expires {
            Some(at) => create.expires(at),
            None => create,
        };
        self.kept(self.db.run(create).await)
    }

    /// Writes a value over the version that was seen; `None` is the row of a program that wrote no
    /// versions. What else the row says stays.
    ///
    /// # Errors
    /// 409 if there is another version, 404 if there is none, 413 if the value is too large.
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
        self.write(legacy::record(key).replace(seen, value), expiry).await
    }

    /// Writes a value over whatever is there. What else the row says stays.
    ///
    /// # Errors
    /// 413 if the value is too large.
    pub async fn put<T>(&self, key: &Key, value: T, expiry: Expiry) -> Result<Kept, Problem>
    where
        T: Serialize + Send + Sync + 'static,
    {
        self.write(legacy::record(key).put(value), expiry).await
    }

    async fn write<T>(&self, write: WriteRecord<T>, expiry: Expiry) -> Result<Kept, Problem>
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
        let Written { version, bytes } = written.map_err(problem)?;
        let is_large = bytes > LARGE_BYTES;
        if is_large {
            self.large.add(1);
        }
        Ok(Kept { version, is_large })
    }

    /// Removes a row, and tells whether there was one.
    ///
    /// # Errors
    /// 409 if it is not the one that may be removed, and 404 if there is none where one must be.
    pub async fn delete(&self, key: &Key, only: Only) -> Result<bool, Problem> {
        let delete = legacy::record::<()>(key).delete();
        let delete = match only {
            Only::Any => delete,
            Only::Version(seen) => delete.version(seen),
            Only::Value(value) => delete.value(value),
        };
        self.db.run(delete).await.map_err(problem)
    }

    /// Adds to the number under a key, which begins at 0, but not beyond a limit. A number that begins
    /// now ends at the time that is given, if any.
    ///
    /// # Errors
    /// 429 if the limit is reached.
    pub async fn add(
        &self,
        key: &Key,
        by: i64,
        limit: Option<i64>,
        expires: Option<EpochSeconds>,
    ) -> Result<i64, Problem> {
        let mut add = RowCounter::at(key.row()).add(by);
        if let Some(limit) = limit {
            add = add.at_most(limit);
        }
        if let Some(at) = expires {
            add = add.expires(at);
        }
        self.db.run(add).await.map_err(problem)
    }
}

/// What an error of the table means to who asked by a key.
fn problem(error: Error) -> Problem {
    match error {
        Error::Exists { .. } => Problem::conflict("CONFLICT", "There is a value already."),
        Error::Encode { error, .. }
            if matches!(error.problem(), CodecProblem::ValueTooLarge { .. }) =>
        {
            let text = "The value is larger than a row may be, even compressed.";
            Problem::new(ProblemKind::TooLarge, "VALUE_TOO_LARGE", text)
        }
        error => Problem::from(error),
    }
}
