//! Whether a match is over, and the final ranks.

use std::cmp::Reverse;

use super::arena::Arena;
use crate::rules::events::{EndReason, Placing, Rank};
use crate::rules::state::MatchState;
use crate::table::TributeId;

/// Returns all ranks, if the match is over. `before` is the match before the turn.
pub(super) fn placing(
    arena: &mut Arena<'_>,
    before: &MatchState,
    is_last_turn: bool,
) -> Option<Placing> {
    let living = arena.state.living_ids();
    let (reason, best) = match living.as_slice() {
        [] => (EndReason::LastStand, vec![(last_stand(arena, before)?, None)]),
        [winner] => (EndReason::Victory, vec![(winner.clone(), None)]),
        _ if is_last_turn => (EndReason::Finale, finale(arena, living)),
        _ => return None,
    };
    Some(places(arena, reason, best))
}

/// No tribute is left: the strongest before the turn wins; ties are decided by lot.
fn last_stand(arena: &mut Arena<'_>, before: &MatchState) -> Option<TributeId> {
    let hp = before.living().map(|tribute| tribute.hp).max()?;
    let mut strongest: Vec<_> =
        before.living().filter(|one| one.hp == hp).map(|one| one.id.clone()).collect();
    strongest.sort();
    arena.rng.pick(&strongest).cloned()
}

/// Ranks the living tributes after the last day: by ten points per hit point, combat, wits and a die of twenty sides.
/// Ties are ranked in the order of acting.
fn finale(arena: &mut Arena<'_>, living: Vec<TributeId>) -> Vec<(TributeId, Option<u32>)> {
    let mut scored: Vec<_> = living
        .into_iter()
        .map(|id| {
            let stats = arena.stats(&id);
            let hp = arena.state.tribute(&id).map_or(0, |tribute| tribute.hp);
            let skill = u32::from(stats.combat) + u32::from(stats.wits);
            let score = hp * 10 + skill + arena.rng.die(20);
            (id, Some(score))
        })
        .collect();
    let turn = |id: &TributeId| arena.order.iter().position(|one| one == id);
    scored.sort_by_key(|(id, score)| (Reverse(*score), turn(id)));
    scored
}

/// Returns the best tribute first, then the others: later deaths rank higher.
fn places(arena: &Arena<'_>, reason: EndReason, best: Vec<(TributeId, Option<u32>)>) -> Placing {
    let is_rest = |id: &TributeId| best.iter().all(|(other, _)| other != id);
    let mut rest: Vec<_> =
        arena.state.roster.iter().filter(|tribute| is_rest(&tribute.id)).collect();
    rest.sort_by_key(|tribute| tribute.rank);
    let rest = rest.into_iter().map(|tribute| (tribute.id.clone(), None));
    let winner_id = best.first().map(|(id, _)| id.clone());
    let ranking = (1..)
        .zip(best.clone().into_iter().chain(rest))
        .map(|(rank, (tribute_id, score))| Rank { tribute_id, rank, score })
        .collect();
    Placing { reason, winner_id, ranking }
}
