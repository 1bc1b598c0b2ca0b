//! Every kind of corruption is planted once, and found.

use std::sync::Arc;

use bytes::Bytes;
use monotable_types::{Item, item};

use super::{CheckReport, check};
use crate::commit::{Committer, Shared, Stage};
use crate::error::Result;
use crate::layout::row_key::{BASE_AREA, RowRange, area_prefix};
use crate::op::create_table::{CreateTable, IndexDefinition};
use crate::op::put_item::PutItem;
use crate::op::time_to_live::UpdateTimeToLive;
use crate::open;
use crate::options::Options;
use crate::store::Order;
use crate::stored::StoredItem;
use crate::stream;
use crate::table::{StreamViewType, Table};

struct World {
    shared: Arc<Shared>,
    committer: Committer,
}

impl World {
    /// Three players in an index, with an expiry each and a stream.
    fn new() -> Self {
        let shared = Arc::new(open::memory(Options::default()));
        let world = Self { committer: Committer::inline(Arc::clone(&shared)), shared };
        let table = CreateTable::new("league")
            .partition_key("PK", "S")
            .and_then(|table| table.attribute("team", "S"))
            .unwrap()
            .global_index(IndexDefinition::new("by-team", &["team"], &[]))
            .stream(StreamViewType::NewImage);
        world.run(|stage| table.run(stage)).unwrap();
        world.run(|stage| UpdateTimeToLive::enable("league", "ttl").run(stage)).unwrap();
        for name in ["ann", "bob", "cem"] {
            let put = PutItem::new("league", player(name));
            let job = put.prepare(&world.shared.newest().catalog).unwrap();
            world.run(job).unwrap();
        }
        world
    }

    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Stage<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.committer.run(work)
    }

    fn table(&self) -> Arc<Table> {
        Arc::clone(self.shared.newest().catalog.table("league").unwrap())
    }

    fn check(&self) -> CheckReport {
        check(&self.shared, &self.committer).unwrap()
    }
}

fn player(name: &str) -> Item {
    item! { "PK" => name, "team" => "reds", "ttl" => 2_000_000_000 }
}

/// The key of the first row of an area.
fn first_row(stage: &Stage<'_>, table: &Table, area: u16) -> Bytes {
    let range = RowRange::prefix(&area_prefix(table.id, area));
    stage.committed().range(&range, Order::Ascending).next().unwrap().unwrap().0.to_bytes()
}

/// Plants a corruption and expects exactly the problems it makes.
fn corrupted(plant: impl FnOnce(&mut Stage<'_>, &Table) + Send + 'static, expected: &[&str]) {
    let world = World::new();
    assert_eq!(world.check().problems, Vec::<String>::new());
    let table = world.table();
    world
        .run(move |stage| {
            plant(stage, &table);
            Ok(())
        })
        .unwrap();
    let report = world.check();
    assert_eq!(report.problem_count, expected.len() as u64, "{:#?}", report.problems);
    for (problem, part) in report.problems.iter().zip(expected) {
        assert!(problem.contains(part), "{problem} should say: {part}");
    }
}

fn put_item(stage: &mut Stage<'_>, row_key: Vec<u8>, item: &Item) {
    let stored = StoredItem::encode(item, monotable_types::item_size_bytes(item));
    stage.put(row_key, stored.bytes().clone());
}

#[test]
fn a_missing_index_entry_is_found() {
    corrupted(
        |stage, table| {
            let row = first_row(stage, table, table.indexes[0].area);
            stage.remove(row);
        },
        &["is missing from index by-team", "by-team should have 3 items"],
    );
}

#[test]
fn an_index_entry_of_no_item_is_found() {
    corrupted(
        |stage, table| {
            let ghost = item! { "PK" => "ghost", "team" => "reds" };
            let row_key = table.row_key(&ghost).unwrap();
            let row = table.index_row(&table.indexes[0], &ghost, &row_key).unwrap();
            stage.put(row.key, row.value.to_vec());
        },
        &["which is not there"],
    );
}

#[test]
fn an_index_entry_under_an_old_key_is_found() {
    corrupted(
        |stage, table| {
            let moved = item! { "PK" => "ann", "team" => "blues", "ttl" => 2_000_000_000 };
            let row_key = table.row_key(&moved).unwrap();
            let row = table.index_row(&table.indexes[0], &moved, &row_key).unwrap();
            stage.put(row.key, row.value.to_vec());
        },
        &["which no longer has its key"],
    );
}

#[test]
fn an_item_that_vanished_is_found() {
    corrupted(
        |stage, table| {
            let row = first_row(stage, table, BASE_AREA);
            stage.remove(row);
        },
        &[
            "which is not there",
            "the order of expiry has a row that no item has",
            "the table should have 3 items",
            "by-team should have 3 items",
        ],
    );
}

#[test]
fn an_item_that_came_from_nowhere_is_found() {
    corrupted(
        |stage, table| {
            let ghost = item! { "PK" => "ghost" };
            put_item(stage, table.row_key(&ghost).unwrap(), &ghost);
        },
        &["the table should have 3 items"],
    );
}

#[test]
fn an_item_under_a_foreign_key_is_found() {
    corrupted(
        |stage, table| {
            let row_key = table.row_key(&player("ann")).unwrap();
            let bob = player("bob");
            put_item(stage, row_key, &bob);
        },
        &["is stored under another key"],
    );
}

#[test]
fn a_wrong_size_is_found() {
    corrupted(
        |stage, table| {
            let ann = player("ann");
            let wrong = StoredItem::encode(&ann, 1);
            stage.put(table.row_key(&ann).unwrap(), wrong.bytes().clone());
        },
        &["has the wrong size", "the table should have 3 items"],
    );
}

#[test]
fn an_item_that_does_not_decode_is_found() {
    corrupted(
        |stage, table| {
            let row_key = table.row_key(&item! { "PK" => "ghost" }).unwrap();
            stage.put(row_key, vec![1, 5, 9, 9]);
        },
        &["bytes end early"],
    );
}

#[test]
fn a_missing_row_of_the_order_of_expiry_is_found() {
    corrupted(
        |stage, table| {
            let area = table.ttl.as_ref().unwrap().area;
            let row = first_row(stage, table, area);
            stage.remove(row);
        },
        &["is missing from the order of expiry"],
    );
}

#[test]
fn a_row_of_the_order_of_expiry_that_no_item_has_is_found() {
    corrupted(
        |stage, table| {
            let ann = item! { "PK" => "ann", "ttl" => 5 };
            let row_key = table.row_key(&ann).unwrap();
            let key = table.ttl_row(table.ttl.as_ref().unwrap(), &ann, &row_key).unwrap();
            stage.put(key, Bytes::new());
        },
        &["the order of expiry has a row that no item has"],
    );
}

#[test]
fn a_change_record_that_does_not_decode_is_found() {
    corrupted(
        |stage, table| {
            let area = table.streams[0].area;
            stage.put(stream::row_key(table.id, area, 1_000), vec![77]);
        },
        &["change record of an unknown event"],
    );
}

#[test]
fn rows_of_no_table_and_of_no_area_are_found() {
    corrupted(
        |stage, table| {
            let mut row = area_prefix(table.id, 9_999).to_vec();
            row.push(0);
            stage.put(row, Bytes::new());
            stage.put(area_prefix(table.id + 7, BASE_AREA).to_vec(), Bytes::new());
        },
        &["area 9999 of table number 1 has stray rows", "area 0 of table number 8 has stray rows"],
    );
}
