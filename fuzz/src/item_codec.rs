//! Stored items: any bytes decode to an item or an error, and every item survives.

use monotable_engine::fuzzing;
use monotable_types::{AttributeValue, item, list, map, set};

use crate::value::Reader;

/// Checks the bytes behind the first one, which says what they are: an encoded item, the recipe of
/// one, or the recipes of an item and of a part to put into it.
pub fn check(bytes: &[u8]) {
    let [choice, bytes @ ..] = bytes else { return };
    match choice % 3 {
        0 => fuzzing::item_bytes(bytes),
        1 => fuzzing::item_survives(&Reader(bytes).item()),
        _ => {
            let (item, part) = bytes.split_at(bytes.len() / 2);
            fuzzing::item_splices(&Reader(item).item(), &Reader(part).item());
        }
    }
}

/// Encoded items with every type, and a few recipes.
pub fn seeds() -> Vec<Vec<u8>> {
    let items = [
        item! {},
        item! { "a" => "text", "b" => 1, "c" => AttributeValue::B(vec![0, 255]) },
        item! { "a" => -15, "b" => true, "c" => false, "d" => AttributeValue::Null, "" => "" },
        item! { "a" => set!["x", "y"], "b" => set![1, 2], "c" => set![vec![1_u8], vec![2_u8]] },
        item! { "a" => list![1, list![], map! { "x" => list!["y"] }], "m" => map! { "" => 1 } },
    ];
    let encoded = items.iter().map(|item| [&[0], fuzzing::encoded_item(item).as_slice()].concat());
    let recipes = (0..10).map(|tag| vec![1, 1, b'a', tag, 3, 3, 65, 66, 67, 2, 1, 68]);
    let splices = (0..10).map(|tag| vec![2, 1, b'b', tag, 1, 67, 1, b'a', 0, 1, 66, 1, b'c', tag]);
    encoded.chain(recipes).chain(splices).collect()
}
