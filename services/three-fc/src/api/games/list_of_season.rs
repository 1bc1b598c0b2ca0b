//! `GET /v1/seasons/{seasonId}/games`: lists the games of a season.

use super::{GameListView, SeasonGame, of_season};
use crate::api::prelude::*;

/// Lists the games of a season, the earliest match day first.
#[operation(GET "/v1/seasons/{seasonId}/games", refuses(refusal::VIEWING))]
async fn list_season_games(
    app: &App,
    call: &Call<SeasonPath, (), Paged>,
) -> Answer<SortedPage<GameListView>> {
    let season_id = &call.path.season_id;
    policy::season(app, call, season_id, Action::View).await?;
    let games = of_season(app, season_id).await?;
    let scope = format!("games of season {season_id}");
    let list = SortedList { scope, rows: &games, position: SeasonGame::position };
    Ok(list.page(&app.bookmarks, app.db.now(), call, |game| GameListView::of(game))?.into())
}
