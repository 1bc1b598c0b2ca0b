//! `PUT /v1/players/{playerId}/avatar`: gives a player a picture.

use monotable_kit::Upload;
use monotable_kit::image::Image;

use super::{OfLeague, PlayerView, profile, replace};
use crate::api::prelude::*;

/// Bytes of a picture at most.
const BYTES_MAX: usize = 2 * 1024 * 1024;

/// A picture.
#[derive(Debug, Body)]
pub(crate) struct Avatar {
    /// A JPEG, PNG, GIF or WebP file of at most 2 MB: in a form, or as base64 or a data URL.
    picture: Upload,
}

/// Gives a player a picture: your own player, or one that nobody has claimed as a scorekeeper of its league.
/// Everything but the picture is removed from the file: where and when it was taken, and by which device.
#[operation(
    PUT "/v1/players/{playerId}/avatar", once, if_match, body_bytes_max = 3 * 1024 * 1024,
    refuses(refusal::VIEWING, NotFound, NotClaimOwner, BadImage, AvatarTooLarge)
)]
async fn set_avatar(
    app: &App,
    call: &Call<PlayerPath, Avatar, OfLeague>,
) -> Answer<Json<PlayerView>> {
    let profile = profile(app, call, &call.path.player_id, &call.query).await?;
    let Upload { bytes, media_type } = call.body.picture.clone();
    Refusal::AvatarTooLarge.unless(bytes.len() <= BYTES_MAX)?;
    let image = Image::received(bytes, media_type).await?;
    let name: EventId = app.new_id()?;
    let key = format!("{}/{name}.{}", call.path.player_id, image.format.extension());
    let key = key.parse().map_err(|error| Problem::field("playerId", format!("{error}")))?;
    app.blobs.put(&key, image.bytes, app.db.now()).await?;
    replace(app, call, profile, Some(&key)).await
}
