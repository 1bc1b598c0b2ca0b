//! The archive of an ended match: its result is counted in the profiles of its players, and all its
//! rows are removed after ninety days, unless its host pins it.
//!
//! The log is deleted first, page by page, and the state last, in the transaction that ends the
//! task: as long as something is left to do, the match can be read.

use std::collections::BTreeSet;
use std::time::Duration;

use monotable::model::time::{EpochSeconds, Timestamp};
use monotable::model::{Entity as _, Error, Transact, delete, edit};
use monotable_kit::Problem;
use monotable_kit::jobs::JobTurn;
use serde::{Deserialize, Serialize};

use super::results;
use crate::app::App;
use crate::log;
use crate::log_rows::rows_after;
use crate::rules::events::{Event, EventBody};
use crate::rules::state::{MatchState, Status};
use crate::table::{
    AllianceMessage, BtlRun, BtlRunReads as _, Budget, BudgetKey, MatchId, MatchRow, MyMatch,
    MyMatchKey, SecretRow, Settled, SettledKey, SummaryRow, Task, UserId,
};

/// How long an ended match is kept.
const KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// Rows that a step writes at most.
const ROWS_MAX: usize = 90;
/// Steps of a match before others get a turn.
const STEPS_MAX: usize = 100;
/// How many events at the end of a log are searched for the end of the match: only stories follow
/// it.
const TAIL: u32 = 200;

/// The progress of archiving a match.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    /// When the match is deleted; `None` if it is pinned.
    ttl: Option<EpochSeconds>,
    /// The last event that was handled.
    after_seq: u32,
}

/// Archives a match, for one turn.
///
/// # Errors
///
/// Returns the reason why it can't continue now; the next run continues at the same point.
pub(crate) async fn run(app: &App, mut task: Task) -> Result<JobTurn, Problem> {
    for _ in 0..STEPS_MAX {
        match step(app, &task).await? {
            Some(next) => task = next,
            None => return Ok(JobTurn::Done),
        }
    }
    Ok(JobTurn::Waits)
}

/// Returns one step; `None` if it was the last.
async fn step(app: &App, task: &Task) -> Result<Option<Task>, Problem> {
    let match_id = MatchId::new(task.task_id.as_str()).map_err(Problem::internal)?;
    let row = app.find_match(&match_id).await?;
    let Some(row) = row.filter(|row| row.state.status == Status::Ended) else {
        app.db.delete(task).await?;
        return Ok(None);
    };
    let progress: Option<Progress> =
        task.cursor.as_deref().map(serde_json::from_str).transpose().map_err(Problem::internal)?;
    let secret = app.db.secret(&match_id).await?;
    let Some(progress) = progress else {
        results::count(app, &row.state).await?;
        let is_pinned = secret.is_some_and(|secret| secret.pinned);
        let ttl = if is_pinned {
            None
        } else {
            Some(end_of(ended_at(app, &row.state, task.created_at).await?))
        };
        return advance(app, app.db.transact(), task, &Progress { ttl, after_seq: 0 }).await;
    };
    match log_page(app, &row.state, task, &progress).await? {
        Some(next) => Ok(Some(next)),
        None => rest(app, task, row, secret, progress.ttl).await,
    }
}

/// Returns when the match ended, in milliseconds since 1970.
async fn ended_at(app: &App, state: &MatchState, promised_at: i64) -> Result<i64, Problem> {
    let after = state.log_seq.saturating_sub(TAIL);
    let tail = log::events_after(app, state, after, TAIL as usize).await?;
    let is_end = |event: &&Event| matches!(event.body, EventBody::MatchEnded(_));
    Ok(tail.iter().rev().find(is_end).map_or(promised_at, |event| event.timestamp))
}

fn end_of(ended_at: i64) -> EpochSeconds {
    EpochSeconds::new(ended_at.div_euclid(1_000)) + KEPT
}

/// Commits a transaction together with the progress of the task.
async fn advance(
    app: &App,
    mut tx: Transact<BtlRun>,
    task: &Task,
    progress: &Progress,
) -> Result<Option<Task>, Problem> {
    let cursor = serde_json::to_string(progress).map_err(Problem::internal)?;
    tx.add(edit(task, |task| task.cursor = Some(cursor)));
    tx.await?;
    let next = app.db.task(&task.kind, &task.task_id).await?;
    Ok(next)
}

