//! `GET /v1/public/games/{gameId}/stream`: reports how a game stands, as server-sent events.

use monotable_kit::{EventStream, ReplyBody};

use super::announce::EVENT;
use super::scoreboard::scoreboard;
use super::visible_game;
use crate::api::prelude::*;

/// 200 with the events of a game.
pub(crate) struct GameEvents(pub(crate) EventStream);

impl Response for GameEvents {
    const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

    fn describe() -> Answered {
        let meaning = "Events named `game` with the response of getPublicGame.";
        Answered { status: 200, meaning, example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::new(200, ReplyBody::Events(Box::pin(self.0)))
    }
}

/// Reports how a game stands, now and after every change, as server-sent events.
#[operation(GET "/v1/public/games/{gameId}/stream", public, refuses(NotFound))]
async fn follow_game(app: &App, call: &Call<GamePath>) -> Answer<GameEvents> {
    // The subscription begins before the game is read, so that nothing between the two is missed.
    let stream = app.events.subscribe(call.path.game_id.as_str());
    let game = visible_game(app, &call.path.game_id).await?;
    Ok(GameEvents(stream.first(EVENT, &scoreboard(app, &game).await?)).into())
}
