//! `GET /hackathon/admin/live`: reports the figures of the event as server-sent events.

use super::counts::{EVENT, TOPIC, counts};
use crate::api::prelude::*;

monotable_kit::event_stream!(
    /// 200 with the figures as events.
    LiveCounts,
    "Events named `live` with the data of getStatistics, now and after changes."
);

/// Reports the figures of the event, now and after changes, as server-sent events.
#[operation(GET "/hackathon/admin/live", refuses(Forbidden))]
pub(crate) async fn follow_statistics(app: &App, call: &Call) -> Answer<LiveCounts> {
    policy::administer(call)?;
    // The subscription begins before the figures are read, so that nothing between the two is missed.
    let stream = app.events.subscribe(TOPIC);
    Ok(LiveCounts(stream.first(EVENT, &counts(&app.db).await?)).into())
}
