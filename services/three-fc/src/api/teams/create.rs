//! `POST /v1/seasons/{seasonId}/teams`: adds a team to a season.

use super::{NewTeam, TeamView};
use crate::api::prelude::*;

/// Adds a team to a season.
#[operation(
    POST "/v1/seasons/{seasonId}/teams", once, refuses(refusal::ADMINISTERING, IdTaken, Conflict)
)]
async fn create_team(app: &App, call: &Call<SeasonPath, NewTeam>) -> Answer<Created<TeamView>> {
    let season_id = &call.path.season_id;
    let (season, _) = policy::season(app, call, season_id, Action::Administer).await?;
    let teams = counts::teams(app, &season).await?;
    counts::limit(teams, counts::TEAMS_MAX, "teams in a season")?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(&season, |season| season.team_count = Some(teams + 1)));
    let team = tx.require_with(create(call.body.team(season_id)?), checks::taken);
    tx.respond(move |done| Created(TeamView::of(&done[team]))).await
}
