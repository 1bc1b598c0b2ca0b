//! Items: what can be found, and what can be crafted.

use super::arena::Arena;
use crate::rules::events::{Cost, EventBody, FoldError, Source};
use crate::rules::state::Item;
use crate::table::{TributeId, TurnId};

const DURABILITY_MAX: u8 = 3;

/// The items to find, with their bonus for attacks.
const FINDS: [(&str, u8); 12] = [
    ("rusty knife", 1),
    ("slingshot", 1),
    ("sharpened stake", 1),
    ("iron skillet", 1),
    ("hatchet", 2),
    ("spear", 2),
    ("short bow", 2),
    ("machete", 3),
    ("coil of rope", 0),
    ("roll of cloth", 0),
    ("tin of nails", 0),
    ("flint", 0),
];

/// The items to craft, with their bonus for attacks.
const WORKS: [(&str, u8); 4] =
    [("bolas", 2), ("nail club", 2), ("fire arrows", 3), ("barbed spear", 3)];

/// Gives a tribute a new item, if items are enabled and it can carry one more.
pub(super) fn find(
    arena: &mut Arena<'_>,
    id: &TributeId,
    source: Source,
) -> Result<bool, FoldError> {
    let slots = arena.state.rules.inventory_slots();
    let has_room = arena.state.tribute(id).is_some_and(|one| one.inventory.len() < slots);
    if !arena.state.rules.items || !has_room {
        return Ok(false);
    }
    let kind = arena.rng.below(FINDS.len() as u32);
    let durability = 1 + arena.rng.below(u32::from(DURABILITY_MAX)) as u8;
    let item = new_item(arena, FINDS[kind as usize], durability);
    arena.emit(EventBody::ItemGained { tribute_id: id.clone(), item, source })?;
    Ok(true)
}

/// Crafts one durable item from a tribute's two weakest.
pub(super) fn craft(arena: &mut Arena<'_>, id: &TributeId) -> Result<bool, FoldError> {
    let Some(tribute) = arena.state.tribute(id) else { return Ok(false) };
    if !arena.state.rules.crafting || tribute.inventory.len() < 2 {
        return Ok(false);
    }
    let mut items: Vec<_> = tribute.inventory.iter().collect();
    // The sort is stable: of equals, those that were found first go first.
    items.sort_by_key(|item| (item.power, item.durability));
    let cost = |item: &&Item| Cost { item_id: item.id.clone(), durability: 0 };
    let costs = items.iter().take(2).map(cost).collect();
    arena.emit(EventBody::ItemUsed { tribute_id: id.clone(), costs })?;
    let kind = arena.rng.below(WORKS.len() as u32);
    let item = new_item(arena, WORKS[kind as usize], DURABILITY_MAX);
    arena.emit(EventBody::ItemGained { tribute_id: id.clone(), item, source: Source::Craft })?;
    Ok(true)
}

fn new_item(arena: &mut Arena<'_>, (name, power): (&str, u8), durability: u8) -> Item {
    arena.item_count += 1;
    let id = format!("i-{}-{}", arena.turn_id, arena.item_count);
    Item { id, name: name.to_owned(), power, durability }
}

/// Returns a sponsor's item: it is not random, so a game master's gift can't be better or worse.
pub(crate) fn sponsored(turn_id: &TurnId, seq: u32) -> Item {
    let id = format!("s-{turn_id}-{seq}");
    Item { id, name: "sponsor's blade".to_owned(), power: 2, durability: DURABILITY_MAX }
}

/// Returns the weapon that a tribute hunts with: its strongest, the oldest among equals.
pub(super) fn weapon<'a>(arena: &'a Arena<'_>, id: &TributeId) -> Option<&'a Item> {
    let items = arena.state.tribute(id)?.inventory.iter();
    items.rev().filter(|item| item.power > 0).max_by_key(|item| item.power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::resolve::DOCUMENT;

    #[test]
    fn the_items_are_those_of_the_document() {
        for items in [&FINDS[..], &WORKS[..]] {
            for (place, (name, power)) in items.iter().enumerate() {
                let row = format!("| {place} | {name} | {power} |");
                assert!(DOCUMENT.contains(&row), "the document lacks {row}");
            }
        }
    }
}
