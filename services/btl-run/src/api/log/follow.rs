//! `GET /match/{id}/stream`: follows a match with server-sent events.

use monotable_kit::ReplyBody;

use super::follower::{Follower, Following, is_over};
use crate::api::prelude::*;
use crate::tokens::viewer;

/// The start of a stream.
#[derive(Debug, Body)]
pub(crate) struct Beginning {
    /// The number after which the stream starts; 0 is the beginning.
    // At most the last number of a log.
    #[body(range = 0..=999_999, example = 12)]
    after: Option<u32>,
}

/// 200 with the events of a match, or 204 if there will be no more.
pub(crate) enum Followed {
    Events(Following),
    Over,
}

impl Response for Followed {
    const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

    fn describe() -> Answered {
        let meaning =
            "Server-sent events of type `log`, each as in the log, and `end` after the last.";
        Answered { status: 200, meaning, example: None, schema: None }
    }

    fn describe_others() -> Vec<Answered> {
        let meaning = "The match is over, and the client has seen everything.";
        vec![Answered { status: 204, meaning, example: None, schema: None }]
    }

    fn into_reply(self) -> Reply {
        match self {
            Self::Events(events) => Reply::new(200, ReplyBody::Events(Box::pin(events))),
            Self::Over => Reply::no_content(),
        }
    }
}

/// Streams the existing events and then new ones as they happen; ids are their numbers.
///
/// When a browser reconnects, it sends the last event that it received, which takes precedence over
/// the parameter in its address. The last event of the stream is `end`; a browser that reconnects
/// after it gets 204, so that it stops.
#[operation(GET "/match/{id}/stream", public, refuses(MatchNotFound, TokenOfAnotherMatch))]
pub(crate) async fn follow_match(
    app: &App,
    call: &Call<MatchPath, (), Beginning>,
) -> Answer<Followed> {
    let match_id = &call.path.id;
    let seen = call.last_event_id.and_then(|id| u32::try_from(id).ok());
    // The subscription starts before the log is read, so that no event in between is missed.
    let notifications = app.events.subscribe(match_id.as_str());
    let state = turn::seen(app, match_id).await?.state;
    let viewer = viewer(call, match_id)?;
    if seen.is_some_and(|seen| seen >= state.log_seq) && is_over(app, &state).await? {
        return Ok(Followed::Over.into());
    }
    let after = seen.or(call.query.after).unwrap_or_default();
    let follower = Follower::new(app, match_id, viewer, notifications, after).await?;
    Ok(Followed::Events(Following::new(follower)).into())
}
