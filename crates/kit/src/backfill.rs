//! Brings rows of older programs up to date, and reports what was done and what needs a decision.
//!
//! A backfill walks the table page by page and repairs each row in a small transaction of its own,
//! so that it can run while the service is in use, be stopped at any point, and run again: every
//! write is conditional on the rows that it was derived from, and correct rows are not written.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use monotable::model::{Entity, Error, Holds, RowSet, RowStream, Store};
use serde::Serialize;

use crate::box_future::BoxFuture;
use crate::problem::Problem;

/// How often a row is read again because others keep changing it.
const ATTEMPTS_MAX: usize = 5;

/// A running backfill: what it has seen and done so far. `C` is the type of conflicts that need a
/// decision in this service.
///
/// ```
/// use monotable_kit::backfill::{Backfill, Look};
/// use monotable_kit::Problem;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Problem> {
/// let backfill = Backfill::<String>::new(&["guards"]);
/// // Looks at one thing until it is right; again when somebody else changes it meanwhile.
/// backfill.settle("TEAM#red / NUMBER#07".to_owned(), || async {
///     backfill.repaired("guards", 1);
///     Ok::<_, Problem>(Look::Settled)
/// }).await?;
/// assert_eq!(backfill.finish().repaired["guards"], 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Backfill<C> {
    report: Mutex<BackfillReport<C>>,
}

/// What a backfill repaired, and what it left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackfillReport<C> {
    /// The number of rows that were read.
    pub rows: u64,
    /// The number of repairs, by the names that the backfill was created with.
    #[serde(flatten)]
    pub repaired: BTreeMap<&'static str, u64>,
    /// Rows that need a decision, or another run.
    pub conflicts: Vec<Conflict<C>>,
}

/// Why a row was left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Conflict<C> {
    /// A row can't be read.
    Unreadable {
        /// The reason.
        reason: String,
    },
    /// Other writers changed the row on every attempt.
    Busy {
        /// The row.
        row: String,
    },
    /// Something needs a decision.
    #[serde(untagged)]
    Decision(C),
}

/// The result of checking a row once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The row is correct, or the conflict was reported.
    Settled,
    /// Something was written; check again what is stored now.
    Again,
}

impl<C: PartialEq> Backfill<C> {
    /// Starts a backfill that counts repairs under these names. All of them appear in the report.
    pub fn new(names: &[&'static str]) -> Self {
        let repaired = names.iter().map(|name| (*name, 0)).collect();
        let report = BackfillReport { rows: 0, repaired, conflicts: Vec::new() };
        Self { report: Mutex::new(report) }
    }

    /// Returns the report.
    pub fn finish(self) -> BackfillReport<C> {
        self.report.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts repairs.
    pub fn repaired(&self, name: &'static str, count: u64) {
        *self.lock().repaired.entry(name).or_default() += count;
    }

    /// Reports a conflict that needs a decision. The same conflict is reported once.
    pub fn needs_decision(&self, conflict: C) {
        self.conflict(Conflict::Decision(conflict));
    }

    /// Reports an unreadable row. The same row is reported once.
    pub fn unreadable(&self, reason: String) {
        self.conflict(Conflict::Unreadable { reason });
    }

    /// Returns the next row that can be read, and counts it. Rows that can't be read are counted and
    /// reported.
    ///
    /// # Errors
    /// Fails if the table can't be read.
    pub async fn next<S: RowSet>(&self, rows: &mut RowStream<S>) -> Result<Option<S>, Error> {
        while let Some(row) = rows.next().await {
            self.lock().rows += 1;
            match row {
                Ok(row) => return Ok(Some(row)),
                Err(error @ (Error::Decode { .. } | Error::Key { .. })) => {
                    self.unreadable(error.to_string());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Repeats a check until it is settled, and after every lost race. A row that loses the race on
    /// every attempt is reported.
    ///
    /// # Errors
    /// Returns the other errors of a check.
    pub async fn settle<'a, F, R, E>(&self, row: String, mut look: F) -> Result<(), E>
    where
        F: FnMut() -> R + Send,
        R: Future<Output = Result<Look, E>> + Send + 'a,
        E: LostRace,
    {
        self.settled(row, &mut || Box::pin(look())).await
    }

    /// Does the same, compiled once for each type of error and not once for each check.
    async fn settled<'a, E: LostRace>(
        &self,
        row: String,
        look: &mut (dyn FnMut() -> BoxFuture<'a, Look, E> + Send),
    ) -> Result<(), E> {
        let mut lost = 0;
        while lost < ATTEMPTS_MAX {
            match look().await {
                Ok(Look::Settled) => return Ok(()),
                Ok(Look::Again) => {}
                Err(error) if error.is_lost_race() => lost += 1,
                Err(error) => return Err(error),
            }
        }
        self.conflict(Conflict::Busy { row });
        Ok(())
    }

    /// Corrects everything that is derived from the fields of a row: index keys, the type, mirrors.
    /// Repairs are counted under a name.
    ///
    /// # Errors
    /// Returns the errors of the table. A row that is deleted meanwhile needs no repair.
    pub async fn derive<T, E>(
        &self,
        db: &Store<T>,
        row: &E,
        name: &'static str,
    ) -> Result<(), Error>
    where
        T: Holds<E>,
        E: Entity,
    {
        let mut changed = String::new();
        for _ in 0..ATTEMPTS_MAX {
            match db.repair(row).await {
                Ok(repaired) => {
                    self.repaired(name, repaired.len() as u64);
                    return Ok(());
                }
                Err(Error::NotFound { .. }) => return Ok(()),
                // The next repair reads it again.
                Err(Error::VersionConflict { key, .. }) => changed = key,
                Err(error) => return Err(error),
            }
        }
        self.conflict(Conflict::Busy { row: changed });
        Ok(())
    }

    fn conflict(&self, conflict: Conflict<C>) {
        let mut report = self.lock();
        if !report.conflicts.contains(&conflict) {
            report.conflicts.push(conflict);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BackfillReport<C>> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error that may mean that another writer changed what a write depends on.
pub trait LostRace {
    /// Returns whether it means that.
    fn is_lost_race(&self) -> bool;
}

impl LostRace for Error {
    fn is_lost_race(&self) -> bool {
        match self {
            Self::Exists { .. }
            | Self::NotFound { .. }
            | Self::VersionConflict { .. }
            | Self::ConditionFailed { .. } => true,
            Self::Transaction { failures } => {
                failures.iter().all(|failure| failure.error.is_lost_race())
            }
            _ => false,
        }
    }
}

impl LostRace for Problem {
    fn is_lost_race(&self) -> bool {
        self.is_version_conflict()
    }
}
