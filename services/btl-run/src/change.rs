//! A change of a match: events, and all their effects, in one transaction.
//!
//! This is the only place where events become rows, so a log cannot have gaps, a state cannot be
//! ahead of its log, and a match that waits for a time is always found at that time.

use std::time::Duration;

use monotable::model::time::EpochSeconds;
use monotable::model::{Handle, Transact, create, delete_by_key, edit, put};
use monotable_kit::{Answer, Problem, Refusals, Request, Response};

use crate::app::App;
use crate::jobs::narrate::{narrate_soon, personas_soon};
use crate::legacy::remove_orphans;
use crate::log::{self, EventHandle};
use crate::refusal::Refusal;
use crate::rules::events::{Event, EventBody, SEQ_MAX, append};
use crate::rules::narration::summary_of;
use crate::rules::resolve::EVENTS_PER_TURN_MAX;
use crate::rules::schedule;
use crate::rules::state::{MatchState, Status};
use crate::table::{
    BtlRun, Due, DueHour, DueKey, MatchId, MatchRow, Stamps, SummaryRow, Task, TaskId, TaskKind,
    TurnId,
};

/// The most rows of a change besides the events of its turn: the state, the action that resolves
/// the turn, the day's summary, two cut-offs, two tasks, and the response to the request.
const OTHER_ROWS_MAX: usize = 8;
// A transaction has at most 100 rows.
const _: () = assert!(EVENTS_PER_TURN_MAX + OTHER_ROWS_MAX <= 100);

/// How long the row of a cut-off is kept after it.
const DUE_KEPT: Duration = Duration::from_secs(48 * 60 * 60);

/// The last event that a lobby accepts: a match that starts later would have too few events left.
const LOBBY_SEQ_MAX: u32 = SEQ_MAX / 2;

/// Work that a change schedules.
pub(crate) mod task {
    /// Writing the story of a turn.
    pub(crate) const NARRATE: &str = "narrate";
    /// Counting an ended match in profiles, and deleting it after its retention.
    pub(crate) const ARCHIVE: &str = "archive";
    /// Erasing a user from their matches.
    pub(crate) const ERASE: &str = "erase";
}

/// Events after a state that was read.
pub(crate) struct Change {
    row: MatchRow,
    /// The events.
    pub(crate) events: Vec<Event>,
    /// The match afterwards.
    pub(crate) state: MatchState,
    summary: Option<SummaryRow>,
}

impl Change {
    /// Returns the change that events make to a match.
    ///
    /// # Errors
    /// Returns 409 if the log of a lobby is full, 500 if the events can't follow, which those of
    /// `decide` and `resolve` can.
    pub(crate) async fn new(app: &App, row: MatchRow, events: Vec<Event>) -> Result<Self, Problem> {
        Self::begun(row, events)?.complete(app).await
    }

    /// Returns a change whose last events depend on the state after the first ones. Call
    /// [`complete`](Self::complete) after adding all of them.
    ///
    /// # Errors
    /// Returns the errors of [`Change::new`].
    pub(crate) fn begun(row: MatchRow, events: Vec<Event>) -> Result<Self, Problem> {
        let mut state = row.state.clone();
        state.version = row.stamps.version + 1;
        let mut change = Self { row, events: Vec::new(), state, summary: None };
        change.add(events)?;
        Ok(change)
    }

    /// Adds further events.
    ///
    /// # Errors
    /// Returns the errors of [`Change::new`].
    pub(crate) fn add(&mut self, events: Vec<Event>) -> Result<(), Problem> {
        for event in &events {
            append(&mut self.state, event).map_err(|error| Problem::internal(error.to_string()))?;
        }
        self.events.extend(events);
        Ok(())
    }

    /// Adds the effects of all events.
    ///
    /// # Errors
    /// Returns the errors of [`Change::new`].
    pub(crate) async fn complete(mut self, app: &App) -> Result<Self, Problem> {
        if self.state.status == Status::Lobby && self.state.log_seq > LOBBY_SEQ_MAX {
            return Err(Refusal::LobbyExhausted.into());
        }
        self.summary = self.summary_row(app).await?;
        Ok(self)
    }

