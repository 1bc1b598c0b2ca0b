//! A host's word that the open turn is over.

use http::Method;
use monotable_kit::{Call, Problem, Reply, repeat};
use serde::Deserialize;
use serde_json::json;

use super::turn;
use crate::app::App;
use crate::change::Change;
use crate::decide::Refusal;
use crate::ids::{MatchId, TurnId};
use crate::redact::{Viewer, log_view, state_view};
use crate::state::{MatchState, Mode, Phase, Status};
use crate::tokens;

/// What a request says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    turn_id: Option<TurnId>,
    #[serde(default)]
    force: bool,
}

/// `POST /match/{id}/advance`: resolves the turn that is meant, of a quick or standard match.
///
/// # Errors
/// 409 if the match is not played by its host's word, the turn was resolved before, or players have to
/// be waited for.
pub async fn advance(app: &App, call: &Call) -> Result<Reply, Problem> {
    let meant = meant(app, call).await?;
    repeat(|| async {
        let _turn = app.queues.turn(&Method::POST, call).await;
        resolve(app, call, meant.as_ref()).await
    })
    .await
}

/// The turn that a request means: the one that it names, or else the one that is open when it comes.
/// However long it then waits for others, it can't resolve a later one.
async fn meant(app: &App, call: &Call) -> Result<Option<TurnId>, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let wanted: Wanted = call.read()?;
    let row = turn::seen(app, &match_id).await?;
    // Those who came at the same moment find the same turn before the first of them resolves it.
    tokio::task::yield_now().await;
    Ok(wanted.turn_id.or(row.state.turn_id))
}

async fn resolve(app: &App, call: &Call, meant: Option<&TurnId>) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let wanted: Wanted = call.read()?;
    let row = turn::current(app, &match_id).await?;
    call.check_version(row.ver)?;
    let turn_id = open_turn(&row.state, meant)?;
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
        Status::Ended => return Err(Refusal::Ended.into()),
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
