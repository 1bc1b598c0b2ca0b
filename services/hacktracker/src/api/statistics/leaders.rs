//! `GET /teams/{teamId}/leaders`: returns the best players of a team.

use super::{Format, GamesQuery, Table, team_logs};
use crate::api::prelude::*;
use crate::rules::csv;
use crate::rules::leaders::{Leaderboard, RateName, leaders};

/// Which games count, how players are compared, and the format.
#[derive(Debug, Body)]
pub(crate) struct LeadersQuery {
    #[body(flatten)]
    games: GamesQuery,
    /// Includes games in progress.
    include_live: Option<bool>,
    /// AVG by default.
    rate: Option<RateName>,
    /// The minimum number of plate appearances; by default two for each final game.
    #[body(range = 0..=100_000)]
    minimum: Option<u64>,
    /// json by default.
    format: Option<Format>,
}

/// Returns the best players of a team by a rate, with their number of plate appearances.
#[operation(GET "/teams/{teamId}/leaders", refuses(refusal::VIEWING))]
async fn get_leaders(
    app: &App,
    call: &Call<TeamPath, (), LeadersQuery>,
) -> Answer<Table<Leaderboard>> {
    let LeadersQuery { games, include_live, rate, minimum, format } = &call.query;
    let scope = games.of_team(*include_live)?;
    let (logs, roster) = team_logs(app, call, &call.path.team_id, &scope).await?;
    let board = leaders(&logs, &roster, &scope, rate.unwrap_or(RateName::Avg), *minimum);
    Ok(Table::of(board, *format, csv::leaders).into())
}
