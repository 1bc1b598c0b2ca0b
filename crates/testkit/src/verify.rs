//! The comparison after the last step: every table, every index, every stream, read in every way.

mod streams;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use monotable_engine::{
    Consistency, Database, DescribeTable, Direction, Expression, ListTables, Query,
    ReturnConsumedCapacity, Scan, Segment,
};
use monotable_expression::{KeyCondition, KeyTerm, KeyTest};
use monotable_types::Item;

use crate::compare::{Mismatch, same};
use crate::execute::execute;
use crate::operation::Operation;
use crate::oracle::{Index, Oracle, Part, Table, size_bytes};

/// Compares everything that can be read from the engine with the oracle.
pub(crate) fn verify(db: &Database, oracle: &Oracle) -> Result<(), Box<Mismatch>> {
    let names: Vec<String> = oracle.tables.keys().cloned().collect();
    let listed = db.list_tables(ListTables::default()).expect("tables can be listed");
    same(|| "the list of tables".to_owned(), &names, &listed.table_names)?;
    for (name, table) in &oracle.tables {
        describes(db, name, table)?;
        for index in [None].into_iter().chain(table.indexes.iter().map(Some)) {
            scans(db, name, table, index)?;
            queries(db, oracle, name, table, index)?;
        }
        streams::streams(db, name, table, oracle.now_ms)?;
    }
    let report = db.check().expect("the database can be checked");
    same(|| "problems that check() found".to_owned(), &Vec::new(), &report.problems)?;
    let items: usize = oracle.tables.values().map(|table| table.items.len()).sum();
    same(|| "items that check() counted".to_owned(), &(items as u64), &report.items)
}

/// The items that a table or index holds.
fn held(table: &Table, index: Option<&Index>) -> Vec<Item> {
    let all = table.items.values();
    all.filter_map(|item| index.map_or(Some(item.clone()), |index| table.entry(index, item)))
        .collect()
}

fn describes(db: &Database, name: &str, table: &Table) -> Result<(), Box<Mismatch>> {
    let described = db.describe_table(DescribeTable::new(name)).expect("it is there").table;
    let figures = |index| {
        let held = held(table, index);
        (held.len() as u64, held.iter().map(size_bytes).sum::<usize>() as u64)
    };
    let actual = (described.item_count, described.table_size_bytes);
    same(|| format!("items and bytes of {name}"), &figures(None), &actual)?;
    let global = described.global_secondary_indexes.iter();
    for described in global.chain(&described.local_secondary_indexes) {
        let index = table.indexes.iter().find(|index| index.name == described.index_name);
        let actual = (described.item_count, described.index_size_bytes);
        let at = || format!("items and bytes of {name} {}", described.index_name);
        same(at, &figures(index), &actual)?;
    }
    Ok(())
}

/// Checks that pages of every size and segments of every number give the same items in one order,
/// in which partitions are contiguous and their items sorted; reading can continue after any key.
fn scans(
    db: &Database,
    name: &str,
    table: &Table,
    index: Option<&Index>,
) -> Result<(), Box<Mismatch>> {
    let index_name = index.map(|index| index.name.clone());
    let at = |what: &str| format!("{what} of {name} {index_name:?}");
    let scan = |limit, segment, exclusive_start_key| {
        let index_name = index_name.clone();
        let scan = Scan { index_name, limit, segment, exclusive_start_key, ..Scan::new(name) };
        let answer = execute(db, Operation::Scan(scan)).expect("a scan succeeds");
        answer.items.into_iter().map(|(_, item)| item.unwrap()).collect::<Vec<Item>>()
    };
    let all = scan(None, None, None);
    let sorted = |mut items: Vec<Item>| {
        items.sort_by_cached_key(|item| format!("{item:?}"));
        items
    };
    same(|| at("a scan"), &sorted(held(table, index)), &sorted(all.clone()))?;
    for limit in 1..=3 {
        same(|| at("a scan in pages"), &all, &scan(Some(limit), None, None))?;
    }
    for total_segments in [1, 3, 16] {
        let segment = Segment { segment: 0, total_segments };
        same(|| at("a scan in segments"), &all, &scan(Some(2), Some(segment), None))?;
    }
    let schema = index.unwrap_or(&table.key);
    let mut partitions: Vec<Vec<Part>> = Vec::new();
    let mut previous = None;
    for (position, item) in all.iter().enumerate() {
        let partition = table.place(schema.partition.iter(), item).unwrap();
        let place = table.place(schema.sort.iter().chain(table.key.names()), item).unwrap();
        if partitions.last() == Some(&partition) {
            assert!(previous < Some(place.clone()), "{}", at("the order within a partition"));
        } else {
            assert!(!partitions.contains(&partition), "{}", at("a partition in two parts"));
            partitions.push(partition);
        }
        previous = Some(place);
        if position % 3 == 0 {
            let keys = schema.names().chain(table.key.names());
            let key: Item = keys.map(|name| (name.clone(), item[name].clone())).collect();
            let rest = scan(Some(3), None, Some(key));
            same(|| at("a scan from a key"), &all[position + 1..].to_vec(), &rest)?;
        }
    }
    Ok(())
}

/// Checks every partition, in both directions, as a whole and in pages.
fn queries(
    db: &Database,
    oracle: &Oracle,
    name: &str,
    table: &Table,
    index: Option<&Index>,
) -> Result<(), Box<Mismatch>> {
    let schema = index.unwrap_or(&table.key);
    let mut conditions: BTreeMap<Vec<Part>, KeyCondition> = BTreeMap::new();
    for item in held(table, index) {
        let term = |name: &String| KeyTerm {
            attribute: name.clone(),
            test: KeyTest::Eq(item[name].clone()),
        };
        let condition = KeyCondition { terms: schema.partition.iter().map(term).collect() };
        conditions.insert(table.place(schema.partition.iter(), &item).unwrap(), condition);
    }
    for condition in conditions.into_values() {
        for direction in [Direction::Forward, Direction::Backward] {
            for limit in [None, Some(1), Some(2)] {
                let mut query = Query {
                    index_name: index.map(|index| index.name.clone()),
                    key_condition: Some(Expression::Tree(condition.clone())),
                    direction,
                    limit,
                    consistency: Consistency::Eventual,
                    return_consumed_capacity: ReturnConsumedCapacity::Indexes,
                    ..Query::new(name)
                };
                loop {
                    let expected = oracle.query(&query);
                    let actual = execute(db, Operation::Query(query.clone()));
                    same(|| format!("at the end: {query:?}"), &expected, &actual)?;
                    query.exclusive_start_key =
                        expected.ok().and_then(|page| page.last_evaluated_key);
                    if query.exclusive_start_key.is_none() {
                        break;
                    }
                }
            }
        }
    }
    Ok(())
}
