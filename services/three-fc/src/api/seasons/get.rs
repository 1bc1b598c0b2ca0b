//! `GET /v1/seasons/{seasonId}`: returns a season.

use super::SeasonView;
use crate::api::prelude::*;

/// Returns a season.
#[operation(GET "/v1/seasons/{seasonId}", refuses(refusal::VIEWING))]
async fn get_season(app: &App, call: &Call<SeasonPath>) -> Answer<Json<SeasonView>> {
    let (season, _) = policy::season(app, call, &call.path.season_id, Action::View).await?;
    Ok(Json(SeasonView::of(&season)).into())
}
