//! `GET /hackathon/admin/live`: reports the figures of the event as server-sent events.

use monotable_kit::{EventStream, ReplyBody};

use super::counts::{EVENT, TOPIC, counts};
use crate::api::prelude::*;

/// 200 with the figures as events.
pub(crate) struct LiveCounts(EventStream);

impl Response for LiveCounts {
    const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

    fn describe() -> Answered {
        let meaning = "Events named `live` with the data of getStatistics, now and after changes.";
        Answered { status: 200, meaning, example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::new(200, ReplyBody::Events(Box::pin(self.0)))
    }
}

/// Reports the figures of the event, now and after changes, as server-sent events.
#[operation(GET "/hackathon/admin/live", refuses(Forbidden))]
pub(crate) async fn follow_statistics(app: &App, call: &Call) -> Answer<LiveCounts> {
    policy::administer(call)?;
    // The subscription begins before the figures are read, so that nothing between the two is missed.
    let stream = app.events.subscribe(TOPIC);
    Ok(LiveCounts(stream.first(EVENT, &counts(&app.db).await?)).into())
}
