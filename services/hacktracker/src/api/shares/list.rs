//! `GET /games/{gameId}/shares`: lists the links of a game.

use monotable_kit::{Answer, Call, Page, operation};

use super::ShareView;
use crate::api::GamePath;
use crate::api::scope;
use crate::app::App;
use crate::policy::Action;
use crate::refusal;
use crate::table::HackTrackerReads as _;

/// Lists the links of a game, without their tokens.
#[operation(GET "/games/{gameId}/shares", refuses(refusal::SHARING))]
pub(crate) async fn list_shares(app: &App, call: &Call<GamePath>) -> Answer<Page<ShareView>> {
    let game_id = &call.path.game_id;
    scope::authorized_game(app, call, game_id, Action::ManageGames).await?;
    let shares = app.db.shares(game_id).consistent().all().await?;
    Ok(Page { rows: shares.iter().map(ShareView::of).collect(), next: None }.into())
}
