//! Checks that the snapshot of a log equals the fold of its events.

use std::fmt;

use super::{LogRows, LogValue, ReadLog, ReadSnapshot};
use crate::context::Context;
use crate::error::Result;
use crate::rows::run::RunRule;

/// How many events are read at a time.
const PAGE_EVENTS: u32 = 200;

/// Folds a log. Made by [`Log::replay`](super::Log::replay).
pub struct ReplayLog<E, S, F> {
    pub(super) log: LogRows<E, S>,
    pub(super) first: S,
    pub(super) fold: F,
}

impl<E, S, F> fmt::Debug for ReplayLog<E, S, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ReplayLog").field("log", &self.log).finish_non_exhaustive()
    }
}

/// The fold of a log's events, and its snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed<S> {
    /// The state folded from the events up to the snapshot.
    pub folded: S,
    /// The state of the snapshot; `None` for a log without events.
    pub snapshot: Option<S>,
}

impl<S: PartialEq> Replayed<S> {
    /// Returns whether the snapshot equals the fold. That is true for a log without events.
    pub fn is_explained(&self) -> bool {
        self.snapshot.as_ref().is_none_or(|snapshot| *snapshot == self.folded)
    }
}

impl<E, S, F> RunRule for ReplayLog<E, S, F>
where
    E: LogValue,
    S: LogValue,
    F: FnMut(S, E) -> S + Send,
{
    type Output = Replayed<S>;

    /// Events after the snapshot are ignored: they may be appended while this runs.
    async fn run(mut self, context: &Context) -> Result<Replayed<S>> {
        let snapshot = ReadSnapshot(self.log.clone()).run(context).await?;
        let mut folded = self.first;
        let mut sequence = 0;
        while sequence < snapshot.sequence {
            let (log, limit) = (self.log.clone(), PAGE_EVENTS);
            let read = ReadLog { log, after: sequence, limit };
            let page = read.run(context).await?;
            for entry in page.entries {
                if sequence == snapshot.sequence {
                    break;
                }
                sequence += 1;
                if entry.sequence != sequence {
                    return Err(self.log.out_of_sequence(sequence));
                }
                folded = (self.fold)(folded, entry.event);
            }
            if page.next.is_none() && sequence < snapshot.sequence {
                return Err(self.log.out_of_sequence(sequence + 1));
            }
        }
        Ok(Replayed { folded, snapshot: snapshot.state })
    }
}
