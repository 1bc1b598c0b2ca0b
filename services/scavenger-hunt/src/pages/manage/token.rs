//! `POST /manage/{gameId}/tokens`: makes a token, and shows it once.

use askama::Template;
use monotable_kit::{Html, QrCode};

use super::Managed;
use crate::api::games::tokens::{GrantedRole, NewToken, make};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/token.html")]
struct TokenPage {
    managed: Managed,
    role: GrantedRole,
    token: String,
    url: String,
    code: QrCode,
}

/// Makes a token with which somebody controls or watches the game, and shows it once.
#[operation(POST "/manage/{gameId}/tokens", refuses(refusal::CONTROLLING))]
async fn token_page(app: &App, call: &Call<GamePath, NewToken>) -> Answer<Html> {
    let managed = Managed::read(app, call, &call.path.game_id, Action::Control).await?;
    let issued = crate::tokens::issue(&*app.randomness);
    let token = issued.0.clone();
    make(app, call, issued).await?;
    let url = call.url(&format!("/enter?token={token}"));
    let code = QrCode::of(&url, "QR code with the token")?;
    let page = TokenPage { managed, role: call.body.role, token, url, code };
    Ok(super::html(call, "New token", &page)?.into())
}
