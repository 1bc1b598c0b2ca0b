//! During a match: actions, stories, and cancelling.

use super::in_play;
use crate::refusal::Refusal;
use crate::rules::events::{
    EndReason, Event, EventBody, NarrationAttached, Placing, SEQ_MAX, numbered,
};
use crate::rules::state::{Action, MatchState, Phase, Status};
use crate::table::{TributeId, TurnId};

/// Sets a tribute's action in the open turn; a later one replaces an earlier one.
///
/// # Errors
/// Fails if the turn is not open, the tribute is dead, or the action is invalid.
pub fn submit(
    state: &MatchState,
    tribute_id: &TributeId,
    turn_id: &TurnId,
    action: Action,
    now: i64,
) -> Result<Vec<Event>, Refusal> {
    in_play(state)?;
    if state.phase != Phase::Collecting {
        return Err(Refusal::NotCollecting);
    }
    if state.turn_id.as_ref() != Some(turn_id) {
        return Err(Refusal::StaleTurn);
    }
    if !state.tribute(tribute_id).ok_or(Refusal::UnknownTribute)?.alive {
        return Err(Refusal::TributeDead);
    }
    action.check()?;
    if let Some(target) = &action.target_id {
        let is_other = target != tribute_id;
        if !is_other || !state.tribute(target).is_some_and(|one| one.alive) {
            return Err(Refusal::InvalidTarget);
        }
    }
    let submitted = EventBody::TributeActionSubmitted { tribute_id: tribute_id.clone(), action };
    Ok(numbered(state, vec![submitted], now))
}

/// Ends a match without a winner.
///
/// # Errors
/// Fails if it has ended.
pub fn cancel(state: &MatchState, now: i64) -> Result<Vec<Event>, Refusal> {
    if state.status == Status::Ended {
        return Err(Refusal::MatchEnded);
    }
    let reason = EndReason::Cancelled;
    let ended = EventBody::MatchEnded(Placing { reason, winner_id: None, ranking: Vec::new() });
    Ok(numbered(state, vec![ended], now))
}

/// Adds the story of a turn, also after the end.
///
/// # Errors
///
/// Fails if the match has not started, or its log is full.
pub fn attach_narration(
    state: &MatchState,
    story: NarrationAttached,
    now: i64,
) -> Result<Vec<Event>, Refusal> {
    match state.status {
        Status::Lobby => return Err(Refusal::NotStarted),
        Status::Active => in_play(state)?,
        Status::Ended if state.log_seq >= SEQ_MAX => return Err(Refusal::MatchEnded),
        Status::Ended => {}
    }
    Ok(numbered(state, vec![EventBody::NarrationAttached(Box::new(story))], now))
}
