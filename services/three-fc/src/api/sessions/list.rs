//! `GET /v1/seasons/{seasonId}/sessions`: lists the match days of a season.

use super::SessionView;
use crate::api::prelude::*;
use crate::legacy::whole;

/// Lists the match days of a season, by their ids.
#[operation(GET "/v1/seasons/{seasonId}/sessions", refuses(refusal::VIEWING))]
async fn list_sessions(app: &App, call: &Call<SeasonPath, (), Paged>) -> Answer<Page<SessionView>> {
    let season_id = &call.path.season_id;
    policy::season(app, call, season_id, Action::View).await?;
    let page = call.page().of(app.db.sessions(season_id).consistent()).await?;
    whole::with_mirrors(&app.db, &page.rows).await?;
    Ok(Page::of(page, SessionView::of).into())
}
