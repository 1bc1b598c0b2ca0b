//! `GET /teams/{teamId}/stats`: returns the statistics of a team.

use super::{Format, GamesQuery, Table, team_logs};
use crate::api::prelude::*;
use crate::rules::csv;
use crate::rules::team_stats::{TeamStatistics, team_statistics};

/// Which games count, and the format.
#[derive(Debug, Body)]
pub(crate) struct TeamStatisticsQuery {
    #[body(flatten)]
    games: GamesQuery,
    /// Includes games in progress.
    include_live: Option<bool>,
    /// json by default.
    format: Option<Format>,
}

/// Returns the statistics of the players of a team.
#[operation(GET "/teams/{teamId}/stats", refuses(refusal::VIEWING))]
async fn get_team_statistics(
    app: &App,
    call: &Call<TeamPath, (), TeamStatisticsQuery>,
) -> Answer<Table<TeamStatistics>> {
    let TeamStatisticsQuery { games, include_live, format } = &call.query;
    let scope = games.of_team(*include_live)?;
    let (logs, roster) = team_logs(app, call, &call.path.team_id, &scope).await?;
    let statistics = team_statistics(&logs, &roster, &scope);
    Ok(Table::of(statistics, *format, csv::statistics).into())
}
