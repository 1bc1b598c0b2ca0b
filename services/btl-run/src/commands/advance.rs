//! A host's word that the open turn is over.

use http::Method;
use monotable_kit::{Problem, ProblemKind, Reply, Request, repeat};
use serde::Deserialize;
use serde_json::json;

use super::turn;
use crate::app::App;
use crate::change::Change;
use crate::refusal::Refusal;
use crate::rules::redact::{Viewer, log_view, state_view};
use crate::rules::state::{MatchState, Mode, Phase, Status};
use crate::table::{MatchId, MatchRow, TurnId};
use crate::tokens;

/// What a request says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    turn_id: Option<TurnId>,
    #[serde(default)]
    force: bool,
}

/// `POST /match/{id}/advance`: resolves the turn that the request names, by its id or by the version of the
/// match, of a quick or standard match. However long a request waits, it can't resolve a later turn.
///
/// # Errors
/// 428 if the request names no turn, 409 if the match is not played by its host's word, the turn was
/// resolved before, or players have to be waited for.
pub async fn advance(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let wanted: Wanted = call.read()?;
    if wanted.turn_id.is_none() && call.if_match.is_none() {
        return Err(unnamed(&turn::seen(app, &match_id).await?));
    }
    repeat(|| async {
        let _turn = app.queues.turn(&Method::POST, call).await;
        resolve(app, call, &wanted).await
    })
    .await
}

/// 428 with the open turn, for a request that names none. What is in the way of every turn comes first.
fn unnamed(row: &MatchRow) -> Problem {
    match open_turn(&row.state, None) {
        Ok(turn_id) => {
            let text = "Name the turn that is to be resolved: send its `turnId`, or the version of the \
                        match as `If-Match`.";
            Problem::new(ProblemKind::PreconditionRequired, "TURN_REQUIRED", text)
                .with("turnId", json!(turn_id))
                .with("version", row.stamps.version)
        }
        Err(problem) => problem,
    }
}

async fn resolve(app: &App, call: &Request, wanted: &Wanted) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let row = turn::current(app, &match_id).await?;
    call.check_version(row.stamps.version)?;
    let turn_id = open_turn(&row.state, wanted.turn_id.as_ref())?;
    let secret = turn::secret(app, &match_id).await?;
    let waited = turn::waited_for(&row.state, &secret);
    if !waited.is_empty() && !wanted.force {
        let text = "Players have not said what they do; wait for them, or force the turn.";
        let problem = Problem::conflict("INVALID_TRANSITION", text);
        return Err(problem.with("waitingFor", json!(waited)));
    }
    let events = turn::resolution(app, &row.state, &secret, &turn_id)?;
    let change = Change::new(app, row, events).await?;
    let viewer = Viewer::GameMaster;
    let shown = json!({
        "turnId": turn_id,
        "events": log_view(&change.events, &change.state, &viewer),
        "match": state_view(&change.state, &viewer),
    });
    let version = change.state.version;
    let reply = move || Reply::ok(&shown).version(version);
    change.commit(app, call, change.transaction(app)?, reply).await
}

/// The open turn, if the host's word is what it waits for.
fn open_turn(state: &MatchState, meant: Option<&TurnId>) -> Result<TurnId, Problem> {
    match state.status {
        Status::Lobby => return Err(Refusal::NotStarted.into()),
        Status::Ended => return Err(Refusal::MatchEnded.into()),
        Status::Active => {}
    }
    let Some(open) = state.turn_id.clone().filter(|_| state.phase == Phase::Collecting) else {
        return Err(Refusal::NotCollecting.into());
    };
    match meant {
        Some(turn_id) if *turn_id != open && was_before(turn_id, state) => {
            return Err(resolved(&open));
        }
        Some(turn_id) if *turn_id != open => return Err(Refusal::StaleTurn.into()),
        _ => {}
    }
    if state.mode == Mode::Long {
        let text = "The turns of a long match end with its days, or when all players have chosen.";
        return Err(Problem::conflict("INVALID_TRANSITION", text));
    }
    Ok(open)
}

/// Whether a turn came before the open one.
fn was_before(turn_id: &TurnId, state: &MatchState) -> bool {
    let days = 1..=state.day;
    let turns = days.flat_map(|day| (1..=state.mode.turns_per_day()).map(move |turn| (day, turn)));
    let mut earlier = turns.take_while(|at| *at < (state.day, state.turn));
    earlier.any(|(day, turn)| TurnId::of(day, turn) == *turn_id)
}

/// 409 for a turn that somebody else has resolved.
fn resolved(open: &TurnId) -> Problem {
    Problem::conflict("CONFLICT", "That turn has been resolved.").with("turnId", json!(open))
}
