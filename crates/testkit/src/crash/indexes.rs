//! The indexes as readers see them: every partition of the table and of its indexes, queried,
//! returns exactly the items that belong there, in order.

use std::collections::BTreeMap;

use monotable_engine::Database;
use monotable_types::{AttributeValue, Item};

use super::model::Items;
use super::workload::{BY_GRADE, BY_GROUP};
use super::{Outcome, ensure, request};

/// One way to read the table.
struct Access {
    index: Option<&'static str>,
    partition: &'static str,
    sort: &'static str,
    /// The attributes that are returned; `None` for all.
    shows: Option<&'static [&'static str]>,
}

const ACCESSES: [Access; 3] = [
    Access { index: None, partition: "PK", sort: "SK", shows: None },
    Access { index: Some(BY_GROUP), partition: "group", sort: "place", shows: None },
    Access {
        index: Some(BY_GRADE),
        partition: "grade",
        sort: "rank",
        shows: Some(&["PK", "SK", "grade", "rank"]),
    },
];

/// Queries everything and compares it with the items of a scan.
pub(crate) fn verify(database: &Database, items: &Items) -> Outcome {
    for access in &ACCESSES {
        for (partition, expected) in expected(access, items) {
            let found = request::query(database, access.index, access.partition, &partition)?;
            let place = format!("{} {partition}", access.index.unwrap_or("table"));
            ensure!(is_ordered(&found, access.sort), "{place} is out of order");
            ensure!(
                sorted(found) == expected,
                "a query of {place} gives other items than a scan of the table"
            );
        }
    }
    Ok(())
}

/// Returns the expected items of each partition. Partitions without items are included: their rows
/// must not exist any more.
fn expected(access: &Access, items: &Items) -> BTreeMap<String, Vec<Item>> {
    let empty = (0..10).map(|number| match access.partition {
        "PK" => format!("PART#{number}"),
        "group" => format!("GROUP#{number}"),
        _ => format!("GRADE#{number}"),
    });
    let mut partitions: BTreeMap<String, Vec<Item>> =
        empty.map(|partition| (partition, Vec::new())).collect();
    for item in items.values().filter(|item| item.contains_key(access.sort)) {
        if let Some(partition) = item.get(access.partition).and_then(AttributeValue::as_s) {
            partitions.entry(partition.to_owned()).or_default().push(shown(access, item));
        }
    }
    partitions.into_iter().map(|(partition, items)| (partition, sorted(items))).collect()
}

fn shown(access: &Access, item: &Item) -> Item {
    let is_shown = |name: &str| access.shows.is_none_or(|names| names.contains(&name));
    item.iter()
        .filter(|(name, _)| is_shown(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// In our own order: items with equal index keys may come in any order.
fn sorted(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_key(super::workload::key_of);
    items
}

fn is_ordered(items: &[Item], sort: &str) -> bool {
    let text = |item: &Item| item.get(sort).and_then(|value| value.as_s().map(str::to_owned));
    let number = |item: &Item| item.get(sort).and_then(|value| value.as_n().copied());
    items.is_sorted_by_key(|item| (text(item), number(item)))
}
