//! `GET /v1/public/resolve/{league}/{season}/{game}`: finds a game by the readable parts of its address.

use super::{ResolvePath, find_league, visible_game};
use crate::api::prelude::*;

/// A game with the address by which everybody finds it.
#[derive(View)]
pub(crate) struct ResolvedGame {
    league_id: LeagueId,
    season_id: SeasonId,
    session_id: SessionId,
    game_id: GameId,
    /// The path with slugs where there are some.
    #[view(example = "/fitzroy-triangle/summer-2026/01K9")]
    canonical_path: String,
}

/// Finds a game of a season, whose league and season the path names by id or slug.
#[operation(GET "/v1/public/resolve/{league}/{season}/{game}", public, refuses(NotFound))]
async fn resolve_game(app: &App, call: &Call<ResolvePath>) -> Answer<Json<ResolvedGame>> {
    let league = find_league(app, &call.path.league).await?;
    let season = find_season(app, &league.league_id, &call.path.season).await?;
    let game = visible_game(app, &call.path.game).await?;
    if game.season_id != season.season_id {
        return Err(Refusal::NotFound.into());
    }
    let part = |slug: &Option<Slug>, id: &str| slug.as_ref().map_or(id, Slug::as_str).to_owned();
    let canonical_path = format!(
        "/{}/{}/{}",
        part(&league.slug, league.league_id.as_str()),
        part(&season.slug, season.season_id.as_str()),
        game.game_id
    );
    Ok(Json(ResolvedGame {
        league_id: league.league_id,
        season_id: season.season_id,
        session_id: game.session_id,
        game_id: game.game_id,
        canonical_path,
    })
    .into())
}

/// Returns a season of a league by its id or its slug. The id has priority.
async fn find_season(
    app: &App,
    league_id: &LeagueId,
    id_or_slug: &Slug,
) -> Result<Season, Problem> {
    let mut season = None;
    if let Ok(season_id) = SeasonId::new(id_or_slug.as_str()) {
        season = app.db.season_in(league_id, &season_id).await?;
    }
    if season.is_none() {
        season = app.db.season_by_slug(league_id, id_or_slug).await?;
    }
    season.ok_or_else(|| Refusal::NotFound.into())
}
