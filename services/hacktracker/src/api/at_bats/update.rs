//! `PUT /games/{gameId}/atbats/{atBatId}`: corrects an at-bat.

use monotable_kit::{Answer, Body, Call, Json, operation};

use super::correction::ScoredGame;
use super::{AtBatPath, AtBatView, PlayFields, RESULTS};
use crate::api::scope;
use crate::app::App;
use crate::refusal::{self, Refusal};
use crate::rules::batting_order;
use crate::rules::play::Play;
use crate::table::{HackTrackerReads as _, PlayerId};

/// Changes of an at-bat.
#[derive(Debug, Body)]
#[body(
    not_empty,
    read_only(
        "atBatId",
        "gameId",
        "teamId",
        "battingOrder",
        "situationMismatch",
        "happenedAt",
        "createdAt",
        "updatedAt",
        "ver"
    )
)]
pub(crate) struct AtBatChanges {
    /// The batter, if another one was recorded.
    player_id: Option<PlayerId>,
    #[body(words = RESULTS, example = "1B")]
    result: Option<String>,
    #[body(flatten)]
    play: PlayFields,
}

/// Corrects an at-bat. After the game only owners and managers can.
#[operation(
    PUT "/games/{gameId}/atbats/{atBatId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, PlayerNotOnTeam, AtBatNotFound, LineupRequired)
)]
pub(crate) async fn update_at_bat(
    app: &App,
    call: &Call<AtBatPath, AtBatChanges>,
) -> Answer<Json<AtBatView>> {
    let AtBatChanges { player_id, result, play } = &call.body;
    let game = scope::there(app.db.game(&call.path.game_id).consistent().await?)?;
    let scored = ScoredGame::of(app, call, &game).await?;
    scored.require_correctable()?;
    let index = batting_order::position(&scored.at_bats, &call.path.at_bat_id)?;
    let play = Play { result: result.as_deref(), fields: play };
    scored.correct(app, call, index)?.change(player_id.as_ref(), &play).await
}
