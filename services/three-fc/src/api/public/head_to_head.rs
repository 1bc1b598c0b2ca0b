//! `GET /v1/public/seasons/{seasonId}/head-to-head`: compares the teams of a season pair by pair.

use super::season::PlayedSeason;
use crate::api::prelude::*;
use crate::rules::head_to_head::{HeadToHead, head_to_head};

/// Compares the teams of a season pair by pair, over the finished games that both played.
#[operation(GET "/v1/public/seasons/{seasonId}/head-to-head", public, refuses(NotFound))]
pub(crate) async fn get_head_to_head(
    app: &App,
    call: &Call<SeasonPath>,
) -> Answer<Page<HeadToHead>> {
    let season = PlayedSeason::read(app, &call.path.season_id).await?;
    let rows = head_to_head(&season.teams(app).await?, &season.results());
    Ok(Page { rows, next: None }.into())
}
