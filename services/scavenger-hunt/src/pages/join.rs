//! `GET /join`, `POST /join`: players join a team by its code, without an account.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{Entered, EnteredPage, LinkedCode};
use crate::api::play::join::{self, Joining};
use crate::api::play::state::stamp;
use crate::api::prelude::*;
use crate::tokens::{self, Bearer};

/// The content of the page.
#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage {
    /// Whether a player was expected here.
    is_needed: bool,
    has_code: bool,
    form: Form,
}

/// Shows where players join a team, with the code of a link.
#[operation(GET "/join", public)]
async fn join_page(_app: &App, call: &Call<(), (), LinkedCode>) -> Answer<Html> {
    Ok(page(call, call.query.code.as_deref(), false)?.into())
}

/// Returns the page on which players join a team.
///
/// # Errors
/// Returns 500 if it can't be rendered.
pub(super) fn page(call: &Request, code: Option<&str>, is_needed: bool) -> Result<Html, Problem> {
    let page = JoinPage { is_needed, has_code: code.is_some(), form: form(call, code) };
    Html::new(call, "Join a hunt", &page)
}

/// Returns the form with which players join a team.
pub(super) fn form(call: &Request, code: Option<&str>) -> Form {
    let form = Form::of(call, &enter::route()).submit("Join the team");
    match code {
        Some(code) => form.fixed("code", code),
        None => form,
    }
}

/// Joins a team, and begins a session of the player.
pub(crate) mod enter {
    use super::*;

    /// Joins a team by its code, and begins a session of the player.
    #[operation(
        POST "/join", public, limit(join::JOINS, join::address),
        refuses(TeamNotFound, AlreadyInTeam, GameEnded, Provisioning, TeamFull)
    )]
    async fn join_in_browser(app: &App, call: &Call<(), Joining>) -> Answer<Entered> {
        let (token, hash) = tokens::issue(&*app.randomness);
        join::join(app, call, (token.clone(), hash)).await?;
        let player = tokens::bearer(&app.db, &token).await?;
        let Some(Bearer::Player(game_id, team_id, user_id)) = Bearer::of(&player) else {
            return Err(Refusal::NotYourTeam.into());
        };
        let playing = policy::playing(app, &game_id, &team_id, &user_id).await?;
        // The time of the first place counts from the start of the game, or from now on.
        stamp(app, call, &playing).await?;
        let name = playing.user.display_name.as_deref().unwrap_or("player");
        let game_name = playing.game.name.as_deref().unwrap_or("the hunt");
        let content = EnteredPage {
            title: format!("Welcome, {name}!"),
            text: format!("You play {game_name} for {}.", playing.team(app).await?.name),
            next: ("/play", "To the hunt"),
        };
        super::super::entered(app, call, &player, content).await
    }
}
