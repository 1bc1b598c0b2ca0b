//! Telling the story of a turn that was resolved. Nobody waits for it: the turn has promised it by a
//! task, and whoever comes first tells it, at once or when the work is done.
//!
//! A lock keeps two from asking a narrator for the same story. What makes it come exactly once is the
//! task, which goes in the very transaction that attaches the story.

mod asking;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use monotable::model::Error;
use monotable::model::rows::{Held, Layout, Lock};
use monotable_kit::Problem;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use self::asking::Asking;
use crate::app::App;
use crate::change::{Change, task};
use crate::decide;
use crate::events::{Event, EventBody, NarrationAttached};
use crate::ids::{MatchId, TaskId, TaskKind, TurnId};
use crate::log::events_until_turn;
use crate::narration::{Prompt, facts_of, is_memory_due, remember};
use crate::patterns::BtlRunReads as _;
use crate::rate::{self, Limited};
use crate::rows::Task;
use crate::state::MatchState;

/// How long a narrator may take before somebody else may ask it for the same story.
const LEASE: Duration = Duration::from_secs(30);
/// How long a round of work waits for its stories.
const ROUND_MAX: Duration = Duration::from_secs(10);
/// Matches whose stories are told at once in a round.
const MATCHES_AT_ONCE: usize = 8;
/// How often a story is attached anew because the match went on.
const TRIES_MAX: u32 = 30;

/// Tells the story of the turn that a change has resolved, while the answer goes out. If that fails, the
/// work does it later.
pub(crate) fn narrate_soon(app: &App, change: &Change) {
    let Some(turn_id) = change.resolved_turn().filter(|_| app.narrates_at_once).cloned() else {
        return;
    };
    let (app, match_id) = (app.clone(), change.state.match_id.clone());
    tokio::spawn(async move { narrate(&app, &match_id, &turn_id).await.is_ok() });
}

/// Tells the stories that were promised, those of a match one after the other, and says how many. Those
/// that can't be told now are left for another round, and those that take long are not waited for.
///
/// # Errors
/// If what was promised can't be read.
pub async fn narrate_due(app: &App) -> Result<usize, Problem> {
    let places = Arc::new(Semaphore::new(MATCHES_AT_ONCE));
    let mut matches = JoinSet::new();
    for (match_id, turns) in promised(app).await? {
        let (app, places) = (app.clone(), Arc::clone(&places));
        matches.spawn(async move {
            let mut told = 0;
            let Ok(_place) = places.acquire().await else { return told };
            for turn_id in turns {
                told += usize::from(narrate(&app, &match_id, &turn_id).await.unwrap_or(false));
            }
            told
        });
    }
    let mut told = 0;
    let all = async {
        while let Some(done) = matches.join_next().await {
            told += done.unwrap_or_default();
        }
    };
    // A narrator may think for as long as it is allowed to; nobody else has to wait for it.
    let _ = tokio::time::timeout(ROUND_MAX, all).await;
    matches.detach_all();
    Ok(told)
}

