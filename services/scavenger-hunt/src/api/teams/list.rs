//! `GET /api/games/{gameId}/teams`: lists the teams of a game.

use crate::api::dashboard::{StandingView, leaderboard};
use crate::api::prelude::*;

/// Lists the teams of a game, as they stand.
#[operation(GET "/api/games/{gameId}/teams", refuses(refusal::WATCHING))]
pub(crate) async fn list_teams(app: &App, call: &Call<GamePath>) -> Answer<Page<StandingView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    Ok(Page { rows: leaderboard(app, &game).await?, next: None }.into())
}
