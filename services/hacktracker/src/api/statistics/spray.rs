//! `GET /players/{teamId}/{playerId}/spray`: returns where a player's balls went.

use super::{GamesQuery, player_logs};
use crate::api::prelude::*;
use crate::rules::player_card::{SprayPoint, spray};

/// The games that count.
#[derive(Debug, Body)]
pub(crate) struct SprayQuery {
    #[body(flatten)]
    games: GamesQuery,
    /// false leaves out unfinished games.
    include_live: Option<bool>,
}

/// Returns where a player's balls went, with their results.
#[operation(GET "/players/{teamId}/{playerId}/spray", refuses(refusal::VIEWING_PLAYER))]
async fn get_spray_chart(
    app: &App,
    call: &Call<PlayerPath, (), SprayQuery>,
) -> Answer<Page<SprayPoint>> {
    let SprayQuery { games, include_live } = &call.query;
    let scope = games.of_player(*include_live)?;
    let logs = player_logs(app, call, &call.path).await?;
    Ok(Page { rows: spray(&logs, &call.path.player_id, &scope), next: None }.into())
}
