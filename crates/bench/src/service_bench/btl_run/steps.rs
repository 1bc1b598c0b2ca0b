//! Which events of a log were written together, and what else was with them.

use monotable_btl_run::rules::events::{Event, EventBody};

/// The events of one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The number of its first event.
    pub(super) first: u32,
    /// The number of its last event.
    pub(super) last: u32,
    /// When it was made.
    pub(super) at_ms: i64,
    /// The turn that it resolved.
    pub(super) resolved: Option<String>,
    /// The day that it was the last one of.
    pub(super) last_of_day: Option<u32>,
    pub(super) ends_match: bool,
}

/// Returns the transactions that a log was written by. Each was made at another time, because every
/// request moves the clock.
pub(super) fn steps(events: &[Event]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for together in events.chunk_by(|one, other| one.timestamp == other.timestamp) {
        let (Some(first), Some(last)) = (together.first(), together.last()) else { continue };
        if let Some(before) =
            steps.last_mut().filter(|before| before.last_of_day == Some(first.day))
        {
            before.last_of_day = None;
        }
        let is_resolution = |event: &&Event| matches!(event.body, EventBody::TurnResolved(_));
        let resolved = together.iter().find(is_resolution).and_then(|event| event.turn_id.clone());
        steps.push(Step {
            first: first.seq,
            last: last.seq,
            at_ms: first.timestamp,
            resolved: resolved.map(|turn_id| turn_id.to_string()),
            last_of_day: Some(first.day),
            ends_match: together.iter().any(|event| matches!(event.body, EventBody::MatchEnded(_))),
        });
    }
    steps
}
