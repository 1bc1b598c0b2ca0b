//! `GET /api/games/{gameId}/photos`: lists the photos of a game.

use super::PhotoView;
use crate::api::prelude::*;

/// Which photos.
#[derive(Debug, Body)]
#[body(paged)]
pub(crate) struct WhichPhotos {
    /// Only those with this review.
    pub(crate) review: Option<Review>,
}

/// Lists the photos of a game, the first ones first.
#[operation(GET "/api/games/{gameId}/photos", refuses(refusal::WATCHING))]
pub(crate) async fn list_photos(
    app: &App,
    call: &Call<GamePath, (), WhichPhotos>,
) -> Answer<Page<PhotoView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    Ok(seen(app, call, &game.id).await?.into())
}

/// Returns the page of photos of a game that a request asks for.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn seen(
    app: &App,
    call: &Call<GamePath, (), WhichPhotos>,
    game_id: &GameId,
) -> Result<Page<PhotoView>, Problem> {
    let is_wanted = |photo: &Photo| {
        call.query.review.is_none_or(|review| photo.review.unwrap_or_default() == review)
    };
    let shown = async |photos: Vec<Photo>| {
        Ok(photos
            .iter()
            .filter(|photo| is_wanted(photo))
            .map(|photo| PhotoView::of(app, photo))
            .collect())
    };
    call.page().fill(|| app.db.photos_of_game(game_id), shown).await
}
