//! Updates matches of older programs, and repairs their inconsistencies.
//!
//! Older forms of rows are read everywhere: the codec of every record and entity reads rows without
//! a version or a content type, and values as text, bytes, compressed bytes or a number; the
//! declaration of the record keys names the attribute `value` of the older key-value service; and
//! the types of values read older names.
//!
//! The backfill can run as often as needed, and while others play: every write is conditional on
//! the exact version of the state that it was derived from. Conflicts are reported and left
//! unchanged.

mod matches;
mod notes;
mod orphans;
mod restore;

use std::collections::{BTreeMap, BTreeSet};

use monotable::model::Error;
use monotable_kit::{BoxFuture, Problem, ProblemKind};
use serde::Serialize;

use crate::app::App;
use crate::rules::state::{MatchState, Status};
use crate::table::{BtlRunReads as _, LegacyRow, Lobbies, MatchId, Stamps, UserId};

pub use matches::rebuild;
pub(crate) use notes::Repairs;
pub(crate) use orphans::remove_orphans;
pub(crate) use restore::{Restored, restore};

/// How often a match is read again after a concurrent change.
const ATTEMPTS_MAX: usize = 5;

/// The results of a backfill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The number of matches that were checked.
    pub matches: u64,
    /// States that were rebuilt from their log.
    pub rebuilt: Vec<MatchId>,
    /// States whose version differed from that of their row.
    pub versions: u64,
    /// Events after the last number of the state, which were removed.
    pub orphans: Vec<Orphan>,
    /// Budgets that were missing.
    pub budgets: u64,
    /// Cut-offs that the scheduler would not have found.
    pub due_rows: u64,
    /// Turns that were resolved because they were due long ago.
    pub resolved: u64,
    /// Rows with which users find their matches.
    pub my_matches: u64,
    /// Lists of the lobbies that users have opened.
    pub lobbies: u64,
    /// Ended matches that were not scheduled for archiving.
    pub archives: u64,
    /// What needs a decision, or another run.
    pub conflicts: Vec<Conflict>,
}

impl Report {
    /// Reports a conflict. The same conflict is reported once.
    fn add(&mut self, conflict: Conflict) {
        if !self.conflicts.contains(&conflict) {
            self.conflicts.push(conflict);
        }
    }
}

/// An event that was not part of its match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Orphan {
    /// The match.
    pub match_id: MatchId,
    /// The event's number.
    pub seq: u32,
    /// The event as it was.
    pub event: String,
}

/// Why something was left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Conflict {
    /// The match has no seed, so its turns can't be resolved.
    SecretMissing {
        /// The match.
        match_id: MatchId,
    },
    /// The events of the match do not follow each other.
    LogUnsound {
        /// The match.
        match_id: MatchId,
        /// The first inconsistency.
        reason: String,
    },
    /// A running long match has no cut-off.
    CutoffMissing {
        /// The match.
        match_id: MatchId,
    },
    /// The finished turn can't be resolved.
    Unresolved {
        /// The match.
        match_id: MatchId,
        /// The reason.
        reason: String,
    },
    /// A row can't be read.
    Unreadable {
        /// The reason.
        reason: String,
    },
    /// The match was changed each time it was read.
    Busy {
        /// The match.
        match_id: MatchId,
    },
}

/// The results of one pass over the table.
#[derive(Default)]
struct Findings {
    states: BTreeSet<MatchId>,
    /// Matches with a first event.
    logs: BTreeSet<MatchId>,
    lobbies: BTreeMap<UserId, BTreeSet<MatchId>>,
}

impl Findings {
    fn state(&mut self, state: &MatchState) {
        self.states.insert(state.match_id.clone());
        if let (Status::Lobby, Some(host)) = (state.status, &state.host_user_id) {
            self.lobbies.entry(host.clone()).or_default().insert(state.match_id.clone());
        }
    }
}

/// Updates the whole table.
///
/// # Errors
///
/// Returns the errors of reading and writing the table; completed repairs stay.
pub fn backfill(app: &App) -> BoxFuture<'_, Report> {
    Box::pin(async move {
        let (mut report, mut found) = (Report::default(), Findings::default());
        let mut rows = app.db.legacy_rows().stream();
        while let Some(row) = rows.next().await {
            match row {
                Ok(LegacyRow::MatchRow(row)) => found.state(&row.state),
                Ok(LegacyRow::EventRow(row)) if row.number == 1 => {
                    found.logs.insert(row.match_id);
                }
                Ok(LegacyRow::ShardedEventRow(row)) if row.number == 1 => {
                    found.logs.insert(row.match_id);
                }
                Ok(_) => {}
                // Rows that are still unreadable at the end are reported then.
                Err(Error::Decode { .. } | Error::Key { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        for match_id in found.logs.difference(&found.states) {
            match restore(app, match_id).await? {
                Restored::Written => report.rebuilt.push(match_id.clone()),
                Restored::Known => {}
                Restored::Unsound(reason) => {
                    report.add(Conflict::LogUnsound { match_id: match_id.clone(), reason });
                }
            }
        }
        for match_id in found.states.union(&found.logs) {
            report.matches += 1;
            let repaired = matches::repair(app, match_id, &mut report).await;
            report_unreadable(match_id, repaired, &mut report)?;
        }
        for (user_id, open) in found.lobbies {
            let open = open.into_iter().collect();
            match app.db.create(&Lobbies { user_id, open, stamps: Stamps::default() }).await {
                Ok(_) => report.lobbies += 1,
                Err(Error::Exists { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        unreadable(app, &mut report).await?;
        Ok(report)
    })
}

/// Reports the error of a match that cannot be repaired, and continues with the others.
fn report_unreadable<T>(
    match_id: &MatchId,
    repaired: Result<T, Problem>,
    report: &mut Report,
) -> Result<(), Problem> {
    match repaired {
        Err(problem) if problem.kind == ProblemKind::Internal => {
            let reason = problem.internal.unwrap_or(problem.message);
            report.add(Conflict::Unreadable { reason: format!("match {match_id}: {reason}") });
            Ok(())
        }
        repaired => repaired.map(drop),
    }
}

/// Reports unreadable rows.
async fn unreadable(app: &App, report: &mut Report) -> Result<(), Problem> {
    let mut rows = app.db.legacy_rows().stream();
    while let Some(row) = rows.next().await {
        match row {
            Ok(_) => {}
            Err(error @ (Error::Decode { .. } | Error::Key { .. })) => {
                report.add(Conflict::Unreadable { reason: error.to_string() });
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
