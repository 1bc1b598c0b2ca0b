//! `GET /hackathon/admin/checkin/live`: reports arrivals as server-sent events.

use super::{DESK, EVENT, arrivals};
use crate::api::prelude::*;

monotable_kit::event_stream!(
    /// 200 with arrivals as events.
    Arrivals,
    "Events named `live` with the number of participants who have arrived."
);

/// Reports how many participants have arrived, now and after each arrival, as server-sent events.
#[operation(GET "/hackathon/admin/checkin/live", refuses(Forbidden))]
pub(crate) async fn follow_arrivals(app: &App, call: &Call) -> Answer<Arrivals> {
    policy::administer(call)?;
    // The subscription begins before the number is read, so that nothing between the two is missed.
    let stream = app.events.subscribe(DESK);
    Ok(Arrivals(stream.first(EVENT, &arrivals(app).await?)).into())
}
