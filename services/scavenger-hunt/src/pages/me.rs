//! `GET /me`: what is kept of a player, to take it along or erase it.

use askama::Template;
use monotable_kit::{Form, Html};

use crate::api::play::erase_me;
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "me.html")]
struct MyPage {
    name: String,
    team_name: String,
    game_name: String,
    days: u32,
    erase: Form,
}

/// Shows what is kept of you, with a copy of it, and how to erase it.
#[operation(GET "/me", refuses(refusal::PLAYING, TeamNotFound))]
async fn my_page(app: &App, call: &Call) -> Answer<Html> {
    let playing = policy::player(app, call).await?;
    let erase = Form::of(call, &erase_me::route()).submit("Erase my data and leave");
    let page = MyPage {
        name: playing.user.display_name.clone().unwrap_or_else(|| "You".to_owned()),
        team_name: playing.team(app).await?.name,
        game_name: playing.game.name.clone().unwrap_or_default(),
        days: playing.game.retention_days.unwrap_or(crate::api::play::ping::RETENTION_DAYS),
        erase: erase.then("/hunt"),
    };
    Ok(super::named(Html::new(call, "Your data", &page)?, &playing).into())
}
