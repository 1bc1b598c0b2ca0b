//! `POST /api/games/{gameId}/tokens`: makes a token of an organiser or observer.

use std::time::Duration;

use crate::api::prelude::*;
use crate::tokens::issue;

/// How long a token can be used.
const LIFETIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What a token lets its bearer do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GrantedRole {
    /// Control the game.
    Organiser,
    /// Watch the game.
    Observer,
}

/// A token to make.
#[derive(Debug, Body)]
pub(crate) struct NewToken {
    #[body(example = "observer")]
    pub(crate) role: GrantedRole,
}

/// A token, which only this response has.
#[derive(View)]
pub(crate) struct TokenView {
    role: GrantedRole,
    #[view(secret, example = "hunt1_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    token: String,
    expires_at: Timestamp,
}

/// Makes a token with which somebody controls or watches the game without an account, for a year.
#[operation(POST "/api/games/{gameId}/tokens", once, refuses(refusal::CONTROLLING))]
pub(crate) async fn make_token(
    app: &App,
    call: &Call<GamePath, NewToken>,
) -> Answer<Created<TokenView>> {
    make(app, call, issue(&*app.randomness)).await
}

/// Makes a token of the game that a path names.
///
/// # Errors
/// Returns 403 if the caller does not have the permission.
pub(crate) async fn make(
    app: &App,
    call: &Call<GamePath, NewToken>,
    (token, token_hash): (String, Hash),
) -> Answer<Created<TokenView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let (role, expires_at) = (call.body.role, app.db.now() + LIFETIME);
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(create(AccessToken {
        id: app.new_id()?,
        token_hash,
        role: match role {
            GrantedRole::Organiser => TokenRole::Organiser,
            GrantedRole::Observer => TokenRole::Observer,
        },
        game_id: game.id.clone(),
        team_id: None,
        user_id: None,
        stamps: Stamps { expires: Some(expires_at.epoch_seconds()), ..Stamps::default() },
    }));
    let audit = app.audit(call, &game.id, "makeToken", format!("GAME#{}", game.id))?;
    tx.add(create(audit.is("role", role.word())));
    tx.respond(move |_| Created(TokenView { role, token: token.clone(), expires_at })).await
}
