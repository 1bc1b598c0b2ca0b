//! `POST /v1/games/{gameId}/thirds/{n}/finish`: finishes a third.

use super::{ThirdTime, change_third};
use crate::api::games::GameView;
use crate::api::prelude::*;
use crate::rules::thirds;

/// Finishes the third that is running.
#[operation(
    POST "/v1/games/{gameId}/thirds/{n}/finish", once, if_match, queue = game_id,
    refuses(refusal::SCORING, InvalidTransition, ThirdNotRunning)
)]
pub(crate) async fn finish_third(
    app: &App,
    call: &Call<ThirdPath, Option<ThirdTime>>,
) -> Answer<Json<GameView>> {
    change_third(app, call, |_, game, n, now| thirds::finish(game.status, &mut game.thirds, n, now))
        .await
}
