//! `GET /api/photo-url`: makes a link to a photo.

use super::{PhotoView, review};
use crate::api::prelude::*;

/// Which photo.
#[derive(Debug, Body)]
pub(crate) struct WhichPhoto {
    user_id: UserId,
    photo_id: RowId,
}

/// Makes a link that shows a photo for an hour.
#[operation(GET "/api/photo-url", refuses(refusal::WATCHING, PhotoNotFound))]
pub(crate) async fn link_photo(
    app: &App,
    call: &Call<(), (), WhichPhoto>,
) -> Answer<Json<PhotoView>> {
    let WhichPhoto { user_id, photo_id } = &call.query;
    let (_, photo) = review::photo(app, call, user_id, photo_id, Action::Watch).await?;
    Ok(Json(PhotoView::of(app, &photo)).into())
}
