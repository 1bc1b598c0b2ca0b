//! `GET /screen/{gameId}`: the leaderboard, for a screen that everybody sees.

use monotable_kit::Html;

use super::leaderboard::Leaderboard;
use crate::api::prelude::*;

/// Shows how the teams of a game stand, in large letters, to those who watch it.
#[operation(GET "/screen/{gameId}", refuses(refusal::WATCHING))]
async fn screen_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let game_id = &call.path.game_id;
    policy::game(app, call, game_id, Action::Watch).await?;
    let board = Leaderboard::read(app, call, Some(game_id)).await?;
    let html = super::manage::html(call, board.title(), &board)?;
    Ok(html.live(format!("/api/games/{game_id}/stream")).into())
}
