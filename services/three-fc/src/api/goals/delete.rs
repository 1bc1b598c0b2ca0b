//! `DELETE /v1/games/{gameId}/goals/{eventId}`: deletes a goal.

use super::correction::Correction;
use crate::api::prelude::*;

/// Deletes a goal. After the game only admins can.
#[operation(
    DELETE "/v1/games/{gameId}/goals/{eventId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, NotFound)
)]
async fn delete_goal(app: &App, call: &Call<GoalPath>) -> Answer<NoContent> {
    let correction = Correction::read(app, call, &call.path).await?;
    let mut tx = correction.write("deleteGoal", None)?;
    tx.add(delete(correction.goal()));
    tx.respond(|_| NoContent).await
}
