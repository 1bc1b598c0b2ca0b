//! Taking a user out of everything, while others play on.
//!
//! In each match of the user, one transaction changes the state together with the events that the state
//! follows from, so that the log gives the snapshot at every moment. Old words in the log follow page by
//! page, those of a turn together with what came of it, so that the match can be verified at every
//! moment, too. How far it is stands in the task, which is written with every step.

mod pages;
mod traces;

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Transact};
use monotable_kit::Problem;
use serde::{Deserialize, Serialize};

use self::pages::next_page;
use self::traces::{erase_traces, is_story_pending};
use crate::app::App;
use crate::erase::Erasure;
use crate::events::{Event, EventBody};
use crate::ids::{MatchId, RequestScope, UserId};
use crate::log_rows::{LogRow, rows_after};
use crate::patterns::{BtlRun, BtlRunReads as _};
use crate::rows::{LobbiesKey, MatchRow, MyMatch, MyMatchKey, ProfileKey, Task};
use crate::state::MatchState;
use crate::work::Turn;

/// Rows that a step writes at most.
const ROWS_MAX: usize = 90;
/// Rows of a log that are read at once.
const PAGE: usize = 200;
/// Steps of a user before others have their turn.
const STEPS_MAX: usize = 1_000;

/// How far the erasure of a user is in a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    match_id: MatchId,
    /// When the match was created: the user's row of it is under this time.
    created_at: Timestamp,
    /// When the user was taken out of the state. Stories that were begun before may still name them.
    began_at: i64,
    erasure: Erasure,
    /// The last event that was handled.
    after_seq: u32,
}

/// What comes behind a step.
enum Step {
    Next,
    Done,
    Waits,
}

/// Takes a user out, for one turn.
///
/// # Errors
/// What stands in the way. It goes on where it was.
pub(crate) async fn run(app: &App, task: Task) -> Result<Turn, Problem> {
    let (kind, id) = (task.kind.clone(), task.task_id.clone());
    let mut current = Some(task);
    for _ in 0..STEPS_MAX {
        let Some(task) = current else { return Ok(Turn::Done) };
        match step(app, &task).await? {
            Step::Next => current = app.db.task(&kind, &id).await?,
            Step::Done => return Ok(Turn::Done),
            Step::Waits => return Ok(Turn::Waits),
        }
    }
    Ok(Turn::Waits)
}

async fn step(app: &App, task: &Task) -> Result<Step, Problem> {
    let user_id = UserId::new(task.task_id.as_str()).map_err(internal)?;
    let progress: Option<Progress> =
        task.cursor.as_deref().map(serde_json::from_str).transpose().map_err(internal)?;
    match progress {
        None => {
            let mine = app.db.my_matches(&user_id).first().await?;
            match mine {
                Some(mine) => begin(app, task, &user_id, &mine).await,
                None => finish(app, task, user_id).await,
            }
        }
        Some(progress) => go_on(app, task, user_id, progress).await,
    }
}

/// Takes the user out of the state of a match.
async fn begin(app: &App, task: &Task, user_id: &UserId, mine: &MyMatch) -> Result<Step, Problem> {
    let row = app.db.match_state(&mine.match_id).await?;
    let erasure = match &row {
        Some(row) => Erasure::of(&row.state, &lobby_of(app, &row.state).await?, user_id),
        None => None,
    };
    let (Some(row), Some(erasure)) = (row, erasure) else {
        app.db.delete_by_key(&mine.key()).await?;
        return Ok(Step::Next);
    };
    let progress = Progress {
        match_id: mine.match_id.clone(),
        created_at: mine.created_at,
        began_at: app.now_ms(),
        erasure,
        after_seq: 0,
    };
    let identity = take_out(app, &row, &progress.erasure).await?;
    note(identity, task, Some(&progress))?.await?;
    Ok(Step::Next)
}

/// The events of a match before its first turn.
async fn lobby_of(app: &App, state: &MatchState) -> Result<Vec<Event>, Problem> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let after = events.last().map_or(0, |event| event.seq);
        let rows = rows_after(app, state, after, PAGE).await?;
        if rows.is_empty() {
            return Ok(events);
        }
        for row in rows {
            if matches!(row.event().body, EventBody::MatchStarted(_)) {
                return Ok(events);
            }
            events.push(row.event().clone());
        }
    }
}

