//! `DELETE /games/{gameId}/atbats/{atBatId}`: deletes an at-bat.

use super::correction::ScoredGame;
use crate::api::prelude::*;
use crate::rules::batting_order;

/// Deletes an at-bat. After the game only owners and managers can.
#[operation(
    DELETE "/games/{gameId}/atbats/{atBatId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, AtBatNotFound)
)]
async fn delete_at_bat(app: &App, call: &Call<AtBatPath>) -> Answer<NoContent> {
    let scored = ScoredGame::read(app, call, &call.path.game_id).await?;
    scored.require_correctable()?;
    let index = batting_order::position(&scored.at_bats, &call.path.at_bat_id)?;
    scored.delete(index, || NoContent).await
}
