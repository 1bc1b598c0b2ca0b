//! `GET /manage/{gameId}/settings`: the settings of a game, its tokens, and how it is deleted.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{Managed, token};
use crate::api::games::{delete, update, withdraw_tokens};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/settings.html")]
struct SettingsPage {
    managed: Managed,
    change: Form,
    token: Form,
    withdraw: Form,
    delete: Form,
}

/// Shows the settings of a game to organisers.
#[operation(GET "/manage/{gameId}/settings", refuses(refusal::CONTROLLING))]
async fn settings_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let managed = Managed::read(app, call, &call.path.game_id, Action::Control).await?;
    let game = &managed.game;
    let then = format!("/manage/{}/settings", game.id);
    let change = Form::of(call, &update::route())
        .values(game)
        .value("photo_required", game.photo_required.unwrap_or(true))
        .value("leaderboard_public", game.leaderboard_public.unwrap_or(true))
        .without(&["route_mode"]);
    let page = SettingsPage {
        change: change.submit("Save").then(&then),
        token: Form::of(call, &token::route()).submit("Make a token"),
        withdraw: Form::of(call, &withdraw_tokens::route())
            .submit("Withdraw all tokens")
            .then(&then),
        delete: Form::of(call, &delete::route()).submit("Delete the game").then("/manage"),
        managed,
    };
    Ok(super::html(call, "Settings", &page)?.into())
}
