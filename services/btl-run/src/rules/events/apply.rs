//! The effect of each event on the state of a match.

use super::{EventBody, FoldError, Injection, Placing, TurnOpening, TurnResolved};
use crate::rules::state::{Alliance, MatchState, Phase, Status, Tribute};
use crate::table::{AllianceId, TributeId};

/// Applies a body to the state. Turns are resolved on a copy of the state with this same function,
/// so that a replay can't have another result.
pub(crate) fn apply(state: &mut MatchState, body: &EventBody) -> Result<(), FoldError> {
    match body {
        EventBody::MatchCreated(_)
        | EventBody::Hazard { .. }
        | EventBody::GmAnnouncement { .. }
        | EventBody::GmEventInjected(Injection::ItemDrop { .. } | Injection::Weather { .. }) => {}
        EventBody::TributeJoined { tribute, replaces } => {
            let is_replaced = |one: &Tribute| Some(&one.id) == replaces.as_ref();
            match state.roster.iter().position(is_replaced) {
                Some(place) => state.roster[place] = (**tribute).clone(),
                None => state.roster.push((**tribute).clone()),
            }
        }
        EventBody::TributeLeft { tribute_id, .. } => {
            state.roster.retain(|tribute| tribute.id != *tribute_id);
        }
        EventBody::MatchStarted(opening) => {
            state.status = Status::Active;
            open(state, opening);
        }
        EventBody::TributeActionSubmitted { tribute_id, action } => {
            state.pending_actions.insert(tribute_id.clone(), action.clone());
        }
        EventBody::TurnResolved(resolved) => resolve(state, resolved)?,
        EventBody::TributeDied { tribute_id, killed_by, rank, .. } => {
            bury(state, tribute_id, killed_by.as_ref(), *rank)?;
        }
        EventBody::AllianceFormed { alliance_id, members } => ally(state, alliance_id, members)?,
        EventBody::AllianceBroken { alliance_id, .. } => part(state, alliance_id),
        EventBody::ItemGained { tribute_id, item, .. }
        | EventBody::SponsorDrop { tribute_id, item } => {
            known(state, tribute_id)?.inventory.push(item.clone());
        }
        EventBody::ItemUsed { tribute_id, costs } => {
            for cost in costs {
                wear(state, tribute_id, &cost.item_id, cost.durability)?;
            }
        }
        EventBody::RulesChanged { rules } => state.rules = *rules,
        EventBody::GmEventInjected(Injection::Hazard { hp, .. }) => {
            for left in hp {
                known(state, &left.tribute_id)?.hp = left.hp;
            }
        }
        EventBody::NarrationAttached(story) => {
            if let Some(memory) = &story.memory {
                state.memory_blob.clone_from(memory);
            }
        }
        EventBody::MatchEnded(placing) => end(state, placing)?,
    }
    Ok(())
}

fn known<'a>(state: &'a mut MatchState, id: &TributeId) -> Result<&'a mut Tribute, FoldError> {
    state.tribute_mut(id).ok_or_else(|| FoldError::UnknownTribute(id.clone()))
}

fn open(state: &mut MatchState, opening: &TurnOpening) {
    state.phase = Phase::Collecting;
    state.day = opening.day;
    state.turn = opening.turn;
    state.turn_id = Some(opening.turn_id.clone());
    state.turn_opens_at = Some(opening.opens_at);
    state.day_cutoff_at = opening.cutoff_at;
}

fn resolve(state: &mut MatchState, resolved: &TurnResolved) -> Result<(), FoldError> {
    for body in &resolved.merged {
        apply(state, body)?;
    }
    for left in &resolved.hp {
        known(state, &left.tribute_id)?.hp = left.hp;
    }
    state.pending_actions.clear();
    if let Some(next) = &resolved.next {
        open(state, next);
    }
    Ok(())
}

fn bury(
    state: &mut MatchState,
    id: &TributeId,
    killed_by: Option<&TributeId>,
    rank: u32,
) -> Result<(), FoldError> {
    let turn_id = state.turn_id.clone();
    let tribute = known(state, id)?;
    tribute.alive = false;
    tribute.hp = 0;
    tribute.rank = Some(rank);
    tribute.killed_by = killed_by.cloned();
    tribute.died_turn = turn_id;
    let Some(alliance_id) = tribute.alliance_id.take() else { return Ok(()) };
    let alliance = state.alliances.iter_mut().find(|alliance| alliance.id == alliance_id);
    if let Some(alliance) = alliance {
        alliance.members.retain(|member| member != id);
        if alliance.members.len() < 2 {
            part(state, &alliance_id);
        }
    }
    Ok(())
}

fn ally(state: &mut MatchState, id: &AllianceId, members: &[TributeId]) -> Result<(), FoldError> {
    for member in members {
        known(state, member)?.alliance_id = Some(id.clone());
    }
    match state.alliances.iter_mut().find(|alliance| alliance.id == *id) {
        Some(alliance) => alliance.members = members.to_vec(),
        None => state.alliances.push(Alliance { id: id.clone(), members: members.to_vec() }),
    }
    Ok(())
}

fn part(state: &mut MatchState, id: &AllianceId) {
    state.alliances.retain(|alliance| alliance.id != *id);
    for tribute in &mut state.roster {
        tribute.alliance_id.take_if(|alliance| alliance == id);
    }
}

fn wear(
    state: &mut MatchState,
    id: &TributeId,
    item_id: &str,
    durability: u8,
) -> Result<(), FoldError> {
    let tribute = known(state, id)?;
    let place = tribute.inventory.iter().position(|item| item.id == item_id);
    let place = place.ok_or_else(|| FoldError::UnknownItem(id.clone(), item_id.to_owned()))?;
    match durability {
        0 => drop(tribute.inventory.remove(place)),
        _ => tribute.inventory[place].durability = durability,
    }
    Ok(())
}

fn end(state: &mut MatchState, placing: &Placing) -> Result<(), FoldError> {
    for place in &placing.ranking {
        known(state, &place.tribute_id)?.rank = Some(place.rank);
    }
    state.status = Status::Ended;
    state.phase = Phase::Ended;
    state.winner_id.clone_from(&placing.winner_id);
    state.turn_id = None;
    state.day_cutoff_at = None;
    state.pending_actions.clear();
    Ok(())
}
