//! `GET /hackathon/admin/checkin/live`: reports arrivals as server-sent events.

use monotable_kit::{EventStream, ReplyBody};

use super::{DESK, EVENT, arrivals};
use crate::api::prelude::*;

/// 200 with arrivals as events.
pub(crate) struct Arrivals(EventStream);

impl Response for Arrivals {
    const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

    fn describe() -> Answered {
        let meaning = "Events named `live` with the number of participants who have arrived.";
        Answered { status: 200, meaning, example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::new(200, ReplyBody::Events(Box::pin(self.0)))
    }
}

/// Reports how many participants have arrived, now and after each arrival, as server-sent events.
#[operation(GET "/hackathon/admin/checkin/live", refuses(Forbidden))]
pub(crate) async fn follow_arrivals(app: &App, call: &Call) -> Answer<Arrivals> {
    policy::administer(call)?;
    // The subscription begins before the number is read, so that nothing between the two is missed.
    let stream = app.events.subscribe(DESK);
    Ok(Arrivals(stream.first(EVENT, &arrivals(app).await?)).into())
}
