//! The data of a user in a match outside its log: summaries, messages among allies, and stored
//! responses.

use monotable::model::Entity as _;
use monotable::model::key::encode_free_text;
use monotable_kit::Problem;

use crate::app::App;
use crate::change::task;
use crate::rules::erasure::Erasure;
use crate::table::{BtlRunReads as _, MatchId, RequestScope, TaskKind, TributeId};
use crate::tokens::Bearer;

/// Removes the messages of the user's tributes, and their names from everything else. A repeat has
/// no further effect.
pub(super) async fn erase_traces(
    app: &App,
    match_id: &MatchId,
    erasure: &Erasure,
) -> Result<(), Problem> {
    let mut summaries = app.db.summaries(match_id).consistent().stream();
    while let Some(row) = summaries.next().await {
        let Some(row) = app.backlog.readable(row)? else { continue };
        let rewritten = erasure.summary(&row.summary);
        if rewritten != row.summary {
            app.db.edit(row, |row| row.summary = rewritten).await?;
        }
    }
    let mut messages = app.db.messages(match_id).stream();
    while let Some(message) = messages.next().await {
        let Some(message) = app.backlog.readable(message)? else { continue };
        let rewritten = erasure.text(&message.text);
        if erasure.tributes().any(|id| *id == message.tribute_id) {
            app.db.delete_by_key(&message.key()).await?;
        } else if rewritten != message.text {
            app.db.edit(message, |message| message.text = rewritten).await?;
        }
    }
    forget_answers(app, match_id, erasure).await
}

/// Removes the stored responses to the user's requests in the match.
async fn forget_answers(app: &App, match_id: &MatchId, erasure: &Erasure) -> Result<(), Problem> {
    let holder = RequestScope::new(match_id.as_str()).map_err(Problem::internal)?;
    let player = |id: &TributeId| Bearer::Player(match_id.clone(), id.clone()).principal().id;
    let user = erasure.user_id().as_str().to_owned();
    // A stored request begins with the caller.
    let asked: Vec<_> = std::iter::once(user)
        .chain(erasure.tributes().map(player))
        .map(|principal| format!("{} ", encode_free_text(&principal)))
        .collect();
    let mut answers = app.db.requests(&holder).including_expired().stream();
    while let Some(answer) = answers.next().await {
        let Some(answer) = app.backlog.readable(answer)? else { continue };
        if asked.iter().any(|asked| answer.scope.starts_with(asked)) {
            app.db.delete_by_key(&answer.key()).await?;
        }
    }
    Ok(())
}

/// Returns whether a story is pending that was requested before the erasure: it may have been
/// started with the user's name.
pub(super) async fn is_story_pending(
    app: &App,
    match_id: &MatchId,
    until: i64,
) -> Result<bool, Problem> {
    let kind = TaskKind::new(task::NARRATE).map_err(Problem::internal)?;
    let prefix = format!("{match_id}:");
    let mut stories = app.db.tasks(&kind).skip_unreadable().stream();
    while let Some(story) = stories.next().await {
        let story = story?;
        if story.task_id.as_str().starts_with(&prefix) && story.created_at <= until {
            return Ok(true);
        }
    }
    Ok(false)
}
