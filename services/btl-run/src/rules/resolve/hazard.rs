//! The dangers of the arena: hazards from the second half of a match on, and dysentery.

use super::arena::Arena;
use crate::rules::events::{Cause, EventBody, FoldError, HitPoints};
use crate::rules::state::{ActionKind, MatchState};

/// The number of tributes out of ten thousand that die of dysentery per day.
const DYSENTERY_IN_10_000: u32 = 5;

/// Returns how bad the hazard of the day is: 0 for none. It grows by one a day after three fifths of the days.
#[must_use]
pub fn hazard_level(state: &MatchState) -> u32 {
    state.day.saturating_sub((3 * state.max_days).div_ceil(5))
}

/// The result of the hazard.
pub(super) struct Struck {
    level: u32,
    hits: Vec<HitPoints>,
}

/// Rolls for all tributes, sorted by id. All are struck at the same moment, so deaths are handled
/// later.
pub(super) fn strike(arena: &mut Arena<'_>) -> Struck {
    let level = hazard_level(&arena.state);
    let mut hits = Vec::new();
    if level > 0 {
        for id in arena.order.clone() {
            if arena.rng.die(6) > level {
                continue;
            }
            let damage = if arena.does(&id, ActionKind::Hide) { level / 2 } else { level };
            arena.wound(&id, damage);
            hits.push(HitPoints { tribute_id: id, hp: damage });
        }
    }
    Struck { level, hits }
}

/// Marks those killed by the hazard as dead, in the order in which they would have acted.
pub(super) fn bury_the_struck(arena: &mut Arena<'_>, struck: Struck) -> Result<(), FoldError> {
    if struck.hits.is_empty() {
        return Ok(());
    }
    arena.emit(EventBody::Hazard { level: struck.level, hits: struck.hits })?;
    for id in arena.order.clone() {
        arena.bury_if_spent(&id, Cause::Hazard, None)?;
    }
    Ok(())
}

/// From the second day on, any tribute can die at the end of a day, in the order of acting.
pub(super) fn dysentery(arena: &mut Arena<'_>) -> Result<(), FoldError> {
    if arena.state.day < 2 || arena.living_count() < 2 {
        return Ok(());
    }
    for id in arena.order.clone() {
        if arena.is_alive(&id) && arena.rng.below(10_000) < DYSENTERY_IN_10_000 {
            arena.wound(&id, u32::MAX);
            arena.bury_if_spent(&id, Cause::Dysentery, None)?;
        }
    }
    Ok(())
}
