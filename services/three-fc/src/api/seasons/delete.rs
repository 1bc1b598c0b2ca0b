//! `DELETE /v1/seasons/{seasonId}`: deletes a season without sessions.

use crate::api::prelude::*;

/// Deletes a season that has no sessions, with its teams.
#[operation(
    DELETE "/v1/seasons/{seasonId}", once, if_match, refuses(refusal::ADMINISTERING, HasSessions)
)]
async fn delete_season(app: &App, call: &Call<SeasonPath>) -> Answer<NoContent> {
    let season_id = &call.path.season_id;
    let (season, granted) = policy::season(app, call, season_id, Action::Administer).await?;
    call.check_version(season.stamps.version)?;
    let sessions = counts::sessions(&app.db, &season).await?;
    let is_empty = counts::is_empty(app.db.sessions(season_id)).await?;
    Refusal::HasSessions.unless(sessions == 0 && is_empty)?;
    let seasons = counts::seasons(app, &granted.league).await?.saturating_sub(1);
    let entity = format!("SEASON#{season_id}");
    let entry = audit::of_league(app, call, &season.league_id, "deleteSeason", entity)?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(create(entry.was("name", season.name.as_str())));
    for team in app.db.teams(season_id).consistent().all().await? {
        tx.add(delete_by_key(&team.key()));
    }
    // A session or a team that is made meanwhile changes the season, so that this runs again.
    tx.add(delete(&season));
    tx.add(edit(&granted.league, |league| league.season_count = Some(seasons)));
    tx.respond(|_| NoContent).await
}
