//! `DELETE /v1/leagues/{leagueId}`: deletes a league without seasons.

use crate::api::prelude::*;
use crate::jobs::delete_league;

/// Deletes a league that has no seasons. Its roles and its pool of players are deleted with it.
#[operation(
    DELETE "/v1/leagues/{leagueId}", once, if_match, refuses(refusal::ADMINISTERING, HasSeasons)
)]
async fn delete_league(app: &App, call: &Call<LeaguePath>) -> Answer<NoContent> {
    let league_id = &call.path.league_id;
    let league = policy::league(app, call, league_id, Action::Administer).await?.league;
    call.check_version(league.stamps.version)?;
    let seasons = counts::seasons(app, &league).await?;
    let is_empty = counts::is_empty(app.db.seasons(league_id)).await?;
    Refusal::HasSeasons.unless(seasons == 0 && is_empty)?;
    let now = app.db.now();
    let mut tx = call.transact(&app.db).or_retry();
    // A season that is made meanwhile changes the league, so that this runs again.
    tx.add(edit(&league, |league| (league.deleted_at, league.slug) = (Some(now), None)));
    tx.add(create(delete_league::ticket(league_id, now)?));
    tx.respond(|_| NoContent).await
}