    /// Returns the story of the day that these events end.
    async fn summary_row(&self, app: &App) -> Result<Option<SummaryRow>, Problem> {
        let before = &self.row.state;
        let is_played = before.status == Status::Active;
        let is_over = self.state.day > before.day || self.state.status == Status::Ended;
        if !is_played || !is_over {
            return Ok(None);
        }
        let earlier = log::events_of_day(app, before).await?;
        let summary = summary_of(before.day, earlier.iter().chain(&self.events), &self.state);
        let match_id = before.match_id.clone();
        Ok(Some(SummaryRow { match_id, number: before.day, summary, ttl: self.row.ttl }))
    }

    /// Starts the transaction: the state, the events, and their effects.
    pub(crate) fn transaction(&self, app: &App) -> Result<ChangeTransaction, Problem> {
        let mut tx = app.db.transact();
        let state = tx.add(edit(&self.row, |row| row.state = self.state.clone()));
        let append = |event| log::append(&mut tx, &self.state, event, self.row.ttl);
        let events = self.events.iter().map(append).collect();
        if let Some(summary) = &self.summary {
            tx.add(put(summary.clone()));
        }
        let (before, after) = (&self.row.state, &self.state);
        if before.day_cutoff_at != after.day_cutoff_at || after.status == Status::Ended {
            if let Some(cutoff) = before.day_cutoff_at {
                tx.add(delete_by_key(&due_key(&before.match_id, cutoff)?));
            }
            if let Some(cutoff) = after.day_cutoff_at.filter(|_| after.status != Status::Ended) {
                tx.add(put(due(&after.match_id, cutoff)?));
            }
        }
        for task in self.tasks(app)? {
            tx.add(create(task));
        }
        Ok(ChangeTransaction { tx, state, events })
    }

    /// Commits the change for a request, with everything else in the transaction, and responds.
    ///
    /// # Errors
    ///
    /// Returns a version conflict after a concurrent change, or if another program's rows have the
    /// keys of its events.
    pub(crate) async fn commit<R: Response + Clone + Send + Sync>(
        &self,
        app: &App,
        call: &Request,
        transaction: ChangeTransaction,
        response: R,
    ) -> Answer<R> {
        let ChangeTransaction { tx, state, events } = transaction;
        let done = call
            .commit(tx)
            .refusing(|refusals| refuse_orphans(refusals, state, &events))
            .after(|_| self.announce(app))
            .respond(move |_| response.clone())
            .await;
        self.cleared(app, done).await
    }

    /// Commits a change without a request.
    ///
    /// # Errors
    /// Returns the errors of [`Change::commit`].
    pub(crate) async fn commit_unasked(&self, app: &App) -> Result<(), Problem> {
        self.commit_with(app, self.transaction(app)?).await
    }

    /// Commits a change without a request, with additional writes in the transaction.
    ///
    /// # Errors
    /// Returns the errors of [`Change::commit`].
    pub(crate) async fn commit_with(
        &self,
        app: &App,
        transaction: ChangeTransaction,
    ) -> Result<(), Problem> {
        let ChangeTransaction { tx, state, events } = transaction;
        let refused = |error| refuse_orphans(Refusals::new(), state, &events).problem(error);
        self.cleared(app, tx.await.map_err(refused)).await?;
        self.announce(app);
        Ok(())
    }

    /// Returns the result of a transaction. If rows that are not part of the match had the keys of
    /// its events, they are removed, and the change can be retried.
    async fn cleared<T>(&self, app: &App, done: Result<T, Problem>) -> Result<T, Problem> {
        match done {
            Err(problem) if problem.code == ORPHANED => {
                remove_orphans(app, &self.row).await?;
                Err(Problem::changed())
            }
            done => done,
        }
    }

