//! Append-only logs with a contiguous sequence, and the snapshot that is folded from them.
//!
//! Events and snapshot are written in one transaction, under the condition that the snapshot has
//! not changed since it was read. So the log never has a gap or a duplicate number, and the
//! snapshot always equals the fold of its events.

mod append;
mod read;
mod replay;

pub use append::Append;
pub use read::{LogEntry, LogPage, ReadLog, ReadSnapshot};
pub use replay::{ReplayLog, Replayed};

use std::fmt;
use std::marker::PhantomData;

use monotable_design::meta::RuleKind;
use monotable_types::Item;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::key::{NumberedKey, RuleKey};
use super::operation::RuleOperation;
use super::row::RuleRow;
use crate::error::Error;

/// The key of a log: `#[rule(Log, …)]`. `{seq:06}` in its sort key is the number of an event, and `snapshot`
/// is the sort key of the snapshot.
pub trait LogKey: RuleKey {
    /// Returns the log of events `E` with this key, whose snapshot is `S`.
    fn log<E: LogValue, S: LogValue>(self) -> Log<Self, E, S> {
        let rows = LogRows { key: NumberedKey::new(self), types: PhantomData };
        Log { rows, key: PhantomData }
    }
}

/// The values in a log: its events, and its snapshot.
pub trait LogValue: Serialize + DeserializeOwned + Send + 'static {}

impl<T: Serialize + DeserializeOwned + Send + 'static> LogValue for T {}

/// A log of events `E` with a snapshot `S`, in one partition.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::{LogKey as _, Snapshot};
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Log, pk = "match#{match_id}", sk = "log#{seq:06}", snapshot = "state")]
/// pub struct MatchLog {
///     pub match_id: String,
/// }
///
/// let log = MatchLog { match_id: "m1".to_owned() }.log::<String, u32>();
/// // The first events: db.run(append).await? is the snapshot to append to next.
/// let append = log.append(&Snapshot::first(), vec!["MATCH_CREATED".to_owned()], 1);
/// let events = log.read(0, 200); // db.run(events).await? is a page of the events after number 0
/// ```
pub struct Log<K, E, S> {
    rows: LogRows<E, S>,
    key: PhantomData<fn() -> K>,
}

impl<K, E, S> fmt::Debug for Log<K, E, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.fmt(formatter)
    }
}

impl<K, E, S> Clone for Log<K, E, S> {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), key: PhantomData }
    }
}

/// The rows of a log.
struct LogRows<E, S> {
    key: NumberedKey,
    types: PhantomData<fn() -> (E, S)>,
}

impl<E, S> fmt::Debug for LogRows<E, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Log").field("key", &self.key).finish_non_exhaustive()
    }
}

impl<E, S> Clone for LogRows<E, S> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), types: PhantomData }
    }
}

/// The snapshot of a log: the state after its events.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot<S> {
    /// The state; `None` before the first event.
    pub state: Option<S>,
    /// The number of changes.
    pub version: u64,
    /// The number of the last event.
    pub sequence: u64,
    /// The row, for attributes of other programs.
    row: Option<Item>,
}

impl<S> Snapshot<S> {
    /// Returns the snapshot of a log without events.
    pub fn first() -> Self {
        Self { state: None, version: 0, sequence: 0, row: None }
    }
}

impl<K: LogKey, E: LogValue, S: LogValue> Log<K, E, S> {
    /// Appends events after the snapshot that was read, and writes the new state. It fails with
    /// [`Error::VersionConflict`] if another caller has appended since, and with
    /// [`Error::OutOfSequence`] if there are events that no snapshot includes.
    pub fn append(
        &self,
        seen: &Snapshot<S>,
        events: Vec<E>,
        state: S,
    ) -> RuleOperation<K, Append<E, S>> {
        RuleOperation::new(Append::new(self.rows.clone(), seen, events, state))
    }

    /// Returns the snapshot; an empty one for a log without events.
    pub fn snapshot(&self) -> RuleOperation<K, ReadSnapshot<E, S>> {
        RuleOperation::new(ReadSnapshot(self.rows.clone()))
    }

    /// Returns the events after a number, at most `limit`.
    pub fn read(&self, after: u64, limit: u32) -> RuleOperation<K, ReadLog<E, S>> {
        RuleOperation::new(ReadLog { log: self.rows.clone(), after, limit })
    }

    /// Folds all events up to the snapshot, for comparison with it.
    pub fn replay<F>(&self, first: S, fold: F) -> RuleOperation<K, ReplayLog<E, S, F>>
    where
        F: FnMut(S, E) -> S + Send,
    {
        RuleOperation::new(ReplayLog { log: self.rows.clone(), first, fold })
    }
}

impl<E, S> LogRows<E, S> {
    /// Returns the row of an event.
    fn event_row(&self, number: u64) -> RuleRow {
        self.key.row(RuleKind::Log, number)
    }

    /// Returns the row of the snapshot.
    fn snapshot_row(&self) -> RuleRow {
        self.key.snapshot("snapshot")
    }

    fn out_of_sequence(&self, expected: u64) -> Error {
        Error::OutOfSequence { log: self.key.partition(), expected }
    }
}