/// The state without the user, the events that it follows from, and the end of the user's tokens.
async fn take_out(
    app: &App,
    row: &MatchRow,
    erasure: &Erasure,
) -> Result<Transact<BtlRun>, Problem> {
    let mut out = app.db.transact().edit(row, |row| {
        row.state = erasure.state(&row.state);
        row.state.version = row.ver + 1;
    });
    if let Some(secret) = app.db.secret(&row.match_id).await? {
        out = out.edit(&secret, |secret| {
            let players = &mut secret.token_hashes.players;
            erasure.tributes().for_each(|id| drop(players.remove(id)));
        });
    }
    for origin in origins(app, &row.state, erasure).await? {
        let told = erasure.event(origin.event());
        out = origin.retell(out, told);
    }
    Ok(out)
}

/// The events that give the state what is taken out of it: who created the match, who joined, what is
/// about to be done, and what the narrator remembers.
async fn origins(app: &App, state: &MatchState, erasure: &Erasure) -> Result<Vec<LogRow>, Problem> {
    let (mut people, mut pending, mut memory) = (Vec::new(), None, None);
    let mut after = 0;
    loop {
        let rows = rows_after(app, state, after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after = last.number();
        for row in rows.into_iter().filter(|row| row.number() <= state.log_seq) {
            match &row.event().body {
                EventBody::MatchCreated(_) => people.push(row),
                EventBody::TributeJoined { tribute, .. }
                    if state.tribute(&tribute.id).is_some() =>
                {
                    people.push(row);
                }
                EventBody::TributeActionSubmitted { tribute_id, .. }
                    if row.event().turn_id == state.turn_id
                        && erasure.tributes().any(|id| id == tribute_id) =>
                {
                    pending = Some(row);
                }
                EventBody::NarrationAttached(story) if story.memory.is_some() => {
                    memory = Some(row);
                }
                _ => {}
            }
        }
    }
    let origins = people.into_iter().chain(pending).chain(memory);
    Ok(origins.filter(|row| erasure.event(row.event()) != *row.event()).collect())
}

/// Goes on in a match: its log, then everything beside it.
async fn go_on(
    app: &App,
    task: &Task,
    user_id: UserId,
    progress: Progress,
) -> Result<Step, Problem> {
    let mine = MyMatchKey::new(user_id, progress.created_at, progress.match_id.clone());
    let Some(row) = app.db.match_state(&progress.match_id).await? else {
        let gone = app.db.transact().delete_by_key(&mine);
        note(gone, task, None)?.await?;
        return Ok(Step::Next);
    };
    // A request that was under way may have brought something of the user back.
    if progress.erasure.state(&row.state) != row.state {
        take_out(app, &row, &progress.erasure).await?.await?;
        return Ok(Step::Next);
    }
    if let Some((page, after_seq)) = next_page(app, &row.state, &progress).await? {
        note(page, task, Some(&Progress { after_seq, ..progress }))?.await?;
        return Ok(Step::Next);
    }
    erase_traces(app, &progress.match_id, &progress.erasure).await?;
    if is_story_pending(app, &progress.match_id, progress.began_at).await? {
        return Ok(Step::Waits);
    }
    // Nothing was added to the log since it was read.
    let done = app.db.transact().edit(&row, |_| {}).delete_by_key(&mine);
    note(done, task, None)?.await?;
    Ok(Step::Next)
}

/// The transaction with how far the task is behind it.
fn note(
    transaction: Transact<BtlRun>,
    task: &Task,
    progress: Option<&Progress>,
) -> Result<Transact<BtlRun>, Problem> {
    let cursor = progress.map(serde_json::to_string).transpose().map_err(internal)?;
    Ok(transaction.edit(task, |task| task.cursor = cursor))
}

/// Forgets what the user was answered, and the user.
async fn finish(app: &App, task: &Task, user_id: UserId) -> Result<Step, Problem> {
    let scope = RequestScope::new(format!("user:{user_id}")).map_err(internal)?;
    let answers =
        app.db.requests(&scope).including_expired().skip_unreadable().take(ROWS_MAX).page().await?;
    if !answers.rows.is_empty() {
        let forgotten = answers
            .rows
            .iter()
            .fold(app.db.transact(), |all, answer| all.delete_by_key(&answer.key()));
        forgotten.await?;
        return Ok(Step::Next);
    }
    app.db
        .transact()
        .delete_by_key(&ProfileKey::new(user_id.clone()))
        .delete_by_key(&LobbiesKey::new(user_id))
        .delete(task)
        .await?;
    Ok(Step::Done)
}

fn internal(error: impl std::fmt::Display) -> Problem {
    Problem::internal(error.to_string())
}
