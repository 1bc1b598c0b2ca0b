//! `GET /api/me.zip`: exports what is kept of a player, with the photos.

use crate::api::people::export_zip::archive;
use crate::api::photos::Archive;
use crate::api::prelude::*;

/// Exports everything that is kept of you as a ZIP file: `data.json`, and your photos.
#[operation(GET "/api/me.zip", refuses(refusal::PLAYING))]
pub(crate) async fn export_me_with_photos(app: &App, call: &Call) -> Answer<Archive> {
    let playing = policy::player(app, call).await?;
    Ok(archive(app, &playing.user).await?.into())
}
