//! `PUT /games/{gameId}`: changes a game.

use super::change::change;
use super::{GameFields, GameView};
use crate::api::prelude::*;

/// Changes of a game.
#[derive(Debug, Body)]
#[body(not_empty, read_only_of = GameView)]
pub(crate) struct GameChanges {
    #[body(flatten)]
    fields: GameFields,
}

/// Changes a game. Another status is the transition that leads to it.
#[operation(
    PUT "/games/{gameId}", once, if_match, queue = game_id,
    refuses(refusal::CHANGING_GAME, LimitReached)
)]
async fn update_game(app: &App, call: &Call<GamePath, GameChanges>) -> Answer<Json<GameView>> {
    change(app, call, &call.path.game_id, &call.body.fields, None).await
}
