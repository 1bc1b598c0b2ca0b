//! `GET /v1/games/{gameId}/audit`: lists what was done to a game.

use super::AuditView;
use crate::api::prelude::*;

/// Lists corrections of a game, the latest first.
#[operation(GET "/v1/games/{gameId}/audit", refuses(refusal::VIEWING))]
async fn list_game_audit(app: &App, call: &Call<GamePath, (), Paged>) -> Answer<Page<AuditView>> {
    let game_id = &call.path.game_id;
    policy::game(app, call, game_id, Action::Score).await?;
    let page = call.page().of(app.db.audit(game_id).consistent()).await?;
    Ok(Page::of(page, AuditView::of).into())
}
