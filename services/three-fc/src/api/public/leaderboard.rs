//! `GET /v1/public/seasons/{seasonId}/leaderboards/players`: returns the best players of a season.

use super::season::PlayedSeason;
use crate::api::prelude::*;
use crate::rules::leaderboard::{Leader, LeaderSort, leaderboard};

/// How players are ranked.
#[derive(Debug, Body)]
pub(crate) struct LeaderQuery {
    /// goals by default.
    sort: Option<LeaderSort>,
    /// Finished games in whose line-ups a player must be; 0 by default.
    #[body(range = 0..=10_000)]
    min_matches: Option<u32>,
}

/// The best players of a season.
#[derive(View)]
pub(crate) struct LeaderboardView {
    season_id: SeasonId,
    sort: LeaderSort,
    #[view(example = 0)]
    min_matches: u32,
    players: Vec<Leader>,
}

/// Returns the players of a season, ranked by goals, goals per match or assists.
#[operation(GET "/v1/public/seasons/{seasonId}/leaderboards/players", public, refuses(NotFound))]
pub(crate) async fn get_player_leaderboard(
    app: &App,
    call: &Call<SeasonPath, (), LeaderQuery>,
) -> Answer<Json<LeaderboardView>> {
    let season = PlayedSeason::read(app, &call.path.season_id).await?;
    let sort = call.query.sort.unwrap_or_default();
    let min_matches = call.query.min_matches.unwrap_or_default();
    let nicknames = season.nicknames(app).await?;
    let players = leaderboard(season.results(), &nicknames, sort, min_matches);
    let season_id = season.season.season_id;
    Ok(Json(LeaderboardView { season_id, sort, min_matches, players }).into())
}
