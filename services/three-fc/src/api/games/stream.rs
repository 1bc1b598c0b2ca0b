//! `GET /v1/games/{gameId}/stream`: reports how a game stands to members of its league.

use crate::api::prelude::*;
use crate::api::public::announce::{EVENT, members};
use crate::api::public::scoreboard::scoreboard;
use crate::api::public::stream::GameEvents;
use crate::legacy::games::shown;

/// Reports how a game stands, now and after every change, also if it is hidden from the public.
#[operation(GET "/v1/games/{gameId}/stream", refuses(refusal::VIEWING))]
async fn follow_game_as_member(app: &App, call: &Call<GamePath>) -> Answer<GameEvents> {
    let (game, _) = policy::game(app, call, &call.path.game_id, Action::View).await?;
    // The subscription begins before the game is read again, so that nothing between the two is missed.
    let stream = app.events.subscribe(&members(&game));
    let (game, _) = policy::game(app, call, &call.path.game_id, Action::View).await?;
    let game = shown(app, game).await?;
    Ok(GameEvents(stream.first(EVENT, &scoreboard(app, &game).await?)).into())
}
