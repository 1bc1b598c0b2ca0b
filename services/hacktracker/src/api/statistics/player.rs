//! `GET /players/{teamId}/{playerId}/stats`: returns the statistics of a player.

use super::{GamesQuery, player_logs};
use crate::api::prelude::*;
use crate::rules::player_card::{PlayerCard, player_card};

/// Games of the trend by default.
const TREND_GAMES: usize = 5;

/// The games that count.
#[derive(Debug, Body)]
pub(crate) struct PlayerStatisticsQuery {
    #[body(flatten)]
    games: GamesQuery,
    /// false leaves out unfinished games.
    include_live: Option<bool>,
    /// Games of the trend; 5 by default.
    #[body(range = 1..=100)]
    last: Option<usize>,
}

/// Returns the statistics of a player, in all games and in the last ones.
#[operation(GET "/players/{teamId}/{playerId}/stats", refuses(refusal::VIEWING_PLAYER))]
async fn get_player_statistics(
    app: &App,
    call: &Call<PlayerPath, (), PlayerStatisticsQuery>,
) -> Answer<Json<PlayerCard>> {
    let PlayerStatisticsQuery { games, include_live, last } = &call.query;
    let scope = games.of_player(*include_live)?;
    let logs = player_logs(app, call, &call.path).await?;
    let last = last.unwrap_or(TREND_GAMES);
    Ok(Json(player_card(&logs, &call.path.player_id, &scope, last)).into())
}
