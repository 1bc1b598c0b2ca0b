//! `POST /api/level`: shows the state of the hunt; with a code, scans it.

use super::scan;
use super::state::{self, StateView};
use crate::api::prelude::*;

/// What was scanned, if anything was.
#[derive(Debug, Body)]
pub(crate) struct Level {
    /// The code of a level, as programs of the origin send it.
    #[body(length = 1..=500, example = "7K3M9QWX0A1B7K3M9QWX0A1B7K")]
    level_id: Option<String>,
}

/// Shows the state of the hunt, and notes that the team has arrived where it is going. With `levelId` it scans a code.
#[operation(POST "/api/level", refuses(refusal::ACTING, refusal::SCANNING))]
pub(crate) async fn level(app: &App, call: &Call<(), Level>) -> Answer<Json<StateView>> {
    let playing = policy::player(app, call).await?;
    match &call.body.level_id {
        Some(code) => scan::scan_code(app, call, playing, code).await,
        None => {
            state::arrive(app, call, &playing).await?;
            Ok(Json(state::state(app, &playing, None).await?).into())
        }
    }
}
