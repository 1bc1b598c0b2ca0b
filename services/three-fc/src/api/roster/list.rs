//! `GET /v1/games/{gameId}/roster`: lists the line-ups of a game.

use super::RosterView;
use crate::api::prelude::*;

/// Lists the line-ups of a game, team by team.
#[operation(GET "/v1/games/{gameId}/roster", refuses(refusal::VIEWING))]
async fn list_roster(app: &App, call: &Call<GamePath, (), Paged>) -> Answer<Page<RosterView>> {
    let game_id = &call.path.game_id;
    policy::game(app, call, game_id, Action::View).await?;
    let page = call.page().of(app.db.roster(game_id)).await?;
    Ok(Page::of(page, RosterView::of).into())
}