    /// Returns the turn that these events resolve.
    pub(crate) fn resolved_turn(&self) -> Option<&TurnId> {
        let is_resolution = |event: &&Event| matches!(event.body, EventBody::TurnResolved(_));
        self.events.iter().find(is_resolution).and_then(|event| event.turn_id.as_ref())
    }

    /// Returns the work that the change schedules.
    fn tasks(&self, app: &App) -> Result<Vec<Task>, Problem> {
        let (mut tasks, now, id) = (Vec::new(), app.now_ms(), &self.state.match_id);
        if let Some(turn_id) = self.resolved_turn() {
            tasks.push(new_task(task::NARRATE, &format!("{id}:{turn_id}"), now)?);
        }
        let is_end = self.state.status == Status::Ended && self.row.state.status != Status::Ended;
        if is_end {
            tasks.push(new_task(task::ARCHIVE, id.as_str(), now)?);
        }
        Ok(tasks)
    }

    /// Notifies the followers of the match of new events, and the narrator of a resolved turn.
    pub(crate) fn announce(&self, app: &App) {
        announce(app, &self.state);
        narrate_soon(app, self);
        if self.events.iter().any(|event| event.body.adds_ai()) {
            personas_soon(app, &self.state.match_id);
        }
    }
}

/// Reports to followers of a match how far its log goes.
pub(crate) fn announce(app: &App, state: &MatchState) {
    let standing = serde_json::json!({ "logSeq": state.log_seq });
    app.events.publish(state.match_id.as_str(), LOG, &standing);
}

/// A transaction of a change: commands add their own operations.
pub(crate) struct ChangeTransaction {
    pub(crate) tx: Transact<BtlRun>,
    state: Handle<MatchRow>,
    events: Vec<EventHandle>,
}

/// Refuses events whose rows exist already, unless the state has changed: then another process has
/// added events, and the command reads again. The command also reads again if another row is gone,
/// such as an expired code.
fn refuse_orphans<'a>(
    refusals: Refusals<'a>,
    state: Handle<MatchRow>,
    events: &[EventHandle],
) -> Refusals<'a> {
    let refuse = |refusals, event: &EventHandle| event.refuse_existing(refusals, orphaned);
    events.iter().fold(refusals.retry(state).or_retry(), refuse)
}

/// Creates the error for rows of another program with the keys of new events. Only
/// [`Change::cleared`] sees it.
fn orphaned() -> Problem {
    Problem::conflict(ORPHANED, "Rows of another program have the keys of the next events.")
}

const ORPHANED: &str = "ORPHANED_EVENTS";

/// The notification of a match's followers: there are new events in its log.
pub(crate) const LOG: &str = "log";

/// Creates the task of scheduled work.
pub(crate) fn new_task(kind: &str, id: &str, now: i64) -> Result<Task, Problem> {
    let unfit = |error: monotable::model::key::KeyError| Problem::internal(error.to_string());
    Ok(Task {
        kind: TaskKind::new(kind).map_err(unfit)?,
        task_id: TaskId::new(id).map_err(unfit)?,
        created_at: now,
        cursor: None,
        stamps: Stamps::default(),
    })
}

/// Returns the row that schedules the resolution of the open turn.
pub(crate) fn due(match_id: &MatchId, cutoff: i64) -> Result<Due, Problem> {
    let key = due_key(match_id, cutoff)?;
    let ttl = Some(EpochSeconds::new(cutoff / 1000) + DUE_KEPT);
    Ok(Due { hour: key.hour, cutoff_ms: key.cutoff_ms, match_id: key.match_id, ttl })
}

fn due_key(match_id: &MatchId, cutoff: i64) -> Result<DueKey, Problem> {
    let hour = schedule::due_hour(cutoff).map_err(|error| Problem::internal(error.to_string()))?;
    let unfit = |error: &dyn std::fmt::Display| Problem::internal(error.to_string());
    let hour = DueHour::new(hour).map_err(|error| unfit(&error))?;
    let cutoff_ms = u64::try_from(cutoff).map_err(|error| unfit(&error))?;
    Ok(DueKey::new(hour, cutoff_ms, match_id.clone()))
}
