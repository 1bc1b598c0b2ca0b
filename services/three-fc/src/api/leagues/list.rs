//! `GET /v1/leagues`: lists the leagues of the caller.

use super::LeagueView;
use crate::api::prelude::*;

/// Lists the leagues that you have a role in.
#[operation(GET "/v1/leagues")]
async fn list_leagues(app: &App, call: &Call<(), (), Paged>) -> Answer<Page<LeagueView>> {
    let user_id = accounts::signed_in(app, call.principal()?).await?.user_id;
    let show = |grants| with_roles(app, grants);
    Ok(call.page().fill(|| app.db.leagues_of(&user_id).consistent(), show).await?.into())
}

/// Returns the leagues of grants, with their roles.
pub(crate) async fn with_roles(app: &App, grants: Vec<Acl>) -> Result<Vec<LeagueView>, Problem> {
    let keys: Vec<LeagueKey> =
        grants.iter().map(|grant| LeagueKey::new(grant.league_id.clone())).collect();
    let leagues = app.db.leagues_by_key(&keys).await?;
    let leagues = grants.iter().zip(leagues).filter_map(|(grant, league)| {
        let league = league.filter(|league| league.deleted_at.is_none())?;
        Some(LeagueView::with_role(&league, grant.role))
    });
    Ok(leagues.collect())
}
