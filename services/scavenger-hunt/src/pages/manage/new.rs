//! `GET /manage/new`: where a game is set up from a configuration file.

use askama::Template;
use monotable_kit::{Form, Html};

use crate::api::games::create_from_file;
use crate::api::prelude::*;

/// A configuration to begin with.
const EXAMPLE: &str = include_str!("example.json");

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/new.html")]
struct NewGamePage {
    form: Form,
}

/// Shows where a game is set up from a configuration file.
#[operation(GET "/manage/new", refuses(ControlRequired))]
async fn new_game_page(_app: &App, call: &Call) -> Answer<Html> {
    policy::anywhere(call, Action::Control)?;
    let form = Form::of(call, &create_from_file::route())
        .files("file", "application/json,.json")
        .value("config", EXAMPLE)
        .submit("Set up the game")
        .then("/manage/{gameId}/codes");
    Ok(super::html(call, "Set up a game", &NewGamePage { form })?.into())
}
