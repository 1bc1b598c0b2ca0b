//! `GET /v1/seasons/{seasonId}/teams`: lists the teams of a season.

use super::TeamView;
use crate::api::prelude::*;

/// Lists the teams of a season.
#[operation(GET "/v1/seasons/{seasonId}/teams", refuses(refusal::VIEWING))]
async fn list_teams(app: &App, call: &Call<SeasonPath, (), Paged>) -> Answer<Page<TeamView>> {
    let season_id = &call.path.season_id;
    policy::season(app, call, season_id, Action::View).await?;
    let page = call.page().of(app.db.teams(season_id).consistent()).await?;
    Ok(Page::of(page, TeamView::of).into())
}
