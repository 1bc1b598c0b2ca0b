//! The expected contents of the table after an operation, and whether what was found after a crash
//! is possible.

use std::collections::BTreeMap;

use monotable_types::{AttributeValue, Item};

use super::workload::{Key, Operation, Placing, key_item, key_of};
use super::{Failure, Outcome, ensure};

/// Items by their keys.
pub type Items = BTreeMap<Key, Item>;

/// Applies the operation to a thread's own items (counters are shared).
pub fn apply(operation: &Operation, items: &mut Items) {
    match operation {
        Operation::Put(item) => put(items, item),
        Operation::Update { key, writer, body, placing } => {
            let item = items.entry(key.clone()).or_insert_with(|| key_item(key));
            update(item, writer, body, placing);
        }
        Operation::Delete(key) => drop(items.remove(key)),
        Operation::Count(_) => {}
        Operation::Transact { puts, .. } => puts.iter().for_each(|item| put(items, item)),
        Operation::Batch { puts, deletes } => {
            puts.iter().for_each(|item| put(items, item));
            deletes.iter().for_each(|key| drop(items.remove(key)));
        }
    }
}

fn put(items: &mut Items, item: &Item) {
    items.insert(key_of(item), item.clone());
}

fn update(item: &mut Item, writer: &str, body: &str, placing: &Placing) {
    item.insert("writer".into(), writer.into());
    item.insert("body".into(), body.into());
    let changes = number(item, "changes");
    item.insert("changes".into(), AttributeValue::from(changes + 1));
    match placing {
        Placing::Keep => {}
        Placing::Move { group, place } => {
            item.insert("group".into(), group.as_str().into());
            item.insert("place".into(), place.as_str().into());
        }
        Placing::Leave => {
            item.remove("group");
            item.remove("place");
        }
    }
}

/// Returns an integer in an item; 0 if there is none.
pub fn number(item: &Item, name: &str) -> u64 {
    item.get(name).and_then(AttributeValue::as_n).and_then(|number| number.to_u64()).unwrap_or(0)
}

/// Returns the counter that an operation adds 1 to.
pub fn counted(operation: &Operation) -> Option<u64> {
    match operation {
        Operation::Count(counter) | Operation::Transact { counter, .. } => Some(*counter),
        _ => None,
    }
}

/// Whether an operation of unknown outcome took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// It did.
    Yes,
    /// It did not.
    No,
    /// It can't be determined.
    Unknown,
}

/// Compares a thread's items with the expected ones: `acknowledged`, or those after the operation
/// with unknown result. Returns whether that one took effect.
pub fn settle(
    acknowledged: &Items,
    doubtful: Option<&Operation>,
    found: &Items,
) -> Outcome<Happened> {
    let Some(operation) = doubtful else {
        ensure!(found == acknowledged, "{}", difference(acknowledged, found));
        return Ok(Happened::No);
    };
    let mut after = acknowledged.clone();
    apply(operation, &mut after);
    if after == *acknowledged && found == acknowledged {
        return Ok(Happened::Unknown);
    }
    if found == acknowledged {
        return Ok(Happened::No);
    }
    if *found == after {
        return Ok(Happened::Yes);
    }
    if let Operation::Batch { .. } = operation {
        return settle_each(acknowledged, &after, found);
    }
    let missing = difference(acknowledged, found);
    let unfinished = difference(&after, found);
    Err(Failure::new(format!(
        "neither the acknowledged items ({missing}) nor those after {operation:?} ({unfinished})"
    )))
}

/// Checks that the writes of a batch are independent: each key is in its state before or after.
fn settle_each(before: &Items, after: &Items, found: &Items) -> Outcome<Happened> {
    for key in before.keys().chain(after.keys()).chain(found.keys()) {
        let item = found.get(key);
        ensure!(
            item == before.get(key) || item == after.get(key),
            "{key:?} is {item:?}, before a batch it was {:?}, after it {:?}",
            before.get(key),
            after.get(key)
        );
    }
    Ok(Happened::Unknown)
}

/// Returns the first few differences.
pub fn difference(expected: &Items, found: &Items) -> String {
    let keys = expected.keys().chain(found.keys().filter(|key| !expected.contains_key(*key)));
    let differences: Vec<String> = keys
        .filter(|key| expected.get(*key) != found.get(*key))
        .take(3)
        .map(|key| {
            let show = |items: &Items| items.get(key).map_or("nothing".to_owned(), brief);
            format!("{key:?}: expected {}, found {}", show(expected), show(found))
        })
        .collect();
    differences.join("; ")
}

/// Returns an item without the length of its body.
fn brief(item: &Item) -> String {
    let mut item = item.clone();
    if let Some(AttributeValue::S(body)) = item.get_mut("body") {
        *body = format!("{} x {}", body.len(), body.chars().next().unwrap_or(' '));
    }
    format!("{item:?}")
}

#[cfg(test)]
mod tests {
    use monotable_types::item;

    use super::*;

    fn items(entries: &[(&str, u64)]) -> Items {
        let item = |(sort, n): &(&str, u64)| item! { "PK" => "p", "SK" => *sort, "n" => *n };
        entries.iter().map(item).map(|item| (key_of(&item), item)).collect()
    }

    fn transaction() -> Operation {
        let puts = items(&[("a", 2), ("b", 2)]).into_values().collect();
        Operation::Transact { puts, counter: 0 }
    }

    #[test]
    fn a_transaction_is_settled_as_a_whole() {
        let before = items(&[("a", 1)]);
        let check =
            |found: &[(&str, u64)]| settle(&before, Some(&transaction()), &items(found)).ok();
        assert_eq!(check(&[("a", 1)]), Some(Happened::No));
        assert_eq!(check(&[("a", 2), ("b", 2)]), Some(Happened::Yes));
        assert_eq!(check(&[("a", 2)]), None, "half a transaction");
        assert_eq!(check(&[]), None, "a lost item");
    }

    #[test]
    fn the_writes_of_a_batch_are_settled_one_by_one() {
        let before = items(&[("a", 1), ("c", 1)]);
        let puts = items(&[("a", 2), ("b", 2)]).into_values().collect();
        let deletes = vec![("p".to_owned(), "c".to_owned())];
        let batch = Operation::Batch { puts, deletes };
        let check = |found: &[(&str, u64)]| settle(&before, Some(&batch), &items(found)).is_ok();
        assert!(check(&[("a", 2), ("c", 1)]));
        assert!(check(&[("a", 1), ("b", 2)]));
        assert!(!check(&[("a", 3), ("b", 2)]));
        assert!(!check(&[("b", 2)]), "an item that was neither deleted nor replaced is lost");
    }

    #[test]
    fn without_doubt_everything_acknowledged_is_there_and_nothing_else() {
        let acknowledged = items(&[("a", 1)]);
        assert!(settle(&acknowledged, None, &acknowledged).is_ok());
        assert!(settle(&acknowledged, None, &items(&[])).is_err());
        assert!(settle(&acknowledged, None, &items(&[("a", 1), ("b", 1)])).is_err());
    }
}
