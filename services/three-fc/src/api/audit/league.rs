//! `GET /v1/leagues/{leagueId}/audit`: lists what was done to a league.

use super::AuditView;
use crate::api::prelude::*;

/// Lists changes of roles and players in a league, the latest first. For admins.
#[operation(GET "/v1/leagues/{leagueId}/audit", refuses(refusal::ADMINISTERING))]
async fn list_league_audit(
    app: &App,
    call: &Call<LeaguePath, (), Paged>,
) -> Answer<Page<AuditView>> {
    let league_id = &call.path.league_id;
    policy::league(app, call, league_id, Action::Administer).await?;
    let page = call.page().of(app.db.league_audit(league_id).consistent()).await?;
    Ok(Page::of(page, AuditView::of_league).into())
}
