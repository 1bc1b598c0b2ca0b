//! `GET /api/me`: exports what is kept of a player.

use crate::api::people::export::{ExportView, exported};
use crate::api::prelude::*;

/// Exports everything that is kept of you.
#[operation(GET "/api/me", refuses(refusal::PLAYING))]
pub(crate) async fn export_me(app: &App, call: &Call) -> Answer<Json<ExportView>> {
    let playing = policy::player(app, call).await?;
    Ok(Json(exported(app, &playing.user).await?).into())
}
