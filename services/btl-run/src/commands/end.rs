//! Ending a match that nobody will win.

use monotable::model::edit;
use monotable_kit::{Problem, Reply, Request};
use serde_json::json;

use super::{invite, turn};
use crate::app::App;
use crate::change::Change;
use crate::rules::decide;
use crate::rules::redact::{Viewer, state_view};
use crate::rules::state::Status;
use crate::table::MatchId;
use crate::tokens;

/// `POST /match/{id}/end`, of a lobby or of a match that is played.
///
/// # Errors
/// 409 `MATCH_ENDED` if it is over.
pub async fn end(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let row = turn::current(app, &match_id).await?;
    call.check_version(row.stamps.version)?;
    let is_lobby = row.state.status == Status::Lobby;
    let mut events = decide::cancel(&row.state, app.now_ms())?;
    for event in &mut events {
        event.audit = Some(tokens::audit(call));
    }
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    if is_lobby {
        let secret = turn::secret(app, &match_id).await?;
        written.tx.add(edit(&secret, |secret| secret.invite_code = None));
        invite::withdraw(app, &mut written.tx, &secret).await?;
    }
    let shown = json!(state_view(&change.state, &Viewer::GameMaster));
    let version = change.state.version;
    let reply = move || Reply::ok(&shown).version(version);
    change.commit(app, call, written, reply).await
}
