//! `GET /api/teams/{teamId}/photos`: lists the photos of a team.

use super::PhotoView;
use crate::api::prelude::*;

/// Lists the photos of a team, the first ones first.
#[operation(GET "/api/teams/{teamId}/photos", refuses(refusal::WATCHING, TeamNotFound))]
pub(crate) async fn list_team_photos(
    app: &App,
    call: &Call<TeamPath, (), Paged>,
) -> Answer<Page<PhotoView>> {
    let (_, team) = policy::team(app, call, &call.path.team_id, Action::Watch).await?;
    let page = call.page().of(app.db.photos_of_team(&team.id)).await?;
    Ok(Page::of(page, |photo| PhotoView::of(app, photo)).into())
}
