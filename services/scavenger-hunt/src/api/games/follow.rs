//! `GET /api/games/{gameId}/stream`: reports changes of a game.

use crate::api::announce::{GAME_EVENT, of_game, pulse};
use crate::api::prelude::*;

event_stream!(
    /// 200 with how the game stands as events.
    GameEvents,
    "Events named `game` with the clock and how the teams stand."
);

/// Reports how a game stands, now and after every change, as server-sent events.
#[operation(GET "/api/games/{gameId}/stream", refuses(refusal::WATCHING))]
pub(crate) async fn follow_game(app: &App, call: &Call<GamePath>) -> Answer<GameEvents> {
    policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    // The subscription begins before the state is read, so that nothing between the two is missed.
    let stream = app.events.subscribe(&of_game(&call.path.game_id));
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    Ok(GameEvents(stream.first(GAME_EVENT, &pulse(app, &game).await?)).into())
}
