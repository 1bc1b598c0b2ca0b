//! `GET /games`: lists all games, for administrators of the platform.

use super::GameView;
use crate::api::everything;
use crate::api::prelude::*;

/// Lists all games, for administrators of the platform.
#[operation(GET "/games", refuses(InsufficientRole))]
async fn list_all_games(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<GameView>> {
    if !policy::is_administrator(call.principal()?) {
        let text = "Only administrators of the platform see all games.";
        return Err(Refusal::InsufficientRole.text(text));
    }
    let show = |game: &Game| Some(GameView::of(game));
    Ok(everything::page(app, call, "all games", show).await?.into())
}
