//! `GET /teams/{teamId}/record`: returns the record of a team.

use super::{Format, GamesQuery, Table};
use crate::api::games;
use crate::api::prelude::*;
use crate::rules::csv;
use crate::rules::record::{Record, record};

/// Which games count, and the format.
#[derive(Debug, Body)]
pub(crate) struct RecordQuery {
    #[body(flatten)]
    games: GamesQuery,
    /// json by default.
    format: Option<Format>,
}

/// Returns the games won, lost and tied.
#[operation(GET "/teams/{teamId}/record", refuses(refusal::VIEWING))]
async fn get_team_record(
    app: &App,
    call: &Call<TeamPath, (), RecordQuery>,
) -> Answer<Table<Record>> {
    let scope = call.query.games.of_team(None)?;
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::View).await?;
    let games = games::of_team(app, team_id).await?;
    Ok(Table::of(record(&games, &scope), call.query.format, csv::record).into())
}
