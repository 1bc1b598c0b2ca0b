//! Resolves the open turn, for a host, the last player to choose, or the clock.

use monotable_kit::{Problem, repeat};

use crate::app::App;
use crate::change::Change;
use crate::refusal::Refusal;
use crate::rules::events::Event;
use crate::rules::resolve::{Unresolvable, resolve};
use crate::rules::state::{MatchState, Mode, Phase, Status, Tribute, TributeKind};
use crate::table::{BtlRunReads as _, MatchId, MatchRow, SecretRow, TributeId, TurnId};

/// Returns the current match: a turn whose time is over is resolved first.
///
/// # Errors
///
/// Returns 404 if the match does not exist, and errors of resolving its turn.
pub(crate) async fn current(app: &App, match_id: &MatchId) -> Result<MatchRow, Problem> {
    let row = app.match_row(match_id).await?;
    if resolve_if_due(app, &row.state).await? { app.match_row(match_id).await } else { Ok(row) }
}

/// Returns the match for viewers, without errors of resolving its turn.
///
/// # Errors
///
/// Returns 404 if the match does not exist.
pub(crate) async fn seen(app: &App, match_id: &MatchId) -> Result<MatchRow, Problem> {
    let row = app.match_row(match_id).await?;
    match resolve_if_due(app, &row.state).await {
        Ok(true) => app.match_row(match_id).await,
        Ok(false) | Err(_) => Ok(row),
    }
}

/// Resolves the open turn of a match if its time is over, and returns whether it was.
///
/// # Errors
///
/// Returns 404 if the match does not exist, and errors of resolving its turn.
pub(crate) async fn resolve_due(app: &App, match_id: &MatchId) -> Result<bool, Problem> {
    resolve_if_due(app, &app.match_row(match_id).await?.state).await
}

async fn resolve_if_due(app: &App, state: &MatchState) -> Result<bool, Problem> {
    match due_turn(state, app.now_ms()) {
        // After a concurrent change the state is still another one.
        Some(turn_id) => resolve_open_turn(app, &state.match_id, &turn_id).await.map(|_| true),
        None => Ok(false),
    }
}

/// Returns the open turn of a long match whose time is over.
fn due_turn(state: &MatchState, now: i64) -> Option<TurnId> {
    let is_played = state.status == Status::Active && state.phase == Phase::Collecting;
    let is_due = state.day_cutoff_at.is_some_and(|cutoff| cutoff <= now);
    let is_waiting = is_played && is_due && state.mode == Mode::Long;
    state.turn_id.clone().filter(|_| is_waiting)
}

/// Resolves a turn if it is still open, and returns whether it was. However often it is requested,
/// a turn is resolved once.
///
/// # Errors
///
/// Returns 404 if the match does not exist, and errors of resolving its turn.
pub(crate) async fn resolve_open_turn(
    app: &App,
    match_id: &MatchId,
    turn_id: &TurnId,
) -> Result<bool, Problem> {
    repeat(|| async {
        let row = app.match_row(match_id).await?;
        if row.state.turn_id.as_ref() != Some(turn_id) {
            return Ok(false);
        }
        let secret = secret(app, match_id).await?;
        let events = resolution(app, &row.state, &secret, turn_id)?;
        Change::new(app, row, events).await?.commit_unasked(app).await?;
        Ok(true)
    })
    .await
}

/// Returns the events that resolve the open turn of a match.
///
/// # Errors
/// Returns 400 `STALE_TURN` or 409 `NOT_COLLECTING`.
pub(crate) fn resolution(
    app: &App,
    state: &MatchState,
    secret: &SecretRow,
    turn_id: &TurnId,
) -> Result<Vec<Event>, Problem> {
    resolve(state, &secret.seed, turn_id, app.now_ms()).map_err(|error| match error {
        Unresolvable::NotCollecting => Refusal::NotCollecting.into(),
        Unresolvable::OtherTurn(_) => Refusal::StaleTurn.into(),
        Unresolvable::RulesVersion(_) | Unresolvable::Unsound(_) | Unresolvable::NoSuchTime(_) => {
            Problem::internal(error.to_string())
        }
    })
}

/// Returns the living tributes whose players have not chosen yet. A tribute whose player has no
/// token any more is not waited for, because nobody can choose for it.
pub(crate) fn waited_for(state: &MatchState, secret: &SecretRow) -> Vec<TributeId> {
    let has_player = |one: &&Tribute| {
        one.kind != TributeKind::Ai && secret.token_hashes.players.contains_key(&one.id)
    };
    let has_chosen = |one: &&Tribute| state.pending_actions.contains_key(&one.id);
    let waited = state.living().filter(has_player).filter(|one| !has_chosen(one));
    waited.map(|one| one.id.clone()).collect()
}

/// Returns what a match keeps to itself.
///
/// # Errors
///
/// Returns 409 for a match of a program without secrets: it can be viewed, but not played.
pub(crate) async fn secret(app: &App, match_id: &MatchId) -> Result<SecretRow, Problem> {
    app.db.secret(match_id).await?.ok_or_else(|| Refusal::NotPlayable.into())
}
