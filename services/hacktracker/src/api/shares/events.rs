//! `GET /share/{token}/events`: streams the situation of a game as server-sent events, for anyone
//! with a link.

use super::follow::{game_of, shared_game};
use crate::api::announce::{LIVE, standing};
use crate::api::prelude::*;
use crate::api::statistics::events::LiveEvents;

/// Streams the situation of a game, now and after every change, as server-sent events.
#[operation(GET "/share/{token}/events", public, refuses(ShareNotFound))]
async fn follow_shared(app: &App, call: &Call) -> Answer<LiveEvents> {
    // The subscription starts before the game is read, so that no change in between is missed.
    let game_id = game_of(call).ok_or(Refusal::ShareNotFound)?;
    let stream = app.events.subscribe(game_id.as_str());
    let played = shared_game(app, call).await?.played;
    Ok(LiveEvents(stream.first(LIVE, &standing(&played.game, &played.at_bats))).into())
}
