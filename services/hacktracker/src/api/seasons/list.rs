//! `GET /teams/{teamId}/seasons`: lists the seasons of a team.

use super::SeasonView;
use crate::api::prelude::*;

/// Lists the seasons of a team, in the order of their creation.
#[operation(GET "/teams/{teamId}/seasons", refuses(refusal::VIEWING))]
async fn list_seasons(app: &App, call: &Call<TeamPath, (), Paged>) -> Answer<Page<SeasonView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::View).await?;
    let page = call.page().of(app.db.seasons(team_id)).await?;
    Ok(Page::of(page, SeasonView::of).into())
}
