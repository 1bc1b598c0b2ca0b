//! `GET /games/{gameId}/shares`: lists the links of a game.

use super::ShareView;
use crate::api::prelude::*;

/// Lists the links of a game, without their tokens.
#[operation(GET "/games/{gameId}/shares", refuses(refusal::SHARING))]
async fn list_shares(app: &App, call: &Call<GamePath>) -> Answer<Page<ShareView>> {
    let game_id = &call.path.game_id;
    scope::game(app, call, game_id, Action::ManageGames).await?;
    let shares = app.db.shares(game_id).consistent().all().await?;
    Ok(Page::all(&shares, ShareView::of).into())
}
