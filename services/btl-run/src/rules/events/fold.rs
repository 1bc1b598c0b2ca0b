//! The state that results from a log. A fold of all events gives the snapshot, bit for bit.

use std::collections::BTreeMap;

use super::{Event, EventBody, MatchCreated, apply};
use crate::rules::state::{MatchState, Phase, Status};
use crate::table::TributeId;

/// The reason why an event cannot follow the previous ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// A number is missing or repeated.
    #[error("event {found} where {expected} is next")]
    OutOfSequence {
        /// The next number.
        expected: u32,
        /// The number that was found.
        found: u32,
    },
    /// The first event is not the creation.
    #[error("event 1 does not create the match")]
    NotCreated,
    /// A later event is the creation.
    #[error("event {0} creates the match again")]
    CreatedTwice(u32),
    /// There is no such tribute.
    #[error("no tribute {0}")]
    UnknownTribute(TributeId),
    /// The tribute has no such item.
    #[error("tribute {0} has no item {1}")]
    UnknownItem(TributeId, String),
    /// An event follows the end.
    #[error("event {0} happens after the end")]
    AfterEnd(u32),
}

/// Returns the state of a match after all its events. Its version is that of the row, which events
/// don't contain.
///
/// # Errors
/// Returns an error for the first event that can't follow.
pub fn replay<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    version: u64,
) -> Result<MatchState, FoldError> {
    let mut state = None;
    for event in events {
        state = Some(fold(state, event)?);
    }
    let mut state = state.ok_or(FoldError::NotCreated)?;
    state.version = version;
    Ok(state)
}

/// Returns the state after one more event.
///
/// # Errors
/// Fails if the event can't follow.
pub fn fold(state: Option<MatchState>, event: &Event) -> Result<MatchState, FoldError> {
    if let Some(mut state) = state {
        append(&mut state, event)?;
        return Ok(state);
    }
    check_sequence(0, event)?;
    match &event.body {
        EventBody::MatchCreated(created) => Ok(opened(created, event)),
        _ => Err(FoldError::NotCreated),
    }
}

/// Applies one more event to the state of a match. After an error the state is unusable.
///
/// # Errors
/// Fails if the event can't follow.
pub(crate) fn append(state: &mut MatchState, event: &Event) -> Result<(), FoldError> {
    check_sequence(state.log_seq, event)?;
    match event.body {
        EventBody::MatchCreated(_) => return Err(FoldError::CreatedTwice(event.seq)),
        EventBody::NarrationAttached(_) => {}
        _ if state.status == Status::Ended => return Err(FoldError::AfterEnd(event.seq)),
        _ => {}
    }
    apply(state, &event.body)?;
    state.log_seq = event.seq;
    if matches!(event.body, EventBody::MatchStarted(_)) {
        state.started_at = Some(event.timestamp);
    }
    Ok(())
}

fn check_sequence(last: u32, event: &Event) -> Result<(), FoldError> {
    let (expected, found) = (last + 1, event.seq);
    if found == expected { Ok(()) } else { Err(FoldError::OutOfSequence { expected, found }) }
}

fn opened(created: &MatchCreated, event: &Event) -> MatchState {
    MatchState {
        match_id: created.match_id.clone(),
        created_at: event.timestamp,
        mode: created.mode,
        rules: created.rules,
        theme: created.theme.clone(),
        status: Status::Lobby,
        day: 1,
        turn: 0,
        max_days: created.max_days,
        roster: created.roster.clone(),
        alliances: Vec::new(),
        pending_actions: BTreeMap::new(),
        log_seq: event.seq,
        memory_blob: String::new(),
        version: 0,
        host_user_id: created.host_user_id.clone(),
        phase: Phase::Lobby,
        turn_id: None,
        started_at: None,
        turn_opens_at: None,
        day_cutoff_at: None,
        timezone: created.timezone.clone(),
        cutoff_minute_of_day: created.cutoff_minute_of_day,
        max_real_days: created.max_real_days,
        seed_commit: created.seed_commit.clone(),
        rng_ver: created.rng_ver,
        rules_ver: created.rules_ver,
        winner_id: None,
        shard_count: created.shard_count,
        unknown: BTreeMap::new(),
    }
}
