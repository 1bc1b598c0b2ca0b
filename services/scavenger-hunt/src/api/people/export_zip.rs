//! `GET /api/games/{gameId}/users/{userId}/export.zip`: exports what is kept of a player, with the photos.

use super::export::exported;
use super::user;
use crate::api::photos::{Archive, packed};
use crate::api::prelude::*;

/// Exports everything that is kept of a player as a ZIP file: `data.json`, and the photos.
#[operation(
    GET "/api/games/{gameId}/users/{userId}/export.zip", refuses(refusal::CONTROLLING, UserNotFound)
)]
pub(crate) async fn export_user_with_photos(app: &App, call: &Call<UserPath>) -> Answer<Archive> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let user = user(app, &game, &call.path.user_id).await?;
    Ok(archive(app, &user).await?.into())
}

/// Packs everything that is kept of a player.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn archive(app: &App, user: &User) -> Result<Archive, Problem> {
    let data = serde_json::to_vec_pretty(&exported(app, user).await?);
    let data = data.map_err(|error| Problem::internal(error.to_string()))?;
    let photos = app.db.photos_of_user(&user.id).skip_unreadable().all().await?;
    Ok(packed(app, "data.zip", Some(("data.json".to_owned(), data)), photos))
}
