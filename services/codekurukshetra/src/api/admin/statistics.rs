//! `GET /hackathon/admin/statistics`: the figures of the event.

use super::counts::{CountsView, counts};
use crate::api::prelude::*;

/// Returns the figures of the event, from its counters.
#[operation(GET "/hackathon/admin/statistics", refuses(Forbidden))]
pub(crate) async fn get_statistics(app: &App, call: &Call) -> Answer<Json<CountsView>> {
    policy::administer(call)?;
    Ok(Json(counts(&app.db).await?).into())
}
