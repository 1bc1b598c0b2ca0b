//! `GET /v1/public/seasons/{seasonId}/standings`: returns the table of a season.

use super::season::PlayedSeason;
use crate::api::prelude::*;
use crate::rules::standings::{Standing, standings};

/// The table of a season.
#[derive(View)]
pub(crate) struct StandingsView {
    season_id: SeasonId,
    /// What teams are ranked by, one criterion after the other.
    ranking: Vec<Ranking>,
    standings: Vec<Standing>,
}

/// Returns the table of a season over its finished games.
#[operation(GET "/v1/public/seasons/{seasonId}/standings", public, refuses(NotFound))]
pub(crate) async fn get_standings(
    app: &App,
    call: &Call<SeasonPath>,
) -> Answer<Json<StandingsView>> {
    let season = PlayedSeason::read(app, &call.path.season_id).await?;
    let ranking = season.season.ranking.clone();
    let standings = standings(&season.teams(app).await?, &season.results(), &ranking);
    Ok(Json(StandingsView { season_id: season.season.season_id, ranking, standings }).into())
}
