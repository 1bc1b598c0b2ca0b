//! `GET /api/games/{gameId}/users/{userId}/export`: exports what is kept of a player.

use super::user;
use crate::api::prelude::*;

/// Everything that is kept of a player.
#[derive(View)]
pub(crate) struct ExportView {
    user_id: UserId,
    #[view(example = "Ada")]
    display_name: Option<String>,
    joined_at: Timestamp,
    messages: Vec<OwnMessageView>,
    positions: Vec<OwnPositionView>,
    photos: Vec<OwnPhotoView>,
}

/// A photo of the player. The file has this name in the ZIP file.
#[derive(View)]
pub(crate) struct OwnPhotoView {
    id: RowId,
    #[view(example = "photo-1.jpg")]
    file: String,
    at: Timestamp,
}

/// A message of the player, or to the player.
#[derive(View)]
#[view(of = Message)]
pub(crate) struct OwnMessageView {
    role: Speaker,
    #[view(example = "Where should we look?")]
    text: String,
    #[view(from = stamps.created)]
    at: Timestamp,
}

/// A position of the player.
#[derive(View)]
#[view(of = CoordinateSnapshot)]
pub(crate) struct OwnPositionView {
    #[view(from = latitude.0, example = 48.2082)]
    latitude: f64,
    #[view(from = longitude.0, example = 16.3738)]
    longitude: f64,
    #[view(from = stamps.created)]
    at: Timestamp,
}

/// Exports everything that is kept of a player.
#[operation(
    GET "/api/games/{gameId}/users/{userId}/export", refuses(refusal::CONTROLLING, UserNotFound)
)]
pub(crate) async fn export_user(app: &App, call: &Call<UserPath>) -> Answer<Json<ExportView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let user = user(app, &game, &call.path.user_id).await?;
    Ok(Json(exported(app, &user).await?).into())
}

/// Exports everything that is kept of a player.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn exported(app: &App, user: &User) -> Result<ExportView, Problem> {
    let messages = app.db.messages_of_user(&user.id).skip_unreadable().all().await?;
    let positions = app.db.track_of_user(&user.id).consistent().skip_unreadable().all().await?;
    let photos = app.db.photos_of_user(&user.id).skip_unreadable().all().await?;
    let photos = photos.iter().map(|photo| OwnPhotoView {
        id: photo.id.clone(),
        file: photo.file_name(),
        at: photo.stamps.created,
    });
    Ok(ExportView {
        photos: photos.collect(),
        user_id: user.id.clone(),
        display_name: user.display_name.clone(),
        joined_at: user.stamps.created,
        messages: messages.iter().map(OwnMessageView::of).collect(),
        positions: positions.iter().map(OwnPositionView::of).collect(),
    })
}
