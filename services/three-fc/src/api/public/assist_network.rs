//! `GET /v1/public/seasons/{seasonId}/assist-network`: returns who assists whom.

use super::season::PlayedSeason;
use crate::api::prelude::*;
use crate::rules::assist_network::{AssistNetwork, assist_network};

/// Returns who assisted whom in the finished games of a season.
#[operation(GET "/v1/public/seasons/{seasonId}/assist-network", public, refuses(NotFound))]
pub(crate) async fn get_assist_network(
    app: &App,
    call: &Call<SeasonPath>,
) -> Answer<Json<AssistNetwork>> {
    let season = PlayedSeason::read(app, &call.path.season_id).await?;
    let nicknames = season.nicknames(app).await?;
    Ok(Json(assist_network(&season.results(), &nicknames)).into())
}
