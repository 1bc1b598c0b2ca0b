//! `GET /v1/public/seasons/{seasonId}/games`: lists the games of a season that everybody can see.

use super::season::PlayedSeason;
use crate::api::games::{GameListView, SeasonGame};
use crate::api::prelude::*;

/// Lists the games of a season, the earliest match day first.
#[operation(GET "/v1/public/seasons/{seasonId}/games", public, refuses(NotFound))]
async fn list_public_games(
    app: &App,
    call: &Call<SeasonPath, (), Paged>,
) -> Answer<SortedPage<GameListView>> {
    let season_id = &call.path.season_id;
    let games = PlayedSeason::read(app, season_id).await?.games;
    let visible: Vec<&SeasonGame> = games.iter().filter(|game| game.public_visible).collect();
    let scope = format!("public games of season {season_id}");
    let position = |game: &&SeasonGame| game.position();
    let list = SortedList { scope, rows: &visible, position };
    Ok(list.page(&app.bookmarks, app.db.now(), call, |game| GameListView::of(game))?.into())
}
