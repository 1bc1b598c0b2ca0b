//! `GET /v1/me`: returns the account of the caller.

use crate::api::avatars::Viewing;
use crate::api::players::PlayerView;
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
    let claims = app.db.claims(&user.user_id).all().await?;
    let keys: Vec<PlayerKey> =
        claims.iter().map(|claim| PlayerKey::new(claim.player_id.clone())).collect();
    let players = app.db.players_by_key(&keys).await?;
    let players = players.iter().flatten();
    let viewing = Viewing::by(app, &user.user_id);
    let players = players.map(|player| PlayerView::to(player, &viewing)).collect();
    Ok(Json(AccountView { players, ..AccountView::of(&user) }).into())
}
