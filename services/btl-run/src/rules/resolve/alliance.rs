//! Offers of an alliance.

use super::arena::Arena;
use crate::rules::events::{EventBody, FoldError, Outcome};
use crate::table::{AllianceId, TributeId};

const CHARM_AT_LEAST: u32 = 13;

/// Asks the target, or any tribute that is not an ally if the target is gone.
pub(super) fn seek(
    arena: &mut Arena<'_>,
    id: &TributeId,
    target: Option<TributeId>,
) -> Result<Outcome, FoldError> {
    let strangers = arena.others(id, |other| !arena.state.are_allies(id, &other.id));
    let target = match target.filter(|target| strangers.contains(target)) {
        Some(target) => Some(target),
        None => arena.rng.pick(&strangers).cloned(),
    };
    let roll = arena.rng.die(20);
    let is_won_over = roll + u32::from(arena.stats(id).charm) >= CHARM_AT_LEAST;
    let tribute_id = id.clone();
    let Some(target_id) = target else {
        return Ok(Outcome::Refused { tribute_id, target_id: None, roll });
    };
    let terms = if is_won_over { terms(arena, id, &target_id) } else { None };
    match terms {
        Some((alliance_id, members)) => {
            let formed = EventBody::AllianceFormed { alliance_id: alliance_id.clone(), members };
            arena.emit(formed)?;
            Ok(Outcome::Allied { tribute_id, target_id, roll, alliance_id })
        }
        None => Ok(Outcome::Refused { tribute_id, target_id: Some(target_id), roll }),
    }
}

/// Returns the common alliance, if neither has to leave another one and it is not full.
fn terms(
    arena: &mut Arena<'_>,
    id: &TributeId,
    target_id: &TributeId,
) -> Option<(AllianceId, Vec<TributeId>)> {
    let alliance = |id| arena.state.tribute(id).and_then(|one| one.alliance_id.clone());
    let (alliance_id, newcomer) = match (alliance(id), alliance(target_id)) {
        (Some(_), Some(_)) => return None,
        (Some(own), None) => (own, target_id),
        (None, Some(theirs)) => (theirs, id),
        (None, None) => {
            let members = vec![id.clone(), target_id.clone()];
            if members.len() > arena.state.alliance_members_max() {
                return None;
            }
            arena.alliance_count += 1;
            return Some((AllianceId::of(arena.turn_id, arena.alliance_count), members));
        }
    };
    let existing = arena.state.alliances.iter().find(|one| one.id == alliance_id)?;
    let mut members = existing.members.clone();
    members.push(newcomer.clone());
    (members.len() <= arena.state.alliance_members_max()).then_some((alliance_id, members))
}
