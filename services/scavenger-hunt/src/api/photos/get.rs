//! `GET /api/photo`: shows a photo to anyone who has a link to it.

use monotable_kit::blobs::BlobKey;
use monotable_kit::image::{ImageFormat, Photo as Picture};

use crate::api::prelude::*;

/// A link to a photo.
#[derive(Debug, Body)]
pub(crate) struct PhotoLink {
    /// What the service has made.
    #[body(length = 1..=2000, example = "AAECAw")]
    link: String,
}

/// Shows a photo to anyone with a link to it, for an hour.
#[operation(GET "/api/photo", public, refuses(PhotoNotFound))]
pub(crate) async fn show_photo(app: &App, call: &Call<(), (), PhotoLink>) -> Answer<Picture> {
    let key = app.blobs.open_link(&call.query.link, app.db.now());
    let key = key.map_err(|error| Refusal::PhotoNotFound.text(format!("{error}.")))?;
    let bytes = app.blobs.get(&key).await?.ok_or(Refusal::PhotoNotFound)?;
    let format = format_of(&key).ok_or(Refusal::PhotoNotFound)?;
    Ok(Picture { bytes, format }.into())
}

fn format_of(key: &BlobKey) -> Option<ImageFormat> {
    ImageFormat::of_extension(key.as_str().rsplit_once('.')?.1)
}
