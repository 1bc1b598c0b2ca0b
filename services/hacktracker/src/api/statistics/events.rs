//! `GET /games/{gameId}/events`: streams the situation of a game as server-sent events.

use crate::api::announce::{LIVE, standing};
use crate::api::prelude::*;

monotable_kit::event_stream!(
    /// 200 with the events of a game.
    LiveEvents,
    "Events named `live` with the response of getLive, and `signed-out` if the token expires."
);

/// Streams the situation of a game, now and after every change, as server-sent events.
#[operation(GET "/games/{gameId}/events", refuses(refusal::VIEWING_GAME))]
async fn follow_live(app: &App, call: &Call<GamePath>) -> Answer<LiveEvents> {
    // The subscription starts before the game is read, so that no change in between is missed.
    let stream = app.events.subscribe(call.path.game_id.as_str());
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    Ok(LiveEvents(stream.first(LIVE, &standing(&game, &at_bats))).into())
}
