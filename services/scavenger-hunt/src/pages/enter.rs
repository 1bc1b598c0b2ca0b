//! `GET /enter`, `POST /enter`: organisers and observers sign in with the token of a game.

use askama::Template;
use monotable_kit::{CallLimit, Form, Html};

use super::{Entered, EnteredPage};
use crate::api::prelude::*;
use crate::tokens;

/// Tokens have 256 bits.
const TOKENS: CallLimit = CallLimit::per_minute("enter", 30).counting_attempts();

/// The token of an organiser or observer.
#[derive(Debug, Body)]
pub(crate) struct Shown {
    #[body(length = 1..=200, example = "hunt1_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    token: String,
}

/// The token that a link contains.
#[derive(Debug, Body)]
pub(crate) struct LinkedToken {
    #[body(length = 1..=200)]
    token: Option<String>,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "enter.html")]
struct EnterPage {
    has_token: bool,
    form: Form,
}

/// Shows where a token is used.
#[operation(GET "/enter", public)]
async fn enter_page(_app: &App, call: &Call<(), (), LinkedToken>) -> Answer<Html> {
    let form = Form::of(call, &use_token::route()).submit("Sign in");
    let token = call.query.token.as_deref();
    let form = token.map_or_else(|| form.clone(), |token| form.clone().fixed("token", token));
    let page = EnterPage { has_token: token.is_some(), form };
    Ok(Html::new(call, "Use a token", &page)?.into())
}

/// Begins a session of the bearer of a token.
pub(crate) mod use_token {
    use super::*;

    /// Begins a session of the bearer of a token.
    #[operation(POST "/enter", public, limit(TOKENS, address))]
    async fn use_token(app: &App, call: &Call<(), Shown>) -> Answer<Entered> {
        let found = tokens::bearer(&app.db, call.body.token.trim()).await;
        let bearer = found.map_err(|problem| match problem.kind {
            monotable_kit::ProblemKind::Unauthenticated => {
                Problem::field("token", "is not valid; ask the organiser for a new one")
            }
            _ => problem,
        })?;
        let content = EnteredPage {
            title: "Signed in".to_owned(),
            text: "You see this game in this browser for a day.".to_owned(),
            next: ("/manage", "Your games"),
        };
        super::super::entered(app, call, &bearer, content).await
    }

    fn address(call: &Call<(), Shown>) -> Result<String, Problem> {
        Ok(call.client.map_or_else(|| "unknown".to_owned(), |address| address.to_string()))
    }
}
