//! The action of each tribute, in the drawn order.

use super::arena::Arena;
use super::{alliance, hunt, loot};
use crate::rules::events::{Cause, FoldError, Outcome, Source};
use crate::rules::state::ActionKind;
use crate::table::TributeId;

const SCAVENGE_AT_LEAST: u32 = 14;
const EXPLORE_AT_LEAST: u32 = 12;
const TRAP_AT_MOST: u32 = 4;
const TRAP_DAMAGE: u32 = 2;
const REST_POINTS: u32 = 2;

/// Lets all living tributes act. The last one alive has won and does not act any more.
pub(super) fn act_in_order(arena: &mut Arena<'_>) -> Result<(), FoldError> {
    for id in arena.order.clone() {
        if arena.living_count() < 2 {
            break;
        }
        if arena.is_alive(&id) {
            act(arena, &id)?;
        }
    }
    Ok(())
}

fn act(arena: &mut Arena<'_>, id: &TributeId) -> Result<(), FoldError> {
    let Some(taken) = arena.actions.get(id) else { return Ok(()) };
    let (kind, target) = (taken.action.action, taken.action.target_id.clone());
    let tribute_id = id.clone();
    let outcome = match kind {
        ActionKind::Rest => {
            let points = REST_POINTS + u32::from(arena.stats(id).vitality / 4);
            Outcome::Rested { tribute_id, healed: arena.heal(id, points) }
        }
        // Hiding tributes are hard to hit during the whole turn: see the hunt.
        ActionKind::Hide => Outcome::Hid { tribute_id },
        ActionKind::Scavenge => scavenge(arena, id)?,
        ActionKind::Explore => return explore(arena, id),
        ActionKind::Craft => Outcome::Crafted { tribute_id, made: loot::craft(arena, id)? },
        ActionKind::SeekAlliance => alliance::seek(arena, id, target)?,
        ActionKind::Hunt => return hunt::hunt(arena, id, target),
    };
    arena.outcomes.push(outcome);
    Ok(())
}

fn scavenge(arena: &mut Arena<'_>, id: &TributeId) -> Result<Outcome, FoldError> {
    let roll = arena.rng.die(20);
    let is_lucky = roll + u32::from(arena.stats(id).wits) >= SCAVENGE_AT_LEAST;
    let found = is_lucky && loot::find(arena, id, Source::Scavenge)?;
    Ok(Outcome::Scavenged { tribute_id: id.clone(), roll, found })
}

fn explore(arena: &mut Arena<'_>, id: &TributeId) -> Result<(), FoldError> {
    let roll = arena.rng.die(20);
    let tribute_id = id.clone();
    let outcome = match roll + u32::from(arena.stats(id).wits) {
        EXPLORE_AT_LEAST.. => match arena.rng.below(2) {
            0 => {
                if loot::find(arena, id, Source::Explore)? {
                    Outcome::ExploredToItem { tribute_id, roll }
                } else {
                    Outcome::ExploredInVain { tribute_id, roll }
                }
            }
            _ => Outcome::ExploredToRest { tribute_id, roll, healed: arena.heal(id, 1) },
        },
        ..=TRAP_AT_MOST => {
            arena.wound(id, TRAP_DAMAGE);
            Outcome::ExploredToTrap { tribute_id, roll, damage: TRAP_DAMAGE }
        }
        _ => Outcome::ExploredInVain { tribute_id, roll },
    };
    arena.outcomes.push(outcome);
    arena.bury_if_spent(id, Cause::Trap, None)
}
