//! `POST /match/{id}/advance`: the host ends the open turn.

use super::OutcomeView;
use crate::api::prelude::*;
use crate::rules::state::{Mode, Phase};

/// The turn to resolve.
#[derive(Debug, Default, Body)]
pub(crate) struct Advance {
    /// The turn to resolve, unless `If-Match` contains the version of the match in which it is
    /// open.
    #[body(example = "d1t1")]
    turn_id: Option<TurnId>,
    /// Whether to resolve the turn before all players have chosen.
    #[body(default)]
    force: bool,
}

/// The turn that was resolved.
#[derive(Clone, View)]
pub(crate) struct AdvancedView {
    #[view(example = "d1t1")]
    turn_id: TurnId,
    #[view(flatten)]
    outcome: OutcomeView,
}

/// Resolves the turn of a quick or standard match that the request names.
///
/// It is named by its id or by the version of the match: however long a request waits, it can't resolve a
/// later turn.
#[operation(POST "/match/{id}/advance", once_required, if_match, queue = id,
    refuses(StaleTurn, refusal::HOST_ONLY, refusal::CHANGING, NotCollecting, TurnRequired))]
pub(crate) async fn advance(
    app: &App,
    call: &Call<MatchPath, Option<Advance>>,
) -> Answer<Json<AdvancedView>> {
    tokens::host(call, &call.path.id)?;
    let (named, force) = match &call.body {
        Some(Advance { turn_id, force }) => (turn_id.as_ref(), *force),
        None => (None, false),
    };
    if named.is_none() && call.if_match.is_none() {
        return Err(unnamed(&turn::seen(app, &call.path.id).await?));
    }
    let row = hosted(app, call, &call.path.id).await?;
    let turn_id = open_turn(&row.state, named)?;
    let secret = turn::secret(app, &row.match_id).await?;
    let waited = turn::waited_for(&row.state, &secret);
    if !waited.is_empty() && !force {
        return Err(Refusal::PlayersWaitedFor.with("waitingFor", json!(waited)));
    }
    let events = turn::resolution(app, &row.state, &secret, &turn_id)?;
    let change = Change::new(app, row, events).await?;
    let outcome = OutcomeView::of(&change, &Viewer::GameMaster);
    let view = AdvancedView { turn_id, outcome };
    change.commit(app, call, change.transaction(app)?, Json(view)).await
}

/// Returns 428 with the open turn, for a request without a turn. Reasons against resolving any turn
/// come first.
fn unnamed(row: &MatchRow) -> Problem {
    match open_turn(&row.state, None) {
        Ok(turn_id) => {
            let refusal = Refusal::TurnRequired.with("turnId", json!(turn_id));
            refusal.with("version", row.stamps.version)
        }
        Err(problem) => problem,
    }
}

/// Returns the open turn, if it can be resolved by the host.
fn open_turn(state: &MatchState, named: Option<&TurnId>) -> Result<TurnId, Problem> {
    match state.status {
        Status::Lobby => return Err(Refusal::NotStarted.into()),
        Status::Ended => return Err(Refusal::MatchEnded.into()),
        Status::Active => {}
    }
    let open = state.turn_id.clone().filter(|_| state.phase == Phase::Collecting);
    let open = open.ok_or(Refusal::NotCollecting)?;
    match named {
        Some(turn_id) if *turn_id != open && was_before(turn_id, state) => {
            Err(Refusal::TurnResolved.with("turnId", json!(open)))
        }
        Some(turn_id) if *turn_id != open => Err(Refusal::StaleTurn.into()),
        _ if state.mode == Mode::Long => Err(Refusal::TurnEndsWithDay.into()),
        _ => Ok(open),
    }
}

/// Returns whether a turn came before the open one.
fn was_before(turn_id: &TurnId, state: &MatchState) -> bool {
    let days = 1..=state.day;
    let turns = days.flat_map(|day| (1..=state.mode.turns_per_day()).map(move |turn| (day, turn)));
    let mut earlier = turns.take_while(|at| *at < (state.day, state.turn));
    earlier.any(|(day, turn)| TurnId::of(day, turn) == *turn_id)
}
