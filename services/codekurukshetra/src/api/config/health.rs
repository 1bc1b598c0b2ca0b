//! `GET /hackathon/health`: whether the service runs.

use crate::api::prelude::*;

/// Whether the service is running.
#[derive(View)]
pub(crate) struct HealthView {
    #[view(example = "ok")]
    status: &'static str,
    #[view(example = "0.1.0")]
    version: &'static str,
    time: Timestamp,
}

/// Returns whether the service runs.
#[operation(GET "/hackathon/health", public)]
pub(crate) async fn get_health(app: &App, _call: &Call) -> Answer<Json<HealthView>> {
    let (status, version) = ("ok", env!("CARGO_PKG_VERSION"));
    Ok(Json(HealthView { status, version, time: app.db.now() }).into())
}
