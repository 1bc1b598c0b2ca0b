//! `PUT /games/{gameId}/atbats/{atBatId}`: corrects an at-bat.

use super::correction::ScoredGame;
use super::{AtBatView, PlayFields};
use crate::api::prelude::*;
use crate::rules::batting_order;
use crate::rules::play::Play;
use crate::rules::results::Outcome;

/// Changes of an at-bat.
#[derive(Debug, Body)]
#[body(not_empty, read_only_of = AtBatView)]
pub(crate) struct AtBatChanges {
    /// The batter, if the wrong one was recorded.
    player_id: Option<PlayerId>,
    #[body(words = Outcome::ACCEPTED, example = "1B")]
    result: Option<String>,
    #[body(flatten)]
    play: PlayFields,
}

/// Corrects an at-bat. After the game only owners and managers can.
#[operation(
    PUT "/games/{gameId}/atbats/{atBatId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, PlayerNotOnTeam, AtBatNotFound, LineupRequired)
)]
async fn update_at_bat(app: &App, call: &Call<AtBatPath, AtBatChanges>) -> Answer<Json<AtBatView>> {
    let AtBatChanges { player_id, result, play } = &call.body;
    let scored = ScoredGame::read(app, call, &call.path.game_id).await?;
    scored.require_correctable()?;
    let index = batting_order::position(&scored.at_bats, &call.path.at_bat_id)?;
    let play = Play { result: result.as_deref(), fields: play };
    scored.change(index, player_id.as_ref(), &play).await
}
