//! `GET /hunt`: where everybody starts.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{join, manage};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    /// The game that the person plays.
    game_name: Option<String>,
    can_watch: bool,
    join: Form,
}

/// Shows where players join a team, and leads organisers to their games.
#[operation(GET "/hunt", public)]
async fn home_page(app: &App, call: &Call) -> Answer<Html> {
    let playing = super::player(app, call).await?;
    let page = HomePage {
        game_name: playing.as_ref().map(|playing| playing.game.name.clone().unwrap_or_default()),
        can_watch: playing.is_none() && call.principal.is_some(),
        join: join::form(call, None),
    };
    let html = manage::html(call, "Team hunts", &page)?;
    Ok(match &playing {
        Some(playing) => super::named(html, playing).into(),
        None => html.into(),
    })
}
