//! Append-only logs with a contiguous sequence, and the snapshot that is folded from them.
//!
//! Events and snapshot are written in one transaction, under the condition that the snapshot is the one
//! that was seen: so there is never a gap, a number twice, or a snapshot that the log does not explain.

mod append;
mod read;
mod replay;
mod sequence;

pub use append::Append;
pub use read::{LogEntry, LogPage, ReadLog, ReadSnapshot};
pub use replay::{ReplayLog, Replayed};

use std::fmt;
use std::marker::PhantomData;

use monotable_types::Item;
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::sequence::SequenceTemplate;
use super::key::RowKey;
use super::layout::Layout;
use super::place::Place;
use crate::error::{Error, Result};

/// A log of events `E` with a snapshot `S`, in one partition.
///
/// ```
/// use monotable_model::rows::{Log, Snapshot};
///
/// let log = Log::<String, u32>::new("match#m1", "log#{seq:06}", "state")?;
/// // The first events: db.run(append).await? is the snapshot to append to next.
/// let append = log.append(&Snapshot::first(), vec!["MATCH_CREATED".to_owned()], 1);
/// let events = log.read(0, 200); // db.run(events).await? is a page of the events after number 0
/// # Ok::<(), monotable_model::Error>(())
/// ```
pub struct Log<E, S> {
    partition: String,
    template: SequenceTemplate,
    snapshot: String,
    layout: Layout,
    types: PhantomData<fn() -> (E, S)>,
}

impl<E, S> fmt::Debug for Log<E, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Log")
            .field("partition", &self.partition)
            .field("snapshot", &self.snapshot)
            .finish_non_exhaustive()
    }
}

impl<E, S> Clone for Log<E, S> {
    fn clone(&self) -> Self {
        Self {
            partition: self.partition.clone(),
            template: self.template.clone(),
            snapshot: self.snapshot.clone(),
            layout: self.layout,
            types: PhantomData,
        }
    }
}

/// The snapshot of a log: what its events have made so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot<S> {
    /// What the events have made; `None` before the first.
    pub state: Option<S>,
    /// The number of changes.
    pub version: u64,
    /// The number of the last event.
    pub sequence: u64,
    /// The row, for what others keep in it.
    row: Option<Item>,
}

impl<S> Snapshot<S> {
    /// The snapshot of a log without events.
    pub fn first() -> Self {
        Self { state: None, version: 0, sequence: 0, row: None }
    }
}

impl<E, S> Log<E, S>
where
    E: Serialize + DeserializeOwned + Send + 'static,
    S: Serialize + DeserializeOwned + Send + 'static,
{
    /// The log in this partition. `template` makes the sort keys of its events, with one number that is
    /// padded: `log#{seq:06}`. `snapshot` is the sort key of the snapshot.
    ///
    /// # Errors
    /// If the template is none, or has not one padded number.
    pub fn new(
        partition: impl Into<String>,
        template: &str,
        snapshot: impl Into<String>,
    ) -> Result<Self> {
        let template = SequenceTemplate::parse(template)?;
        let snapshot = snapshot.into();
        if template.number(&snapshot).is_some() {
            return Err(Error::Settings(format!(
                "the snapshot `{snapshot}` would stand among the events of its log"
            )));
        }
        Ok(Self {
            partition: partition.into(),
            template,
            snapshot,
            layout: Layout::default(),
            types: PhantomData,
        })
    }

    /// Names the attributes of the rows.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Appends events behind those of the snapshot that was seen, and writes the new state. It is
    /// [`Error::VersionConflict`] if somebody else appended since, and [`Error::OutOfSequence`] if
    /// there are events that no snapshot tells of.
    pub fn append(&self, seen: &Snapshot<S>, events: Vec<E>, state: S) -> Append<E, S> {
        Append::new(self.clone(), seen, events, state)
    }

    /// The snapshot; that of a log without events if there is none.
    pub fn snapshot(&self) -> ReadSnapshot<E, S> {
        ReadSnapshot(self.clone())
    }

    /// The events after a number, at most so many.
    pub fn read(&self, after: u64, limit: u32) -> ReadLog<E, S> {
        ReadLog { log: self.clone(), after, limit }
    }

    /// Folds all events up to the snapshot, to be compared with it.
    pub fn replay<F>(&self, first: S, fold: F) -> ReplayLog<E, S, F>
    where
        F: FnMut(S, E) -> S + Send,
    {
        ReplayLog { log: self.clone(), first, fold }
    }

    /// Where an event stands.
    fn event_place(&self, number: u64) -> Result<Place> {
        let sort =
            self.template.render(number).map_err(|error| Error::Key { entity: "log", error })?;
        let key = RowKey::new(&self.partition, sort);
        Ok(Place { layout: self.layout, ..Place::new("log", key) })
    }

    /// Where the snapshot stands.
    fn snapshot_place(&self) -> Place {
        let key = RowKey::new(&self.partition, &self.snapshot);
        Place { layout: self.layout, ..Place::new("snapshot", key) }
    }

    fn out_of_sequence(&self, expected: u64) -> Error {
        Error::OutOfSequence { log: self.partition.clone(), expected }
    }
}
