//! Starting a match.

use monotable::model::edit;
use monotable_kit::{Problem, Reply, Request};
use serde_json::json;

use super::{invite, turn};
use crate::app::App;
use crate::change::Change;
use crate::rules::decide;
use crate::rules::redact::{Viewer, state_view};
use crate::table::MatchId;
use crate::tokens;

/// `POST /match/{id}/start`: opens the first turn. Nobody can join any more.
///
/// # Errors
/// 409 if the match has begun, or has too few tributes.
pub async fn start(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let row = app.match_row(&match_id).await?;
    call.check_version(row.stamps.version)?;
    let events = decide::start(&row.state, app.now_ms())?;
    let secret = turn::secret(app, &match_id).await?;
    let change = Change::new(app, row, events).await?;
    let mut written = change.transaction(app)?;
    written.tx.add(edit(&secret, |secret| secret.invite_code = None));
    invite::withdraw(app, &mut written.tx, &secret).await?;
    let shown = json!(state_view(&change.state, &Viewer::GameMaster));
    let version = change.state.version;
    let reply = move || Reply::ok(&shown).version(version);
    change.commit(app, call, written, reply).await
}
