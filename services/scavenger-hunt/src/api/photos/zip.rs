//! `GET /api/games/{gameId}/photos.zip`: exports the photos of a game.

use super::{Archive, packed};
use crate::api::prelude::*;

/// Exports the photos of a game as a ZIP file with a folder for each team.
#[operation(GET "/api/games/{gameId}/photos.zip", refuses(refusal::WATCHING))]
pub(crate) async fn export_photos(app: &App, call: &Call<GamePath>) -> Answer<Archive> {
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    let photos = app.db.photos_of_game(&game.id).skip_unreadable().all().await?;
    Ok(packed(app, "photos.zip", None, photos).into())
}
