//! The actions of tributes without a choice.

use super::arena::Arena;
use crate::rules::events::{TakenAction, Who};
use crate::rules::rng::Rng;
use crate::rules::state::{Action, ActionKind, MatchState, Playstyle, Tribute, TributeKind};
use crate::table::TributeId;

/// How likely each style makes each action; a column that the rules forbid counts as 0.
const WEIGHTS: [(ActionKind, [u32; 4]); 7] = [
    // aggressive, cautious, social, balanced
    (ActionKind::Scavenge, [2, 3, 2, 3]),
    (ActionKind::Hide, [1, 4, 1, 2]),
    (ActionKind::SeekAlliance, [0, 1, 5, 2]),
    (ActionKind::Hunt, [6, 1, 2, 3]),
    (ActionKind::Craft, [1, 1, 1, 1]),
    (ActionKind::Explore, [1, 1, 1, 2]),
    (ActionKind::Rest, [1, 3, 1, 2]),
];

/// Gives every living tribute its action for this turn, in the order of ids.
pub(super) fn choose_actions(arena: &mut Arena<'_>) {
    let is_last_day = arena.state.day >= arena.state.max_days;
    for id in arena.order.clone() {
        let (action, decided_by) = match arena.state.pending_actions.get(&id) {
            Some(action) => (action.clone(), Who::Player),
            None => (Action::plain(by_policy(&arena.state, &id, &mut arena.rng)), Who::Policy),
        };
        let (action, decided_by) = if is_last_day && action.action != ActionKind::Hunt {
            (Action { target_id: None, action: ActionKind::Hunt, ..action }, Who::LastDay)
        } else {
            (action, decided_by)
        };
        arena.actions.insert(id.clone(), TakenAction { tribute_id: id, action, decided_by });
    }
}

fn by_policy(state: &MatchState, id: &TributeId, rng: &mut Rng) -> ActionKind {
    match state.tribute(id).and_then(|tribute| Some((tribute, style_of(tribute)?))) {
        Some((tribute, style)) => weighted(state, tribute, style, rng),
        None => match rng.below(2) {
            0 => ActionKind::Hide,
            _ => ActionKind::Rest,
        },
    }
}

/// Returns the style of a tribute: its own, else its persona's where the service plays it.
pub(crate) fn style_of(tribute: &Tribute) -> Option<Playstyle> {
    tribute.playstyle.or(match tribute.kind {
        TributeKind::Human => None,
        TributeKind::Ai | TributeKind::Hybrid => Some(match tribute.persona.archetype.as_str() {
            "warrior" | "hunter" | "brute" => Playstyle::Aggressive,
            "survivor" | "scholar" | "scout" | "coward" => Playstyle::Cautious,
            "diplomat" | "trickster" | "leader" => Playstyle::Social,
            _ => Playstyle::Balanced,
        }),
    })
}

fn weighted(state: &MatchState, tribute: &Tribute, style: Playstyle, rng: &mut Rng) -> ActionKind {
    let column = match style {
        Playstyle::Aggressive => 0,
        Playstyle::Cautious => 1,
        Playstyle::Social => 2,
        Playstyle::Balanced => 3,
    };
    let can = |kind| match kind {
        ActionKind::Scavenge => state.rules.items,
        ActionKind::Craft => state.rules.crafting && tribute.inventory.len() >= 2,
        ActionKind::SeekAlliance => state.alliance_members_max() >= 2,
        ActionKind::Hide | ActionKind::Hunt | ActionKind::Explore | ActionKind::Rest => true,
    };
    let possible = WEIGHTS.iter().filter(|(kind, _)| can(*kind));
    let weights: Vec<_> = possible.map(|(kind, weights)| (*kind, weights[column])).collect();
    let mut left = rng.below(weights.iter().map(|(_, weight)| weight).sum());
    for (kind, weight) in weights {
        if left < weight {
            return kind;
        }
        left -= weight;
    }
    ActionKind::Rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::resolve::DOCUMENT;

    #[test]
    fn the_weights_are_those_of_the_document() {
        for (kind, [aggressive, cautious, social, balanced]) in WEIGHTS {
            let name = serde_json::to_value(kind).unwrap();
            let name = name.as_str().unwrap();
            let row = format!("| `{name}` | {aggressive} | {cautious} | {social} | {balanced} |");
            assert!(DOCUMENT.contains(&row), "the document lacks {row}");
        }
    }
}
