//! What a player's tribute will do. The last one to say so resolves the turn.

use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::json;

use super::turn;
use crate::app::App;
use crate::change::Change;
use crate::rate::{self, Counted, Limited};
use crate::rules::decide;
use crate::rules::events::fold;
use crate::rules::moderation;
use crate::rules::redact::{Viewer, log_view, state_view};
use crate::rules::state::{Action, ActionKind};
use crate::table::{MatchId, TributeId, TurnId};
use crate::tokens;

/// What a request says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    turn_id: TurnId,
    action: ActionKind,
    target_id: Option<TributeId>,
    free_text: Option<String>,
}

/// Counts an action of a player.
///
/// # Errors
/// 401, 403 or 429.
pub async fn count(app: &App, call: &Request) -> Result<Counted, Problem> {
    let match_id: MatchId = call.id("id")?;
    let tribute_id = tokens::player(call, &match_id)?;
    rate::count(app, Limited::SubmitAction, &format!("{match_id}:{tribute_id}")).await
}

/// `POST /match/{id}/action`. A later word takes the place of an earlier one, until the turn is
/// resolved; and it is as soon as nobody has to be waited for.
///
/// # Errors
/// 400 `STALE_TURN` or `CONTENT_VIOLATION`, 409 if the tribute can't act.
pub async fn submit(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let tribute_id = tokens::player(call, &match_id)?;
    let Wanted { turn_id, action, target_id, free_text } = call.read()?;
    moderation::check("freeText", free_text.as_deref().unwrap_or_default())?;
    let action = Action { action, target_id, free_text };
    let row = turn::current(app, &match_id).await?;
    call.check_version(row.stamps.version)?;
    let mut events = decide::submit(&row.state, &tribute_id, &turn_id, action, app.now_ms())?;
    let mut after = row.state.clone();
    for event in &events {
        after = fold(Some(after), event).map_err(|error| Problem::internal(error.to_string()))?;
    }
    let secret = turn::secret(app, &match_id).await?;
    let is_complete = turn::waited_for(&after, &secret).is_empty();
    if is_complete {
        events.extend(turn::resolution(app, &after, &secret, &turn_id)?);
    }
    let change = Change::new(app, row, events).await?;
    let viewer = Viewer::Player(tribute_id);
    let shown = json!({
        "turnId": turn_id,
        "resolved": is_complete,
        "events": log_view(&change.events, &change.state, &viewer),
        "match": state_view(&change.state, &viewer),
    });
    let version = change.state.version;
    let reply = move || Reply::ok(&shown).version(version);
    change.commit(app, call, change.transaction(app)?, reply).await
}
