//! `POST /v1/games/{gameId}/goals/undo`: takes the goal back that was entered last.

use super::GoalView;
use super::correction::Correction;
use crate::api::game_change::GameChange;
use crate::api::prelude::*;
use crate::rules::timeline;

/// The goal that was entered last, as the caller knows it.
#[derive(Debug, Body)]
pub(crate) struct LastGoal {
    event_id: Option<EventId>,
}

/// Takes the goal back that was entered last, wherever it is in the timeline. Another one is refused if the
/// request names it.
// When somebody else was faster, the last one is another than the caller has seen: hence `no_repeat`.
#[operation(
    POST "/v1/games/{gameId}/goals/undo", once, if_match, queue = game_id, no_repeat,
    refuses(refusal::SCORING, NotFound, InvalidTransition, Conflict)
)]
async fn undo_last_goal(
    app: &App,
    call: &Call<GamePath, Option<LastGoal>>,
) -> Answer<Json<GoalView>> {
    let change = GameChange::read_version(app, call, &call.path.game_id).await?;
    change.require_live()?;
    let index = timeline::last_entered(&change.sheet.goals);
    let index = index.ok_or_else(|| Refusal::NotFound.text("The game has no goals."))?;
    let correction = Correction::at(change, index);
    let goal = correction.goal().clone();
    let meant = call.body.as_ref().and_then(|body| body.event_id.as_ref());
    if meant.is_some_and(|meant| *meant != goal.event_id) {
        return Err(Refusal::Conflict.text("Another goal was entered last. Fetch the game again."));
    }
    let third_length = correction.change.game.third_length();
    let mut tx = correction.write("undoLastGoal", None)?;
    tx.add(delete(&goal));
    tx.respond(move |_| Json(GoalView::of_game(&goal, third_length))).await
}
