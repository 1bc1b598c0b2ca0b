//! Attacks on other tributes.

use super::arena::Arena;
use super::loot;
use crate::rules::events::{Cause, Cost, EventBody, FoldError, Outcome};
use crate::rules::state::ActionKind;
use crate::table::TributeId;

const HIDE_BONUS: u32 = 4;
const COUNTER_FROM: u32 = 8;

/// Attacks the target, or any tribute that is not an ally if the target is gone. A hunter attacks
/// an ally only if no other tribute is left.
pub(super) fn hunt(
    arena: &mut Arena<'_>,
    id: &TributeId,
    target: Option<TributeId>,
) -> Result<(), FoldError> {
    let Some(target_id) = prey(arena, id, target) else {
        arena.outcomes.push(Outcome::NoPrey { tribute_id: id.clone() });
        return Ok(());
    };
    betray(arena, id, &target_id)?;
    let weapon = loot::weapon(arena, id).cloned();
    let power = weapon.as_ref().map_or(0, |weapon| u32::from(weapon.power));
    let (own, theirs) = (arena.stats(id), arena.stats(&target_id));
    let hide = if arena.does(&target_id, ActionKind::Hide) { HIDE_BONUS } else { 0 };
    let (attack, defence) = (arena.rng.die(20), arena.rng.die(20));
    let attack_sum = attack + u32::from(own.combat) + power;
    let defence_sum = defence + u32::from(theirs.stealth) + hide;
    if let Some(weapon) = weapon {
        let costs =
            vec![Cost { item_id: weapon.id, durability: weapon.durability.saturating_sub(1) }];
        arena.emit(EventBody::ItemUsed { tribute_id: id.clone(), costs })?;
    }
    let tribute_id = id.clone();
    if attack_sum > defence_sum {
        let damage = arena.rng.die(6) + u32::from(own.combat / 3);
        arena.wound(&target_id, damage);
        arena.outcomes.push(Outcome::Hit {
            tribute_id,
            target_id: target_id.clone(),
            attack,
            defence,
            damage,
        });
        return arena.bury_if_spent(&target_id, Cause::Hunt, Some(id));
    }
    if defence_sum - attack_sum < COUNTER_FROM {
        arena.outcomes.push(Outcome::Missed { tribute_id, target_id, attack, defence });
        return Ok(());
    }
    let damage = arena.rng.die(6);
    arena.wound(id, damage);
    let by = target_id.clone();
    arena.outcomes.push(Outcome::Countered { tribute_id, target_id, attack, defence, damage });
    arena.bury_if_spent(id, Cause::Counter, Some(&by))
}

fn prey(arena: &mut Arena<'_>, id: &TributeId, target: Option<TributeId>) -> Option<TributeId> {
    if let Some(target) = target.filter(|target| target != id && arena.is_alive(target)) {
        return Some(target);
    }
    let mut others = arena.others(id, |other| !arena.state.are_allies(id, &other.id));
    if others.is_empty() {
        others = arena.others(id, |_| true);
    }
    arena.rng.pick(&others).cloned()
}

/// An attack on an ally ends the alliance before the first blow.
fn betray(arena: &mut Arena<'_>, id: &TributeId, target_id: &TributeId) -> Result<(), FoldError> {
    if !arena.state.are_allies(id, target_id) {
        return Ok(());
    }
    let alliance = arena.state.tribute(id).and_then(|tribute| tribute.alliance_id.clone());
    let Some(alliance_id) = alliance else { return Ok(()) };
    let (by, against) = (id.clone(), target_id.clone());
    arena.emit(EventBody::AllianceBroken { alliance_id, by, against })
}
