//! `POST /match/{id}/token`: creates a new token for a host or a player who has lost theirs and can
//! prove their identity.

use crate::api::prelude::*;

/// A token to renew.
#[derive(Debug, Body)]
pub(crate) struct NewToken {
    /// The role of the token, for a user with both; the host's by default.
    role: Option<Role>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
enum Role {
    Host,
    Player,
}

/// The token, as `adminToken` or `playerToken`.
#[derive(Clone, View)]
pub(crate) struct TokenView {
    #[view(example = "m1")]
    match_id: MatchId,
    tribute_id: Option<TributeId>,
    #[view(secret, example = "btl1/host/m1/…")]
    admin_token: Option<String>,
    #[view(secret)]
    player_token: Option<String>,
}

/// Creates a new token for a user who is host or player; the old one becomes invalid.
#[operation(POST "/match/{id}/token", once, queue = id,
    refuses(NotYourMatch, UserRequired, MatchNotFound, Conflict, NotPlayable))]
pub(crate) async fn renew_token(
    app: &App,
    call: &Call<MatchPath, Option<NewToken>>,
) -> Answer<Created<TokenView>> {
    let match_id = call.path.id.clone();
    let user_id = tokens::user(call)?;
    let role = call.body.as_ref().and_then(|body| body.role);
    let row = app.match_row(&match_id).await?;
    let is_host = row.state.host_user_id.as_ref() == Some(&user_id);
    let own = row.state.roster.iter().find(|one| one.user_id.as_ref() == Some(&user_id));
    let bearer = match (role, own) {
        (None | Some(Role::Host), _) if is_host => Bearer::Host(match_id.clone()),
        (None | Some(Role::Player), Some(own)) => Bearer::Player(match_id.clone(), own.id.clone()),
        _ => return Err(Refusal::RoleNotHeld.into()),
    };
    let secret = turn::secret(app, &match_id).await?;
    let (token, hash) = bearer.issue(&*app.randomness);
    let mut tx = call.transact(&app.db);
    // An edit without changes checks that the state still contains the user.
    tx.add(edit(&row, |_| {}));
    tx.add(edit(&secret, |secret| match &bearer {
        Bearer::Host(_) => secret.token_hashes.admin = hash,
        Bearer::Player(_, tribute_id) => {
            secret.token_hashes.players.insert(tribute_id.clone(), hash);
        }
    }));
    let (tribute_id, admin_token, player_token) = match bearer {
        Bearer::Host(_) => (None, Some(token), None),
        Bearer::Player(_, tribute_id) => (Some(tribute_id), None, Some(token)),
    };
    let view = TokenView { match_id, tribute_id, admin_token, player_token };
    tx.respond(move |_| Created(view.clone())).await
}
