//! `GET /manage`: the games that somebody controls or watches.

use askama::Template;
use monotable_kit::{Html, Zone};

use crate::api::games::GameView;
use crate::api::games::list::listed;
use crate::api::prelude::*;
use crate::pages::moment;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/games.html")]
struct GamesPage {
    games: Vec<GameView>,
    next: Option<String>,
    can_create: bool,
    zone: Zone,
}

/// Shows the games that you control or watch.
#[operation(GET "/manage", refuses(refusal::WATCHING))]
async fn games_page(app: &App, call: &Call<(), (), Paged>) -> Answer<Html> {
    let found = listed(app, call).await?;
    let page = GamesPage {
        games: found.rows,
        next: found.next.map(|next| next.to_string()),
        can_create: policy::anywhere(call, Action::Control).is_ok(),
        zone: call.viewer.zone.clone(),
    };
    Ok(super::html(call, "Your games", &page)?.into())
}
