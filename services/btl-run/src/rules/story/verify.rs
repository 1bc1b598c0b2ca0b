//! Verifies that a match was fair: the seed matches its commitment, and every turn gives the events
//! in the log.

use serde::Serialize;

use crate::rules::events::{EndReason, Event, EventBody, FoldError, HitPoints, Injection, fold};
use crate::rules::resolve::{Unresolvable, resolve, sponsored};
use crate::rules::rng::Seed;
use crate::rules::state::MatchState;
use crate::table::TurnId;

/// A match that was played fairly.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// The number of verified turns.
    pub turn_count: u32,
    /// The number of events.
    pub event_count: u32,
    /// The final state of the match. Its version is that of the row, which events don't contain.
    pub state: MatchState,
}

/// How a log differs from a fair match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forged {
    /// The seed does not match the commitment.
    #[error("the seed is not the one that was promised")]
    Seed,
    /// The events do not follow each other.
    #[error(transparent)]
    Log(#[from] FoldError),
    /// The turn can't be resolved.
    #[error(transparent)]
    Turn(#[from] Unresolvable),
    /// The turn has another result from this event on.
    #[error("turn {turn_id} comes out differently from event {seq} on")]
    Differs {
        /// The turn.
        turn_id: TurnId,
        /// The first event that differs.
        seq: u32,
    },
    /// An event that no player may cause.
    #[error("event {0} breaks the rules")]
    Unruly(u32),
}

/// Replays a match from its events and its seed.
///
/// # Errors
/// Returns the first difference.
pub fn verify(seed: &Seed, events: &[Event]) -> Result<Verified, Forged> {
    let (first, mut rest) = events.split_first().ok_or(FoldError::NotCreated)?;
    let mut state = fold(None, first)?;
    if state.seed_commit != seed.commit() {
        return Err(Forged::Seed);
    }
    let mut turn_count = 0;
    while let Some((event, later)) = rest.split_first() {
        if event.body.is_of_resolution() {
            let played = replayed(&state, seed, event)?;
            for (at, expected) in played.iter().enumerate() {
                if rest.get(at) != Some(expected) {
                    let turn_id = expected.turn_id.clone().unwrap_or_else(|| TurnId::of(0, 0));
                    return Err(Forged::Differs { turn_id, seq: expected.seq });
                }
                state = fold(Some(state), expected)?;
            }
            rest = &rest[played.len()..];
            turn_count += 1;
        } else {
            check_rules(&state, event)?;
            state = fold(Some(state), event)?;
            rest = later;
        }
    }
    let event_count = state.log_seq;
    Ok(Verified { turn_count, event_count, state })
}

fn replayed(state: &MatchState, seed: &Seed, event: &Event) -> Result<Vec<Event>, Forged> {
    let turn_id = event.turn_id.as_ref().ok_or(Forged::Unruly(event.seq))?;
    Ok(resolve(state, seed, turn_id, event.timestamp)?)
}

/// Checks what a host could write into a log between two turns, but may not.
fn check_rules(state: &MatchState, event: &Event) -> Result<(), Forged> {
    let is_fair = match &event.body {
        EventBody::MatchEnded(placing) => {
            placing.reason == EndReason::Cancelled
                && placing.winner_id.is_none()
                && placing.ranking.is_empty()
        }
        EventBody::GmEventInjected(Injection::Hazard { hp, .. }) => {
            let is_mild = |left: &HitPoints| {
                state.tribute(&left.tribute_id).is_some_and(|tribute| {
                    tribute.alive
                        && left.hp >= 1
                        && left.hp <= tribute.hp
                        && tribute.hp - left.hp <= 2
                })
            };
            hp.iter().all(is_mild)
        }
        EventBody::SponsorDrop { item, .. } => {
            state.turn_id.as_ref().is_some_and(|turn| *item == sponsored(turn, event.seq))
        }
        EventBody::TributeActionSubmitted { tribute_id, .. } => {
            event.turn_id == state.turn_id
                && state.tribute(tribute_id).is_some_and(|tribute| tribute.alive)
        }
        EventBody::TributeJoined { .. } | EventBody::TributeLeft { .. } => state.turn == 0,
        EventBody::MatchStarted(opening) => {
            state.turn == 0 && (opening.day, opening.turn) == (1, 1)
        }
        _ => true,
    };
    if is_fair { Ok(()) } else { Err(Forged::Unruly(event.seq)) }
}
