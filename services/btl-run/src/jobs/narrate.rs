//! Writes the story of a resolved turn. No request waits for it: the turn has created a task for
//! it, and the first caller or the background work writes it.
//!
//! A lock prevents two processes from calling a narrator for the same story. Each story is attached
//! exactly once, because the transaction that attaches it also removes the task.

mod asking;
mod chat;
mod personas;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use monotable::model::rows::Held;
use monotable::model::{delete, edit};
use monotable_kit::Problem;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use self::asking::Asking;
pub use self::chat::{Chat, ChatSettings};
pub use self::personas::give_personas;
pub(crate) use self::personas::personas_soon;
use crate::app::App;
use crate::change::{Change, task};
use crate::log::events_until_turn;
use crate::rules::decide;
use crate::rules::events::{Event, EventBody, NarrationAttached};
use crate::rules::narration::{Prompt, facts_of, is_memory_due, remember, remember_as};
use crate::rules::state::{MatchState, Status};
use crate::table::{
    BtlRunReads as _, MatchId, MatchRow, SummaryRow, Task, TaskId, TaskKind, TurnId,
};

monotable_kit::measures! {
    /// The number of stories, and their cost.
    pub struct NarrationCounts {
        /// Tokens that narrators used.
        pub tokens: Counter = "btl_run_llm_tokens_total",
        /// Turns with a story.
        pub stories: Counter = "btl_run_stories_total",
        /// Stories that the service wrote itself because its narrator failed.
        pub fallbacks: Counter = "btl_run_story_fallbacks_total",
        /// Requests to a narrator without a response.
        pub silences: Counter = "btl_run_narrator_silences_total",
    }
}

/// How long a round of work waits for its stories.
const ROUND_MAX: Duration = Duration::from_secs(10);
/// The number of matches whose stories are written concurrently in a round.
const MATCHES_AT_ONCE: usize = 8;
/// How often attaching a story is retried while the match changes.
const TRIES_MAX: u32 = 30;

/// Writes the story of the turn that a change has resolved, concurrently with the response. If that
/// fails, the background work does it later.
pub(crate) fn narrate_soon(app: &App, change: &Change) {
    let Some(turn_id) = change.resolved_turn().filter(|_| app.narrates_at_once).cloned() else {
        return;
    };
    let (app, match_id) = (app.clone(), change.state.match_id.clone());
    tokio::spawn(async move { narrate(&app, &match_id, &turn_id).await.is_ok() });
}

/// Writes the pending stories, those of a match in order, and returns their number. Stories that
/// cannot be written now are left for another round, and slow ones are not waited for.
///
/// # Errors
/// Fails if the scheduled work can't be read.
pub async fn narrate_due(app: &App) -> Result<usize, Problem> {
    let places = Arc::new(Semaphore::new(MATCHES_AT_ONCE));
    let mut matches = JoinSet::new();
    for (match_id, turns) in promised(app).await? {
        let (app, places) = (app.clone(), Arc::clone(&places));
        matches.spawn(async move {
            let mut written = 0;
            let Ok(_place) = places.acquire().await else { return written };
            for turn_id in turns {
                match narrate(&app, &match_id, &turn_id).await {
                    Ok(Outcome::Attached) => written += 1,
                    Ok(Outcome::Gone) => {}
                    // Stories come in the order of their turns.
                    Ok(Outcome::Later) | Err(_) => break,
                }
            }
            written
        });
    }
    let mut written = 0;
    let all = async {
        while let Some(done) = matches.join_next().await {
            written += done.unwrap_or_default();
        }
    };
    // A narrator may take as long as it is allowed to, without blocking others.
    let _ = tokio::time::timeout(ROUND_MAX, all).await;
    matches.detach_all();
    Ok(written)
}

/// Returns the turns with pending stories, by match, the oldest first.
async fn promised(app: &App) -> Result<BTreeMap<MatchId, Vec<TurnId>>, Problem> {
    let mut tasks = Vec::new();
    let mut rows = app.db.tasks(&kind()?).skip_unreadable().stream();
    while let Some(task) = rows.next().await {
        tasks.push(task?);
    }
    // Days have no leading zeros: of two turns of a moment, the one with more digits is later.
    tasks.sort_by_key(|task| (task.created_at, task.task_id.as_str().len()));
    let mut promised: BTreeMap<MatchId, Vec<TurnId>> = BTreeMap::new();
    for (match_id, turn_id) in tasks.iter().filter_map(subject) {
        promised.entry(match_id).or_default().push(turn_id);
    }
    Ok(promised)
}

