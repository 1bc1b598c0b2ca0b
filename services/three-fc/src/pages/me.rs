//! `GET /me`: what the players did that the caller has claimed.

use askama::Template;
use monotable_kit::Html;

use super::join::claimed_players;
use crate::api::prelude::*;
use crate::api::statistics::{PlayerStatistics, of_player};

/// The content of the page.
#[derive(Template)]
#[template(path = "me.html")]
struct MyPage {
    players: Vec<PlayerStatistics>,
}

/// Shows what your players did, season by season. Nobody else sees it.
#[operation(GET "/me")]
async fn my_page(app: &App, call: &Call) -> Answer<Html> {
    let mut players = Vec::new();
    for player in claimed_players(app, call).await? {
        players.push(of_player(app, player).await?);
    }
    Ok(Html::new(call, "Your players", &MyPage { players })?.into())
}
