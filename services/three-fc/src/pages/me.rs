//! `GET /me`: what the players did that the caller has claimed, their profiles, and the end of the account.

use askama::Template;
use monotable_kit::{Form, Html};

use super::join::claimed_players;
use crate::api::me::delete;
use crate::api::players::{PlayerView, update};
use crate::api::prelude::*;
use crate::api::statistics::{PlayerStatistics, of_player};

/// The content of the page.
#[derive(Template)]
#[template(path = "me.html")]
struct MyPage {
    /// What each player did, and where the profile is changed.
    players: Vec<(PlayerStatistics, Form)>,
    delete: Form,
}

/// Shows what your players did, season by season. Nobody else sees it.
#[operation(GET "/me")]
async fn my_page(app: &App, call: &Call) -> Answer<Html> {
    let mut players = Vec::new();
    for player in claimed_players(app, call).await? {
        let profile = Form::of(call, &update::route())
            .path("playerId", &player.player_id)
            .values(&PlayerView::to(&player, None))
            .submit("Save the profile")
            .then("/me");
        players.push((of_player(app, player).await?, profile));
    }
    let delete = Form::of(call, &delete::route()).submit("Delete your account").then("/leagues");
    Ok(Html::new(call, "Your players", &MyPage { players, delete })?.into())
}