/// Returns a page of the log, and the matches of the users who joined in it; `None` after its end.
async fn log_page(
    app: &App,
    state: &MatchState,
    task: &Task,
    progress: &Progress,
) -> Result<Option<Task>, Problem> {
    let rows = rows_after(app, state, progress.after_seq, ROWS_MAX).await?;
    let Some(last) = rows.last() else { return Ok(None) };
    // Users who left before the start are only in the log.
    forget_mine(app, state, rows.iter().filter_map(|row| user_of(row.event())), progress.ttl)
        .await?;
    let mut tx = app.db.transact();
    for row in rows.iter().filter(|row| row.ttl() != progress.ttl) {
        row.forget_at(&mut tx, progress.ttl);
    }
    let progress = Progress { ttl: progress.ttl, after_seq: last.number() };
    advance(app, tx, task, &progress).await
}

/// Returns the user whom an event adds to a match.
fn user_of(event: &Event) -> Option<&UserId> {
    match &event.body {
        EventBody::MatchCreated(created) => created.host_user_id.as_ref(),
        EventBody::TributeJoined { tribute, .. } => tribute.user_id.as_ref(),
        _ => None,
    }
}

/// Sets the expiry of the users' rows for a match.
async fn forget_mine<'a>(
    app: &App,
    state: &MatchState,
    users: impl Iterator<Item = &'a UserId>,
    ttl: Option<EpochSeconds>,
) -> Result<(), Problem> {
    let created_at = Timestamp::from_ms(state.created_at).map_err(Problem::internal)?;
    for user_id in users.collect::<BTreeSet<_>>() {
        let key = MyMatchKey::new(user_id.clone(), created_at, state.match_id.clone());
        absent_is_fine(app.db.update(MyMatch::update(&key).ttl(ttl)).await)?;
    }
    Ok(())
}

/// Archives everything except the log; the state last.
async fn rest(
    app: &App,
    task: &Task,
    row: MatchRow,
    secret: Option<SecretRow>,
    ttl: Option<EpochSeconds>,
) -> Result<Option<Task>, Problem> {
    let state = &row.state;
    let match_id = &state.match_id;
    let players = state.roster.iter().filter_map(|tribute| tribute.user_id.as_ref());
    forget_mine(app, state, players.chain(&state.host_user_id), ttl).await?;
    let mut messages = app.db.messages(match_id).stream();
    while let Some(message) = messages.next().await {
        let Some(message) = app.backlog.readable(message)? else { continue };
        if message.ttl != ttl {
            let update = AllianceMessage::update(&message.key()).ttl(ttl);
            absent_is_fine(app.db.update(update).await)?;
        }
    }
    let mut summaries = app.db.summaries(match_id).consistent().stream();
    while let Some(summary) = summaries.next().await {
        let Some(summary) = app.backlog.readable(summary)? else { continue };
        if summary.ttl != ttl {
            absent_is_fine(app.db.update(SummaryRow::update(&summary.key()).ttl(ttl)).await)?;
        }
    }
    let budget = Budget::update(&BudgetKey::new(match_id.clone())).ttl(ttl);
    absent_is_fine(app.db.update(budget).await)?;
    let settled = Settled::update(&SettledKey::new(match_id.clone())).ttl(ttl);
    absent_is_fine(app.db.update(settled).await)?;
    let mut tx = app.db.transact();
    tx.add(delete(task));
    tx.add(edit(&row, |row| {
        if row.ttl != ttl {
            row.ttl = ttl;
            // The state contains the version of its row.
            row.state.version = row.stamps.version + 1;
        }
    }));
    if let Some(secret) = &secret {
        tx.add(edit(secret, |secret| secret.ttl = ttl));
    }
    tx.await?;
    Ok(None)
}

/// Accepts a missing row, which needs no update, and an unreadable one, which has been updated
/// anyway.
fn absent_is_fine<E>(updated: Result<E, Error>) -> Result<(), Problem> {
    match updated {
        Ok(_) | Err(Error::NotFound { .. } | Error::Decode { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
