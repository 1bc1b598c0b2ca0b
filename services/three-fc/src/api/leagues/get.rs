//! `GET /v1/leagues/{leagueId}`: returns a league.

use super::LeagueView;
use crate::api::prelude::*;

/// Returns a league that you have a role in.
#[operation(GET "/v1/leagues/{leagueId}", refuses(refusal::VIEWING))]
async fn get_league(app: &App, call: &Call<LeaguePath>) -> Answer<Json<LeagueView>> {
    let granted = policy::league(app, call, &call.path.league_id, Action::View).await?;
    Ok(Json(LeagueView::with_role(&granted.league, granted.grant.role)).into())
}
