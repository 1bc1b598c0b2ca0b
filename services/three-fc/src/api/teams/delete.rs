//! `DELETE /v1/seasons/{seasonId}/teams/{teamId}`: removes a team from a season.

use crate::api::prelude::*;

/// Removes a team from a season. Games that it plays in keep it.
#[operation(
    DELETE "/v1/seasons/{seasonId}/teams/{teamId}", once, if_match,
    refuses(refusal::ADMINISTERING, NotFound)
)]
async fn delete_team(app: &App, call: &Call<TeamPath>) -> Answer<NoContent> {
    let TeamPath { season_id, team_id } = &call.path;
    let (season, _) = policy::season(app, call, season_id, Action::Administer).await?;
    let team = app.db.team(season_id, team_id).await?.ok_or(Refusal::NotFound)?;
    call.check_version(team.stamps.version)?;
    let teams = counts::teams(app, &season).await?.saturating_sub(1);
    let entity = format!("SEASON#{season_id}#TEAM#{team_id}");
    let entry = audit::of_league(app, call, &season.league_id, "deleteTeam", entity)?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(create(entry.was("name", team.name.as_str())));
    tx.add(delete(&team));
    tx.add(edit(&season, |season| season.team_count = Some(teams)));
    tx.respond(|_| NoContent).await
}
