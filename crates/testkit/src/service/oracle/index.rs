//! The index oracle: each query of an index returns what a scan of the table, filtered in memory, returns.

use std::collections::{BTreeMap, BTreeSet};

use monotable::dynamodb::Query;
use monotable::{AttributeValue, Item};

use crate::service::{Subject, World};

/// Returns every partition of an index whose query differs from a scan, with both results.
pub fn index_differences<S: Subject>(world: &World<S>) -> Vec<String> {
    let rows = world.rows();
    let mut wrong = Vec::new();
    for index in World::<S>::meta().indexes {
        let [partition_key] = index.partition else { continue };
        let sort_key = index.sort.first().copied();
        let mut expected: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let is_in = |row: &&Item| sort_key.is_none_or(|name| row.contains_key(name));
        for row in rows.iter().filter(is_in) {
            if let Some(value) = row.get(*partition_key).and_then(AttributeValue::as_s) {
                expected.entry(value).or_default().insert(format!("{row:?}"));
            }
        }
        for (value, expected) in expected {
            let found = query(world, index.name, partition_key, value);
            let sorted = sort_key.is_none_or(|name| is_sorted(&found, name));
            let found: BTreeSet<String> = found.iter().map(|row| format!("{row:?}")).collect();
            if found != expected || !sorted {
                let name = index.name;
                wrong.push(format!("{name} {value}: found {found:#?}, stored {expected:#?}"));
            }
        }
    }
    wrong
}

fn query<S: Subject>(world: &World<S>, index: &str, key: &str, value: &str) -> Vec<Item> {
    let first = Query::new(&world.table)
        .index(index)
        .key_condition("#key = :value")
        .name("#key", key)
        .value(":value", value);
    let (mut rows, mut next) = (Vec::new(), Some(first.clone()));
    while let Some(query) = next {
        let page = world.database.query(query).expect("a query");
        rows.extend(page.items.iter().map(|row| row.to_item()));
        next = page.last_evaluated_key.map(|last| first.clone().exclusive_start_key(last));
    }
    rows
}

fn is_sorted(rows: &[Item], name: &str) -> bool {
    let text = |row: &Item| row.get(name).and_then(AttributeValue::as_s).map(str::to_owned);
    rows.is_sorted_by_key(text)
}
