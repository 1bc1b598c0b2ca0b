//! `POST /games/{gameId}/finish`: ends a game.

use super::change::change;
use super::{GameFields, GameView};
use crate::api::prelude::*;
use crate::rules::transitions::Transition;

/// The final score.
#[derive(Debug, Body)]
pub(crate) struct FinalScore {
    #[body(range = 0..=999)]
    team_score: Option<u16>,
    #[body(range = 0..=999)]
    opponent_score: Option<u16>,
}

/// Ends a game, with its final score if the request gives one.
#[operation(
    POST "/games/{gameId}/finish", once, if_match, queue = game_id, refuses(refusal::CHANGING_GAME)
)]
pub(crate) async fn finish_game(
    app: &App,
    call: &Call<GamePath, Option<FinalScore>>,
) -> Answer<Json<GameView>> {
    let score = call.body.as_ref();
    let fields = GameFields {
        team_score: score.and_then(|score| score.team_score),
        opponent_score: score.and_then(|score| score.opponent_score),
        ..GameFields::default()
    };
    change(app, call, &call.path.game_id, &fields, Some(Transition::Finish)).await
}
