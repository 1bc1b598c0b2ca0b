//! `GET /me`: what the players did that the caller has claimed, their profiles, and the end of the account.

use askama::Template;
use monotable_kit::{Form, Html};

use super::join::claimed_players;
use super::profile_forms;
use crate::api::avatars::Viewing;
use crate::api::me::delete;
use crate::api::prelude::*;
use crate::api::statistics::{PlayerStatistics, of_player};

/// The content of the page.
#[derive(Template)]
#[template(path = "me.html")]
struct MyPage {
    players: Vec<MyPlayer>,
    delete: Form,
}

/// What a player did, and where the profile is changed.
struct MyPlayer {
    statistics: PlayerStatistics,
    avatar_url: Option<String>,
    forms: Vec<(&'static str, Form)>,
}

/// Shows what your players did, season by season. Nobody else sees it.
#[operation(GET "/me")]
async fn my_page(app: &App, call: &Call) -> Answer<Html> {
    let mut players = Vec::new();
    for player in claimed_players(app, call).await? {
        let avatar_url = Viewing::of(app, None).url(&player);
        let forms = profile_forms(call, &player, "/me");
        players.push(MyPlayer { statistics: of_player(app, player).await?, avatar_url, forms });
    }
    let delete = Form::of(call, &delete::route()).submit("Delete your account").then("/leagues");
    Ok(Html::new(call, "Your players", &MyPage { players, delete })?.into())
}