/// The result of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The story was attached.
    Attached,
    /// Another caller has attached it, or its turn does not exist any more.
    Gone,
    /// Another caller is writing it, or it cannot be written yet.
    Later,
}

/// Writes the story of a turn.
///
/// # Errors
///
/// Returns the errors of the table.
async fn narrate(app: &App, match_id: &MatchId, turn_id: &TurnId) -> Result<Outcome, Problem> {
    let Some(held) = locked(app, match_id).await? else { return Ok(Outcome::Later) };
    let written = write_story(app, &held, match_id, turn_id).await;
    // After the lease has ended there is nothing to release.
    let _ = app.kv.release(match_id, &held).await;
    written
}

/// Takes the lock of a match; `None` if it is held.
async fn locked(app: &App, match_id: &MatchId) -> Result<Option<Held>, Problem> {
    let held = app.kv.acquire(match_id).await?;
    if held.is_none()
        && let Some(row) = app.db.lock(match_id).await?.filter(|row| row.ttl.is_none())
    {
        // A lock without an end was lost by another program.
        app.db.transact().with(delete(&row)).await?;
    }
    Ok(held)
}

async fn write_story(
    app: &App,
    held: &Held,
    match_id: &MatchId,
    turn_id: &TurnId,
) -> Result<Outcome, Problem> {
    let Some(task) = promise(app, match_id, turn_id).await? else { return Ok(Outcome::Gone) };
    let Some(MatchRow { state, .. }) = app.find_match(match_id).await? else {
        return forget(app, &task).await;
    };
    let events = events_until_turn(app, &state, turn_id, is_refresh).await?;
    let Some(last) = events.last() else { return forget(app, &task).await };
    if let Some(before) = turn_before(&state, last.day, last.turn)
        && promise(app, match_id, &before).await?.is_some()
    {
        return Ok(Outcome::Later);
    }
    let mut asking = Asking::new(app, match_id, held);
    let Ok(written) = asking.story(Prompt::of_turn(&state, turn_id, &events)).await else {
        return Ok(Outcome::Later);
    };
    let memory = remembered(&mut asking, &state, &events).await;
    let summary = retold_day(app, &mut asking, &state, last).await?;
    let story = NarrationAttached {
        turn_id: turn_id.clone(),
        narration: written.narration,
        tags: written.tags,
        fallback: written.is_fallback,
        tokens_used: asking.tokens_used,
        memory,
    };
    app.narration.tokens.add(story.tokens_used);
    attach(app, &task, &state, story, summary).await
}

/// Returns the narrator's next memory: a language model's version of the notes, or the notes.
async fn remembered(
    asking: &mut Asking<'_>,
    state: &MatchState,
    events: &[Event],
) -> Option<String> {
    let notes = memory(state, events)?;
    let turn_id = events.last()?.turn_id.as_ref()?;
    match asking.refined(Prompt::of_memory(state, &notes)).await {
        Some((text, _)) => Some(remember_as(turn_id, &text)),
        None => Some(notes),
    }
}

/// Returns the summary of the day that a turn has ended, written by a language model.
async fn retold_day(
    app: &App,
    asking: &mut Asking<'_>,
    state: &MatchState,
    last: &Event,
) -> Result<Option<(SummaryRow, String)>, Problem> {
    let (day, Some(turn_id)) = (last.day, &last.turn_id) else { return Ok(None) };
    let is_over = state.day > day || state.status == Status::Ended;
    if last.turn < state.mode.turns_per_day() && !(is_over && state.day == day) {
        return Ok(None);
    }
    let Ok(Some(row)) = app.db.summary(&state.match_id, day).consistent().await else {
        return Ok(None);
    };
    let events = events_until_turn(app, state, turn_id, |event| event.day < day).await?;
    let written = asking.refined(Prompt::of_day(day, &events, state)).await;
    Ok(written.map(|(narration, _)| (row, narration)))
}

