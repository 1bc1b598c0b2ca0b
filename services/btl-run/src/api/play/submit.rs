//! `POST /match/{id}/action`: sets the action of a player's tribute. The last action resolves the
//! turn.

use super::OutcomeView;
use crate::api::prelude::*;
use crate::rules::state::{Action, ActionKind, FREE_TEXT_CHARACTERS_MAX};

const ACTIONS: CallLimit = CallLimit::per_minute("submit_action", 20);

/// The action of a tribute in a turn.
#[derive(Debug, Body)]
pub(crate) struct TributeAction {
    /// The turn that is open.
    #[body(example = "d1t1")]
    turn_id: TurnId,
    #[body(example = "hide")]
    action: ActionKind,
    /// The target: another living tribute.
    target_id: Option<TributeId>,
    /// Flavour for the story; it has no effect.
    #[body(length = 0..=FREE_TEXT_CHARACTERS_MAX)]
    free_text: Option<String>,
}

/// Whether the turn was resolved, and its result.
#[derive(Clone, View)]
pub(crate) struct SubmittedView {
    #[view(example = "d1t1")]
    turn_id: TurnId,
    #[view(example = false)]
    resolved: bool,
    #[view(flatten)]
    outcome: OutcomeView,
}

/// Sets the action of a tribute. It can be changed until the turn is resolved.
#[operation(POST "/match/{id}/action", once_required, if_match, queue = id, limit(ACTIONS, player),
    refuses(ContentViolation, StaleTurn, refusal::PLAYER_ONLY, refusal::CHANGING, NotCollecting, TributeDead))]
pub(crate) async fn submit_action(
    app: &App,
    call: &Call<MatchPath, TributeAction>,
) -> Answer<Json<SubmittedView>> {
    let TributeAction { turn_id, action, target_id, free_text } = &call.body;
    let tribute_id = tokens::player(call, &call.path.id)?;
    moderation::check("freeText", free_text.as_deref().unwrap_or_default())?;
    let action =
        Action { action: *action, target_id: target_id.clone(), free_text: free_text.clone() };
    let row = turn::current(app, &call.path.id).await?;
    call.check_version(row.stamps.version)?;
    let events = decide::submit(&row.state, &tribute_id, turn_id, action, app.now_ms())?;
    let mut change = Change::begun(row, events)?;
    let secret = turn::secret(app, &call.path.id).await?;
    let resolved = turn::waited_for(&change.state, &secret).is_empty();
    if resolved {
        change.add(turn::resolution(app, &change.state, &secret, turn_id)?)?;
    }
    let change = change.complete(app).await?;
    let outcome = OutcomeView::of(&change, &Viewer::Player(tribute_id));
    let view = SubmittedView { turn_id: turn_id.clone(), resolved, outcome };
    change.commit(app, call, change.transaction(app)?, Json(view)).await
}

/// Returns the subject of the limit.
fn player(call: &Call<MatchPath, TributeAction>) -> Result<String, Problem> {
    let match_id = &call.path.id;
    Ok(format!("{match_id}:{}", tokens::player(call, match_id)?))
}