/// The turns whose stories were promised, by match, the oldest first.
async fn promised(app: &App) -> Result<BTreeMap<MatchId, Vec<TurnId>>, Problem> {
    let (kind, mut tasks, mut next) = (kind()?, Vec::new(), None);
    loop {
        let rows = app.db.tasks(&kind).skip_unreadable();
        let rows = match &next {
            Some(cursor) => rows.after(cursor),
            None => rows,
        };
        let page = rows.page().await?;
        tasks.extend(page.rows);
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    tasks.sort_by_key(|task| task.created_at);
    let mut promised: BTreeMap<MatchId, Vec<TurnId>> = BTreeMap::new();
    for (match_id, turn_id) in tasks.iter().filter_map(subject) {
        promised.entry(match_id).or_default().push(turn_id);
    }
    Ok(promised)
}

/// Tells the story of a turn; false if somebody else does or did.
///
/// # Errors
/// What the table says.
async fn narrate(app: &App, match_id: &MatchId, turn_id: &TurnId) -> Result<bool, Problem> {
    let lock =
        Lock::new(format!("lock#match#{match_id}"), "v").layout(Layout::default().lease("ttl"));
    let held = match app.db.run(lock.acquire(LEASE)).await {
        Ok(held) => held,
        Err(Error::Locked { .. }) => {
            // A lock without an end is one that another program has lost.
            if let Some(row) = app.db.lock(match_id).await?.filter(|row| row.ttl.is_none()) {
                app.db.transact().delete(&row).await?;
            }
            return Ok(false);
        }
        Err(error) => return Err(error.into()),
    };
    let told = tell(app, (&lock, &held), match_id, turn_id).await;
    // Whoever took longer than the lease has nothing to give up.
    let _ = app.db.run(lock.release(&held.token)).await;
    told
}

async fn tell(
    app: &App,
    lock: (&Lock, &Held),
    match_id: &MatchId,
    turn_id: &TurnId,
) -> Result<bool, Problem> {
    let task_id = TaskId::new(format!("{match_id}:{turn_id}"));
    let task_id = task_id.map_err(|error| Problem::internal(error.to_string()))?;
    let Some(task) = app.db.task(&kind()?, &task_id).await? else { return Ok(false) };
    let state = match app.match_row(match_id).await {
        Ok(row) => row.state,
        Err(problem) if problem.status() == 404 => return forget(app, &task).await,
        Err(problem) => return Err(problem),
    };
    let events = events_until_turn(app, &state, turn_id, is_refresh).await?;
    if events.is_empty() {
        return forget(app, &task).await;
    }
    let prompt = Prompt::of_turn(&state, turn_id, &events);
    let has_cost = app.narrator.tokens_max(&prompt) > 0;
    if has_cost && rate::count(app, Limited::AskAi, match_id.as_str()).await.is_err() {
        // The match is played faster than a narrator may be asked: its stories come later.
        return Ok(false);
    }
    let told = Asking { app, match_id, lock }.story(prompt).await;
    let story = NarrationAttached {
        turn_id: turn_id.clone(),
        narration: told.narration,
        tags: told.tags,
        fallback: told.is_fallback,
        tokens_used: told.tokens_used,
        memory: memory(&state, &events),
    };
    app.narration.tokens.add(story.tokens_used);
    attach(app, &task, &state, story).await
}

/// Attaches a story to the match as it is by now.
async fn attach(
    app: &App,
    task: &Task,
    told_of: &MatchState,
    story: NarrationAttached,
) -> Result<bool, Problem> {
    let is_fallback = story.fallback;
    for tried in 0..TRIES_MAX {
        let row = app.match_row(&told_of.match_id).await?;
        if !has_same_names(&row.state, told_of) {
            // Somebody was taken out of the match meanwhile: it is told anew, without them.
            return Ok(false);
        }
        let Ok(events) = decide::attach_narration(&row.state, story.clone(), app.now_ms()) else {
            return forget(app, task).await;
        };
        let change = Change::new(app, row, events).await?;
        match change.transaction(app)?.delete(task).await {
            Ok(_) => {
                change.announce(app);
                app.narration.stories.add(1);
                app.narration.fallbacks.add(u64::from(is_fallback));
                return Ok(true);
            }
            Err(error) if app.db.task(&task.kind, &task.task_id).await?.is_none() => {
                drop(error);
                return Ok(false);
            }
            Err(error) => {
                let problem = Problem::from(error);
                if !problem.is_version_conflict() {
                    return Err(problem);
                }
                tokio::time::sleep(Duration::from_millis(u64::from(5 * tried))).await;
            }
        }
    }
    Err(Problem::unavailable("The match goes on too fast for its story."))
}

/// Gives up a story that has no place any more.
async fn forget(app: &App, task: &Task) -> Result<bool, Problem> {
    app.db.transact().delete(task).await?;
    Ok(false)
}

/// Whether the tributes are called as they were.
fn has_same_names(state: &MatchState, before: &MatchState) -> bool {
    let names = |state: &MatchState| -> Vec<String> {
        state.roster.iter().map(|tribute| tribute.name.clone()).collect()
    };
    names(state) == names(before)
}

/// Whether the narrator's memory was refreshed with an event.
fn is_refresh(event: &Event) -> bool {
    matches!(&event.body, EventBody::NarrationAttached(story) if story.memory.is_some())
}

/// What the narrator remembers after these events, if it is time to refresh that.
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

/// Which turn of which match a task is about. Neither id of ours has a colon in it.
fn subject(task: &Task) -> Option<(MatchId, TurnId)> {
    let (match_id, turn_id) = task.task_id.as_str().rsplit_once(':')?;
    Some((MatchId::new(match_id).ok()?, TurnId::new(turn_id).ok()?))
}

fn kind() -> Result<TaskKind, Problem> {
    TaskKind::new(task::NARRATE).map_err(|error| Problem::internal(error.to_string()))
}
