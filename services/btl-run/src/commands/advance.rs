//! A host's word that the open turn is over.

use monotable_kit::{Call, Problem, Reply};
use serde::Deserialize;
use serde_json::json;

use super::turn;
use crate::app::App;
use crate::change::Change;
use crate::decide::Refusal;
use crate::ids::{MatchId, TributeId, TurnId};
use crate::redact::{Viewer, log_view, state_view};
use crate::state::{MatchState, Mode, Phase, Status, TributeKind};
use crate::tokens;

/// What a request says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    turn_id: Option<TurnId>,
    #[serde(default)]
    force: bool,
}

/// `POST /match/{id}/advance`: resolves the open turn of a quick or standard match.
///
/// A request that does not say which turn it means, means the one that it finds; one that says so can't
/// resolve another, however late it comes.
///
/// # Errors
/// 409 if the match is not played by its host's word, the turn was resolved before, or players have to
/// be waited for.
pub async fn advance(app: &App, call: &Call) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let wanted: Wanted = call.read()?;
    let row = turn::current(app, &match_id).await?;
    call.check_version(row.ver)?;
    let turn_id = turn_to_resolve(&row.state, &wanted)?;
    let events = turn::resolution(app, &row.state, &turn_id).await?;
    let change = Change::new(app, row, events).await?;
    let viewer = Viewer::GameMaster;
    let shown = json!({
        "turnId": turn_id,
        "events": log_view(&change.events, &change.state, &viewer),
        "match": state_view(&change.state, &viewer),
    });
    let version = change.state.version;
    let reply = move || Reply::ok(&shown).version(version);
    let done = change.commit(app, call, change.transaction(app)?, reply).await;
    match done {
        // Whoever was faster may have resolved the turn that this request found, and the next one is
        // none of its business.
        Err(problem) if problem.is_version_conflict() && wanted.turn_id.is_none() => {
            let open = app.match_row(&change.state.match_id).await?.state.turn_id;
            if open.as_ref() == Some(&turn_id) { Err(problem) } else { Err(resolved(open)) }
        }
        done => done,
    }
}

/// The open turn, if the host's word is what it waits for.
fn turn_to_resolve(state: &MatchState, wanted: &Wanted) -> Result<TurnId, Problem> {
    match state.status {
        Status::Lobby => return Err(Refusal::NotStarted.into()),
        Status::Ended => return Err(Refusal::Ended.into()),
        Status::Active => {}
    }
    let Some(open) = state.turn_id.clone().filter(|_| state.phase == Phase::Collecting) else {
        return Err(Refusal::NotCollecting.into());
    };
    match &wanted.turn_id {
        Some(turn_id) if *turn_id != open && was_before(turn_id, state) => {
            return Err(resolved(Some(open)));
        }
        Some(turn_id) if *turn_id != open => return Err(Refusal::StaleTurn.into()),
        _ => {}
    }
    if state.mode == Mode::Long {
        let text = "The turns of a long match end with its days, or when all players have chosen.";
        return Err(Problem::conflict("INVALID_TRANSITION", text));
    }
    let waited: Vec<TributeId> = state
        .living()
        .filter(|one| one.kind != TributeKind::Ai && !state.pending_actions.contains_key(&one.id))
        .map(|one| one.id.clone())
        .collect();
    match waited.is_empty() || wanted.force {
        true => Ok(open),
        false => {
            let text = "Players have not said what they do; wait for them, or force the turn.";
            Err(Problem::conflict("INVALID_TRANSITION", text).with("waitingFor", json!(waited)))
        }
    }
}

/// Whether a turn came before the open one.
fn was_before(turn_id: &TurnId, state: &MatchState) -> bool {
    let days = 1..=state.day;
    let turns = days.flat_map(|day| (1..=state.mode.turns_per_day()).map(move |turn| (day, turn)));
    let mut earlier = turns.take_while(|at| *at < (state.day, state.turn));
    earlier.any(|(day, turn)| TurnId::of(day, turn) == *turn_id)
}

/// 409 for a turn that somebody else has resolved.
fn resolved(open: Option<TurnId>) -> Problem {
    Problem::conflict("CONFLICT", "That turn has been resolved.").with("turnId", json!(open))
}