/// Attaches a story to the current state of the match.
async fn attach(
    app: &App,
    task: &Task,
    told_of: &MatchState,
    story: NarrationAttached,
    summary: Option<(SummaryRow, String)>,
) -> Result<Outcome, Problem> {
    let is_fallback = story.fallback;
    for tried in 0..TRIES_MAX {
        let row = app.match_row(&told_of.match_id).await?;
        if !has_same_names(&row.state, told_of) {
            // A user was erased from the match in the meantime: the story is written again without
            // the name.
            return Ok(Outcome::Later);
        }
        let Ok(events) = decide::attach_narration(&row.state, story.clone(), app.now_ms()) else {
            return forget(app, task).await;
        };
        let change = Change::new(app, row, events).await?;
        let mut written = change.transaction(app)?;
        written.tx.add(delete(task));
        if let Some((row, narration)) = &summary {
            written.tx.add(edit(row, |row| {
                row.summary.narration.clone_from(narration);
                row.summary.tokens_used += story.tokens_used;
            }));
        }
        match change.commit_with(app, written).await {
            Ok(()) => {
                app.narration.stories.add(1);
                app.narration.fallbacks.add(u64::from(is_fallback));
                return Ok(Outcome::Attached);
            }
            Err(_) if app.db.task(&task.kind, &task.task_id).await?.is_none() => {
                return Ok(Outcome::Gone);
            }
            Err(problem) => {
                if !problem.is_version_conflict() {
                    return Err(problem);
                }
                tokio::time::sleep(Duration::from_millis(u64::from(5 * tried))).await;
            }
        }
    }
    Err(Problem::unavailable("The match changes too fast for its story."))
}

/// Removes the task of a story whose turn does not exist any more.
async fn forget(app: &App, task: &Task) -> Result<Outcome, Problem> {
    app.db.transact().with(delete(task)).await?;
    Ok(Outcome::Gone)
}

/// Returns the task of a turn's story, while it is pending.
async fn promise(app: &App, match_id: &MatchId, turn_id: &TurnId) -> Result<Option<Task>, Problem> {
    let task_id = TaskId::new(format!("{match_id}:{turn_id}"));
    let task_id = task_id.map_err(Problem::internal)?;
    Ok(app.db.task(&kind()?, &task_id).await?)
}

/// Returns whether the story of a match's last turn is pending.
pub(crate) async fn is_story_pending(app: &App, state: &MatchState) -> Result<bool, Problem> {
    // A cancelled match has an open turn, which has no story.
    let open = TurnId::of(state.day, state.turn);
    for turn_id in std::iter::once(open).chain(turn_before(state, state.day, state.turn)) {
        if promise(app, &state.match_id, &turn_id).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the turn before one, if there was any.
fn turn_before(state: &MatchState, day: u32, turn: u32) -> Option<TurnId> {
    match (day, turn) {
        (_, 2..) => Some(TurnId::of(day, turn - 1)),
        (2.., _) => Some(TurnId::of(day - 1, state.mode.turns_per_day())),
        _ => None,
    }
}

/// Returns whether the names of tributes are unchanged.
fn has_same_names(state: &MatchState, before: &MatchState) -> bool {
    let names = |state: &MatchState| -> Vec<String> {
        state.roster.iter().map(|tribute| tribute.name.clone()).collect()
    };
    names(state) == names(before)
}

/// Returns whether the narrator's memory was refreshed with an event.
fn is_refresh(event: &Event) -> bool {
    matches!(&event.body, EventBody::NarrationAttached(story) if story.memory.is_some())
}

/// Returns the narrator's memory after these events, if it is due for a refresh.
fn memory(state: &MatchState, events: &[Event]) -> Option<String> {
    let (first, last) = (events.first()?, events.last()?);
    if !is_memory_due(first.seq - 1, last.seq) {
        return None;
    }
    let mut memory = state.memory_blob.clone();
    for turn in events.chunk_by(|one, other| one.turn_id == other.turn_id) {
        let Some(turn_id) = turn.first().and_then(|event| event.turn_id.as_ref()) else { continue };
        let is_known = memory.lines().any(|line| line.starts_with(&format!("{turn_id}: ")));
        if !is_known {
            memory = remember(&memory, turn_id, &facts_of(turn, state));
        }
    }
    Some(memory)
}

/// Returns the match and the turn of a task. The ids of the service contain no colon.
fn subject(task: &Task) -> Option<(MatchId, TurnId)> {
    let (match_id, turn_id) = task.task_id.as_str().rsplit_once(':')?;
    Some((MatchId::new(match_id).ok()?, TurnId::new(turn_id).ok()?))
}

fn kind() -> Result<TaskKind, Problem> {
    TaskKind::new(task::NARRATE).map_err(Problem::internal)
}
