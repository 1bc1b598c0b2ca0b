//! `GET /v1/leagues/{leagueId}/seasons`: lists the seasons of a league.

use super::SeasonView;
use crate::api::prelude::*;
use crate::legacy::whole;

/// Lists the seasons of a league.
#[operation(GET "/v1/leagues/{leagueId}/seasons", refuses(refusal::VIEWING))]
async fn list_seasons(app: &App, call: &Call<LeaguePath, (), Paged>) -> Answer<Page<SeasonView>> {
    let league_id = &call.path.league_id;
    policy::league(app, call, league_id, Action::View).await?;
    let page = call.page().of(app.db.seasons(league_id).consistent()).await?;
    whole::with_mirrors(&app.db, &page.rows).await?;
    Ok(Page::of(page, SeasonView::of).into())
}
