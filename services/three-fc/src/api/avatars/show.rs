//! `GET /v1/avatar`: shows a picture to anyone who has a link to it.

use monotable_kit::image::{ImageFormat, Photo};

use crate::api::prelude::*;

/// A link to a picture.
#[derive(Debug, Body)]
pub(crate) struct AvatarLink {
    /// What the service has made.
    #[body(length = 1..=2000, example = "AAECAw")]
    link: String,
}

/// Shows the picture of a player to anyone who has a link to it, for an hour at most.
#[operation(GET "/v1/avatar", public, refuses(NotFound))]
async fn show_avatar(app: &App, call: &Call<(), (), AvatarLink>) -> Answer<Photo> {
    let key = app.blobs.open_link(&call.query.link, app.db.now());
    let key = key.map_err(|error| Refusal::NotFound.text(format!("{error}.")))?;
    let extension = key.as_str().rsplit_once('.').map(|(_, extension)| extension);
    let format = extension.and_then(ImageFormat::of_extension).ok_or(Refusal::NotFound)?;
    let bytes = app.blobs.get(&key).await?.ok_or(Refusal::NotFound)?;
    Ok(Photo { bytes, format }.into())
}
