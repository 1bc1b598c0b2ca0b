//! Coming and going before the start: tributes that nobody plays, and those who go.

use monotable::model::edit;
use monotable_kit::{Problem, Reply, Request};
use serde_json::json;

use super::narrate::personas_soon;
use super::{invite, mine, turn};
use crate::app::App;
use crate::change::Change;
use crate::refusal::Refusal;
use crate::rules::decide;
use crate::rules::events::LeaveReason;
use crate::rules::redact::{Viewer, state_view};
use crate::table::{MatchId, TributeId};
use crate::tokens::{self, Bearer};

/// `POST /match/{id}/ai`: a tribute that nobody plays.
///
/// # Errors
/// 409 if the match has begun or is full.
pub async fn add_ai(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let row = app.match_row(&match_id).await?;
    call.check_version(row.stamps.version)?;
    let events = decide::add_ai(&row.state, app.now_ms())?;
    let secret = turn::secret(app, &match_id).await?;
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    invite::extend(app, &mut written.tx, &secret).await?;
    let shown = json!({
        "tributeId": change.state.roster.last().map(|tribute| &tribute.id),
        "match": state_view(&change.state, &Viewer::GameMaster),
    });
    let version = change.state.version;
    let reply = move || Reply::created(&shown).version(version);
    let done = change.commit(app, call, written, reply).await?;
    if !done.is_replay() {
        personas_soon(app, &match_id);
    }
    Ok(done)
}

/// `DELETE /match/{id}/tribute/{tributeId}`: a host takes a tribute out, or a player leaves. The
/// player's token ends with it.
///
/// # Errors
/// 403 for a player who means another one, 404 for a tribute that is not there, 409 if the match has
/// begun.
pub async fn remove(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let tribute_id: TributeId = call.id("tributeId")?;
    let (viewer, reason) = match tokens::bearer(call, &match_id)? {
        Bearer::Host(_) => (Viewer::GameMaster, LeaveReason::Removed),
        Bearer::Player(_, own) if own == tribute_id => (Viewer::Spectator, LeaveReason::Left),
        Bearer::Player(..) => {
            let text = "Players can only take their own tribute out.";
            return Err(Problem::forbidden("NOT_YOUR_TRIBUTE", text));
        }
    };
    let row = app.match_row(&match_id).await?;
    call.check_version(row.stamps.version)?;
    let user_id = row.state.tribute(&tribute_id).and_then(|tribute| tribute.user_id.clone());
    let mut events =
        decide::remove(&row.state, &tribute_id, reason, app.now_ms()).map_err(|refusal| {
            match refusal {
                Refusal::UnknownTribute => not_found(),
                refusal => refusal.into(),
            }
        })?;
    for event in &mut events {
        event.audit = Some(tokens::audit(call));
    }
    let secret = turn::secret(app, &match_id).await?;
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    if secret.token_hashes.players.contains_key(&tribute_id) {
        written.tx.add(edit(&secret, |secret| {
            secret.token_hashes.players.remove(&tribute_id);
        }));
    }
    if let Some(user_id) = &user_id {
        mine::keep(&mut written.tx, &change.state, user_id)?;
    }
    invite::extend(app, &mut written.tx, &secret).await?;
    let shown = json!(state_view(&change.state, &viewer));
    let version = change.state.version;
    let reply = move || Reply::ok(&shown).version(version);
    change.commit(app, call, written, reply).await
}

fn not_found() -> Problem {
    Problem::not_found("TRIBUTE_NOT_FOUND", "There is no such tribute in this match.")
}
