//! A new token for a host or a player who has lost theirs and can prove who they are.

use monotable::model::edit;
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::json;

use super::turn;
use crate::app::App;
use crate::table::MatchId;
use crate::tokens::{self, Bearer};

#[derive(Deserialize)]
struct RenewTokenBody {
    role: Option<Role>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    Host,
    Player,
}

/// `POST /match/{id}/token`: a token that takes the place of the user's earlier one. Who is both host
/// and player says for which of them; else it is the host's.
///
/// # Errors
/// 403 `NOT_YOUR_MATCH` for who is neither.
pub async fn renew(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let user_id = tokens::user(call)?;
    let RenewTokenBody { role } = call.read()?;
    let row = app.match_row(&match_id).await?;
    let is_host = row.state.host_user_id.as_ref() == Some(&user_id);
    let own = row.state.roster.iter().find(|one| one.user_id.as_ref() == Some(&user_id));
    let bearer = match (role, own) {
        (None | Some(Role::Host), _) if is_host => Bearer::Host(match_id.clone()),
        (None | Some(Role::Player), Some(own)) => Bearer::Player(match_id.clone(), own.id.clone()),
        _ => {
            let text = "You are not that in this match.";
            return Err(Problem::forbidden("NOT_YOUR_MATCH", text));
        }
    };
    let secret = turn::secret(app, &match_id).await?;
    let (token, hash) = bearer.issue(&*app.randomness);
    // A change of nothing checks that the user is still who the state says.
    let mut tx = app.db.transact();
    tx.add(edit(&row, |_| {}));
    tx.add(edit(&secret, |secret| match &bearer {
        Bearer::Host(_) => secret.token_hashes.admin = hash,
        Bearer::Player(_, tribute_id) => {
            secret.token_hashes.players.insert(tribute_id.clone(), hash);
        }
    }));
    let (field, shown) = match &bearer {
        Bearer::Host(_) => ("adminToken", json!({ "matchId": match_id })),
        Bearer::Player(_, tribute_id) => {
            ("playerToken", json!({ "matchId": match_id, "tributeId": tribute_id }))
        }
    };
    call.commit(tx).reply(move |_| Reply::created(&shown).secret(field, token.clone())).await
}
