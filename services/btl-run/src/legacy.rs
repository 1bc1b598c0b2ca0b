//! Brings matches of older programs up to date, and repairs what they left behind.
//!
//! Older forms of rows are read everywhere: rows without a version or a content type, and with text, bytes,
//! compressed bytes or a number for a value, because every record and every entity of the table is; values
//! that the older key-value service kept in an attribute `value`, which the key of records declares; and older
//! names inside of values, where the values are.
//!
//! The backfill can run as often as needed, and while others play: every write of it holds only for the very
//! version of the state that it follows from. What needs a decision is reported and left as it is.

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

/// How often a match that others change meanwhile is looked at again.
const ATTEMPTS_MAX: usize = 5;

/// What was done, and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Matches that were looked at.
    pub matches: u64,
    /// States that were made anew from their log.
    pub rebuilt: Vec<MatchId>,
    /// States that told another version than their row.
    pub versions: u64,
    /// Events behind the last number of the state, which were removed.
    pub orphans: Vec<Orphan>,
    /// Budgets that were missing.
    pub budgets: u64,
    /// Cut-offs that nobody would have found.
    pub due_rows: u64,
    /// Turns that were resolved because their time was over long ago.
    pub resolved: u64,
    /// Rows by which users find their matches.
    pub my_matches: u64,
    /// Lists of the lobbies that users have opened.
    pub lobbies: u64,
    /// Ended matches that nobody would have archived.
    pub archives: u64,
    /// What needs a decision, or another run.
    pub conflicts: Vec<Conflict>,
}

impl Report {
    /// Tells what needs a decision, once however often it is met.
    fn tell(&mut self, conflict: Conflict) {
        if !self.conflicts.contains(&conflict) {
            self.conflicts.push(conflict);
        }
    }
}

/// An event that was no part of its match.
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

/// What is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Conflict {
    /// The match has no seed, so that its turns can't be resolved.
    SecretMissing {
        /// The match.
        match_id: MatchId,
    },
    /// The events of the match do not follow each other.
    LogUnsound {
        /// The match.
        match_id: MatchId,
        /// What is wrong first.
        reason: String,
    },
    /// A long match that is played waits for no time.
    CutoffMissing {
        /// The match.
        match_id: MatchId,
    },
    /// The turn that is over can't be resolved.
    Unresolved {
        /// The match.
        match_id: MatchId,
        /// Why.
        reason: String,
    },
    /// A row can't be read.
    Unreadable {
        /// Why.
        reason: String,
    },
    /// The match was changed by others as often as it was looked at.
    Busy {
        /// The match.
        match_id: MatchId,
    },
}

/// What is found in one pass over the table.
#[derive(Default)]
struct Found {
    states: BTreeSet<MatchId>,
    /// Matches with a first event.
    logs: BTreeSet<MatchId>,
    lobbies: BTreeMap<UserId, BTreeSet<MatchId>>,
}

impl Found {
    fn state(&mut self, state: &MatchState) {
        self.states.insert(state.match_id.clone());
        if let (Status::Lobby, Some(host)) = (state.status, &state.host_user_id) {
            self.lobbies.entry(host.clone()).or_default().insert(state.match_id.clone());
        }
    }
}

/// Brings the whole table up to date.
///
/// # Errors
/// What the table says when it can't be read or written; what was done until then is done.
pub fn backfill(app: &App) -> BoxFuture<'_, Report> {
    Box::pin(async move {
        let (mut report, mut found) = (Report::default(), Found::default());
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
                // What can't be read and is still there in the end is told then.
                Err(Error::Decode { .. } | Error::Key { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        for match_id in found.logs.difference(&found.states) {
            match restore(app, match_id).await? {
                Restored::Written => report.rebuilt.push(match_id.clone()),
                Restored::Known => {}
                Restored::Unsound(reason) => {
                    report.tell(Conflict::LogUnsound { match_id: match_id.clone(), reason });
                }
            }
        }
        for match_id in found.states.union(&found.logs) {
            report.matches += 1;
            let mended = matches::mend(app, match_id, &mut report).await;
            told(match_id, mended, &mut report)?;
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

/// Tells what is wrong with a match that can't be mended; the others are mended all the same.
fn told<T>(
    match_id: &MatchId,
    mended: Result<T, Problem>,
    report: &mut Report,
) -> Result<(), Problem> {
    match mended {
        Err(problem) if problem.kind == ProblemKind::Internal => {
            let reason = problem.internal.unwrap_or(problem.message);
            report.tell(Conflict::Unreadable { reason: format!("match {match_id}: {reason}") });
            Ok(())
        }
        mended => mended.map(drop),
    }
}

/// Tells which rows can't be read.
async fn unreadable(app: &App, report: &mut Report) -> Result<(), Problem> {
    let mut rows = app.db.legacy_rows().stream();
    while let Some(row) = rows.next().await {
        match row {
            Ok(_) => {}
            Err(error @ (Error::Decode { .. } | Error::Key { .. })) => {
                report.tell(Conflict::Unreadable { reason: error.to_string() });
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
