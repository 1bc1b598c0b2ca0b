//! `GET /games/{gameId}/events`: reports how a game stands, as server-sent events.

use monotable_kit::{EventStream, ReplyBody};

use crate::api::announce::{LIVE, standing};
use crate::api::prelude::*;

/// 200 with the events of a game.
pub(crate) struct LiveEvents(pub(crate) EventStream);

impl Response for LiveEvents {
    const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

    fn describe() -> Answered {
        let meaning = "Events named `live` with the response of getLive, and `signed-out` if the \
                       token expires.";
        Answered { status: 200, meaning, example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::new(200, ReplyBody::Events(Box::pin(self.0)))
    }
}

/// Reports how a game stands, now and after every change, as server-sent events.
#[operation(GET "/games/{gameId}/events", refuses(refusal::VIEWING_GAME))]
async fn follow_live(app: &App, call: &Call<GamePath>) -> Answer<LiveEvents> {
    // The subscription begins before the game is read, so that nothing between the two is missed.
    let stream = app.events.subscribe(call.path.game_id.as_str());
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    Ok(LiveEvents(stream.first(LIVE, &standing(&game, &at_bats))).into())
}
