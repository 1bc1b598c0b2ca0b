//! `POST /v1/auth/magic/complete`: signs in with a link.

use monotable_kit::Typed;

use super::{SessionView, sign_in};
use crate::api::prelude::*;

/// What the link contains.
#[derive(Debug, Body)]
pub(crate) struct Token {
    /// The last part of the link's path.
    #[body(length = 1..=200, example = "000102.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    token: String,
}

/// Signs in with a link, once. The session lasts 24 hours; its cookie is `threefc_session`.
#[operation(POST "/v1/auth/magic/complete", public, refuses(InvalidOrExpiredMagicLink))]
async fn complete_magic_link(app: &App, call: &Call<(), Token>) -> Answer<Json<SessionView>> {
    let session = sign_in(app)?.open_session(call, &call.body.token).await?;
    let session = session.ok_or(Refusal::InvalidOrExpiredMagicLink)?;
    let expires_at = Some(app.db.now() + session.lifetime);
    let user = accounts::signed_in(app, &session.principal).await?;
    let view = SessionView {
        user_id: user.user_id,
        email: session.principal.email,
        expires_at,
        csrf_token: Some(session.csrf),
    };
    Ok(Typed::from(Json(view)).cookies(session.cookies))
}
