//! Erases a user from everything, while others play on.
//!
//! In each match of the user, one transaction changes the state together with the events that it
//! results from, so that the log always results in the snapshot. Older texts in the log follow page
//! by page, those of a turn together with its result, so that the match can always be verified,
//! too. The progress is stored in the task, which is written with every step.
//!
//! An unreadable match does not prevent the erasure in other matches. It is recorded, and retried
//! when the task is repeated.

mod cursor;
mod origins;
mod pages;
mod traces;

use std::collections::BTreeSet;

use monotable::model::{Entity as _, delete, delete_by_key, edit};
use monotable_kit::jobs::JobTurn;
use monotable_kit::{Problem, SignInStore as _};

use self::cursor::{Cursor, Progress};
use self::origins::{signs_of, take_out};
use self::pages::next_page;
use self::traces::{erase_traces, is_story_pending};
use crate::app::App;
use crate::rules::erasure::Erasure;
use crate::table::{
    BtlRunReads as _, LobbiesKey, MatchId, MyMatch, MyMatchKey, ProfileKey, RequestScope, Task,
    UserId,
};

/// Rows that a step writes at most.
const ROWS_MAX: usize = 90;
/// Rows of a log that are read at once.
const PAGE: usize = 200;
/// Steps of a user before others get a turn.
const STEPS_MAX: usize = 1_000;

/// What follows a step.
enum Step {
    Next,
    Done,
    Waits,
}

/// Erases a user, for one turn.
///
/// # Errors
///
/// Returns the reason why it can't continue now; the next run continues at the same point.
pub(crate) async fn run(app: &App, task: Task) -> Result<JobTurn, Problem> {
    let (kind, id) = (task.kind.clone(), task.task_id.clone());
    let (mut current, mut unreadable) = (Some(task), BTreeSet::new());
    for _ in 0..STEPS_MAX {
        let Some(task) = current else { return Ok(JobTurn::Done) };
        match step(app, &task, &mut unreadable).await? {
            Step::Next => current = app.db.task(&kind, &id).await?,
            Step::Done => return Ok(JobTurn::Done),
            Step::Waits => return Ok(JobTurn::Waits),
        }
    }
    Ok(JobTurn::Waits)
}

/// Returns one step, past the matches that were found unreadable in this turn.
async fn step(app: &App, task: &Task, unreadable: &mut BTreeSet<MatchId>) -> Result<Step, Problem> {
    let user_id = UserId::new(task.task_id.as_str()).map_err(Problem::internal)?;
    let mut cursor = Cursor::of(task)?;
    let (match_id, stepped) = match &cursor.current {
        Some(progress) => {
            (progress.match_id.clone(), go_on(app, task, user_id, &cursor, progress).await)
        }
        None => match next_match(app, &user_id, unreadable).await? {
            NextMatch::Match(mine) => {
                (mine.match_id.clone(), begin(app, task, &user_id, &cursor, &mine).await)
            }
            NextMatch::All { are_readable } => {
                return finish(app, task, user_id, are_readable && unreadable.is_empty()).await;
            }
        },
    };
    match stepped {
        // Neither another writer nor the storage is the cause, but the stored data.
        Err(problem) if problem.status() == 500 => {
            app.backlog.unreadable();
            unreadable.insert(match_id.clone());
            let progress = cursor.current.take();
            cursor.skipped.insert(match_id, progress);
            cursor.commit(app.db.transact(), task).await?;
            Ok(Step::Next)
        }
        stepped => stepped,
    }
}

/// The remaining matches of a user.
enum NextMatch {
    Match(MyMatch),
    All { are_readable: bool },
}

/// Returns the next match of the user that was not found unreadable.
async fn next_match(
    app: &App,
    user_id: &UserId,
    unreadable: &BTreeSet<MatchId>,
) -> Result<NextMatch, Problem> {
    let (mut rows, mut are_readable) = (app.db.my_matches(user_id).stream(), true);
    while let Some(row) = rows.next().await {
        match app.backlog.readable(row)? {
            Some(mine) if !unreadable.contains(&mine.match_id) => {
                return Ok(NextMatch::Match(mine));
            }
            Some(_) => {}
            None => are_readable = false,
        }
    }
    Ok(NextMatch::All { are_readable })
}

/// Removes the user from the state of a match.
async fn begin(
    app: &App,
    task: &Task,
    user_id: &UserId,
    cursor: &Cursor,
    mine: &MyMatch,
) -> Result<Step, Problem> {
    if let Some(Some(progress)) = cursor.skipped.get(&mine.match_id) {
        cursor.at(progress.clone()).commit(app.db.transact(), task).await?;
        return Ok(Step::Next);
    }
    let row = app.find_match(&mine.match_id).await?;
    let erasure = match &row {
        Some(row) => Erasure::of(&row.state, &signs_of(app, &row.state).await?, user_id),
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
    let mut tx = app.db.transact();
    take_out(app, &mut tx, &row, &progress.erasure).await?;
    cursor.at(progress).commit(tx, task).await?;
    Ok(Step::Next)
}

/// Continues in a match: first its log, then all other rows.
async fn go_on(
    app: &App,
    task: &Task,
    user_id: UserId,
    cursor: &Cursor,
    progress: &Progress,
) -> Result<Step, Problem> {
    let mine = MyMatchKey::new(user_id, progress.created_at, progress.match_id.clone());
    let mut tx = app.db.transact();
    let Some(row) = app.find_match(&progress.match_id).await? else {
        tx.add(delete_by_key(&mine));
        cursor.behind(progress).commit(tx, task).await?;
        return Ok(Step::Next);
    };
    // A concurrent request may have added data of the user again.
    if progress.erasure.state(&row.state) != row.state {
        take_out(app, &mut tx, &row, &progress.erasure).await?;
        tx.await?;
        return Ok(Step::Next);
    }
    if let Some(after_seq) = next_page(app, &mut tx, &row.state, progress).await? {
        let progress = Progress { after_seq, ..progress.clone() };
        cursor.at(progress).commit(tx, task).await?;
        return Ok(Step::Next);
    }
    erase_traces(app, &progress.match_id, &progress.erasure).await?;
    if is_story_pending(app, &progress.match_id, progress.began_at).await? {
        return Ok(Step::Waits);
    }
    // Nothing was added to the log since it was read.
    tx.add(edit(&row, |_| {}));
    tx.add(delete_by_key(&mine));
    cursor.behind(progress).commit(tx, task).await?;
    Ok(Step::Next)
}

/// Removes the recorded responses to the user, the sign-in data, and the user; but not the task if
/// matches are left.
async fn finish(
    app: &App,
    task: &Task,
    user_id: UserId,
    is_complete: bool,
) -> Result<Step, Problem> {
    let scope = RequestScope::new(format!("user:{user_id}")).map_err(Problem::internal)?;
    let answers =
        app.db.requests(&scope).including_expired().skip_unreadable().take(ROWS_MAX).page().await?;
    let mut tx = app.db.transact();
    if !answers.rows.is_empty() {
        for answer in &answers.rows {
            tx.add(delete_by_key(&answer.key()));
        }
        tx.await?;
        return Ok(Step::Next);
    }
    app.db.forget(user_id.as_str()).await?;
    tx.add(delete_by_key(&ProfileKey::new(user_id.clone())));
    tx.add(delete_by_key(&LobbiesKey::new(user_id)));
    if !is_complete {
        tx.await?;
        return Err(Problem::internal(
            "matches of the user can't be read; they are tried again later",
        ));
    }
    tx.add(delete(task));
    tx.await?;
    Ok(Step::Done)
}
