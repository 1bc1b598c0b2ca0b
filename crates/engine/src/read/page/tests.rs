//! How much a page contains when a local index fetches from its table.

use monotable_types::{Item, Projection, item};

use crate::{
    CreateTable, Database, IndexDefinition, PutItem, Query, QueryOutput, ReturnConsumedCapacity,
    Scan, Select,
};

const ITEMS: u32 = 7;

/// Seven items of some 300 KB in one partition, and a local index that shows their keys.
fn league() -> Database {
    let db = Database::memory();
    let table = CreateTable::new("league")
        .partition_key("PK", "S")
        .and_then(|table| table.sort_key("SK", "N"))
        .and_then(|table| table.attribute("score", "N"))
        .unwrap();
    let by_score = IndexDefinition::new("by-score", &["PK"], &["score"]);
    db.create_table(table.local_index(by_score.projection(Projection::KeysOnly))).unwrap();
    for number in 0..ITEMS {
        let notes = "x".repeat(300 << 10);
        let item: Item = item! { "PK" => "A", "SK" => number, "score" => number, "notes" => notes };
        db.put_item(PutItem::new("league", item)).unwrap();
    }
    db
}

fn query() -> Query {
    Query::new("league").index("by-score").key_condition("PK = :team").value(":team", "A")
}

/// Reads all pages: how many items are on each.
fn pages(mut read: impl FnMut(Option<Item>) -> QueryOutput) -> Vec<u32> {
    let mut counts = Vec::new();
    let mut start = None;
    loop {
        let page = read(start.take());
        counts.push(page.scanned_count);
        start = page.last_evaluated_key;
        if start.is_none() {
            return counts;
        }
    }
}

#[test]
fn what_is_fetched_counts_towards_the_page() {
    let db = league();
    for wanted in [query().projection("notes"), query().select(Select::AllAttributes)] {
        let read =
            |start| db.query(Query { exclusive_start_key: start, ..wanted.clone() }).unwrap();
        assert_eq!(pages(read), [4, 3]);
    }
    let scan = Scan::new("league").index("by-score").projection("notes");
    let read = |start| db.scan(Scan { exclusive_start_key: start, ..scan.clone() }).unwrap();
    assert_eq!(pages(read), [4, 3]);
}

#[test]
fn what_is_not_fetched_does_not() {
    let db = league();
    for wanted in [query(), query().projection("score"), query().select(Select::Count)] {
        assert_eq!(db.query(wanted).unwrap().scanned_count, ITEMS);
    }
}

#[test]
fn the_table_is_charged_for_whole_items_and_the_index_for_its_entries() {
    let wanted =
        query().projection("notes").return_consumed_capacity(ReturnConsumedCapacity::Indexes);
    let consumed = league().query(wanted).unwrap().consumed_capacity.unwrap();
    // Four items of 76 blocks of 4 KB and four entries within one, eventually consistent.
    assert_eq!(consumed.table.unwrap().read_units, 4.0 * 76.0 / 2.0);
    assert_eq!(consumed.local_indexes["by-score"].read_units, 0.5);
}
