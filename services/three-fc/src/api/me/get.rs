//! `GET /v1/me`: returns the account of the caller.

use crate::api::avatars::Viewing;
use crate::api::players::{PlayerView, claimed_by};
use crate::api::prelude::*;

/// An account, for its user alone.
#[derive(View)]
#[view(of = User, differs_by_viewer)]
pub(crate) struct AccountView {
    user_id: UserId,
    #[view(example = "ada@example.org")]
    email: Option<String>,
    /// The players that the user has claimed.
    #[view(absent)]
    players: Vec<PlayerView>,
    #[view(stamps)]
    stamps: Stamps,
}

/// Returns your account, with the players that you have claimed.
#[operation(GET "/v1/me")]
pub(crate) async fn get_me(app: &App, call: &Call) -> Answer<Json<AccountView>> {
    let user = accounts::signed_in(app, call.principal()?).await?;
    let players = claimed_by(app, &user.user_id).await?;
    let viewing = Viewing::of(app, Some(user.user_id.clone()));
    let players = players.iter().map(|player| PlayerView::to(player, &viewing)).collect();
    Ok(Json(AccountView { players, ..AccountView::of(&user) }).into())
}
