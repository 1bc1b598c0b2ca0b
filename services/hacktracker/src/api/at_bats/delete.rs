//! `DELETE /games/{gameId}/atbats/{atBatId}`: deletes an at-bat.

use monotable_kit::{Answer, Call, NoContent, operation};

use super::AtBatPath;
use super::correction::ScoredGame;
use crate::api::scope;
use crate::app::App;
use crate::refusal::{self, Refusal};
use crate::rules::batting_order;
use crate::table::HackTrackerReads as _;

/// Deletes an at-bat. After the game only owners and managers can.
#[operation(
    DELETE "/games/{gameId}/atbats/{atBatId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, AtBatNotFound)
)]
pub(crate) async fn delete_at_bat(app: &App, call: &Call<AtBatPath>) -> Answer<NoContent> {
    let game = scope::there(app.db.game(&call.path.game_id).consistent().await?)?;
    let scored = ScoredGame::of(app, call, &game).await?;
    scored.require_correctable()?;
    let index = batting_order::position(&scored.at_bats, &call.path.at_bat_id)?;
    scored.correct(app, call, index)?.delete(|| NoContent).await
}
