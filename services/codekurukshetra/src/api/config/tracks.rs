//! `GET /hackathon/tracks`: the tracks that teams choose from.

use crate::api::prelude::*;

/// The tracks of the event.
#[derive(View)]
pub(crate) struct TracksView {
    tracks: Vec<Track>,
}

/// Returns the tracks that teams choose from.
#[operation(GET "/hackathon/tracks", public, refuses(NotConfigured))]
pub(crate) async fn get_tracks(app: &App, _call: &Call) -> Answer<Json<TracksView>> {
    Ok(Json(TracksView { tracks: app.config().await?.tracks }).into())
}
