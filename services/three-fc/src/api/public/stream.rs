//! `GET /v1/public/games/{gameId}/stream`: reports how a game stands, as server-sent events.

use super::announce::EVENT;
use super::scoreboard::scoreboard;
use super::visible_game;
use crate::api::prelude::*;

monotable_kit::event_stream!(
    /// 200 with the events of a game.
    GameEvents,
    "Events named `game` with the response of getPublicGame."
);

/// Reports how a game stands, now and after every change, as server-sent events.
#[operation(GET "/v1/public/games/{gameId}/stream", public, refuses(NotFound))]
async fn follow_game(app: &App, call: &Call<GamePath>) -> Answer<GameEvents> {
    // The subscription begins before the game is read, so that nothing between the two is missed.
    let stream = app.events.subscribe(call.path.game_id.as_str());
    let game = visible_game(app, &call.path.game_id).await?;
    Ok(GameEvents(stream.first(EVENT, &scoreboard(app, &game).await?)).into())
}
