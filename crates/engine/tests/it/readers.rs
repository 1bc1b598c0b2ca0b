//! Readers of a database in memory while it is written: pages and transactions are of one moment,
//! and single reads never go back in time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use monotable_engine::{
    CreateTable, Database, DeleteTable, Error, GetItem, IndexDefinition, Item, PutItem, Query,
    ReadItem, TransactGetItems, TransactWriteItems, item,
};

const ROUNDS: i64 = 300;

fn league() -> Database {
    let db = Database::memory();
    let table = CreateTable::new("league")
        .partition_key("PK", "S")
        .and_then(|table| table.sort_key("SK", "N"))
        .and_then(|table| table.attribute("round", "N"))
        .unwrap();
    let by_round = IndexDefinition::new("by-round", &["PK"], &["round"]);
    db.create_table(table.global_index(by_round)).unwrap();
    db
}

fn key(number: i64) -> Item {
    item! { "PK" => "a", "SK" => number }
}

fn round_of(item: &ReadItem) -> i64 {
    item.get("round").unwrap().as_n().unwrap().to_i64().unwrap()
}

/// Writes all items with the number of the round, again and again.
fn write_rounds(db: &Database, items: i64) {
    for round in 0..ROUNDS {
        let transaction = (0..items).fold(TransactWriteItems::new(), |transaction, number| {
            let mut item = key(number);
            item.insert("round".to_owned(), round.into());
            transaction.action(PutItem::new("league", item))
        });
        db.transact_write_items(transaction).unwrap();
    }
}

/// Checks what readers see until the writer is done.
fn race(items: i64) {
    let db = league();
    write_rounds(&db, items);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            write_rounds(&db, items);
            done.store(true, Ordering::Relaxed);
        });
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for index in [None, Some("by-round".to_owned())] {
                    let page = Query { index_name: index, ..Query::new("league") }
                        .key_condition("PK = :a")
                        .value(":a", "a");
                    let page = db.query(page).unwrap().items;
                    let rounds: Vec<i64> = page.iter().map(round_of).collect();
                    assert_eq!(rounds, vec![rounds[0]; items as usize], "a page is of one moment");
                }
                let get = TransactGetItems::new().get("league", key(0));
                let get = get.get("league", key(items - 1));
                let found = db.transact_get_items(get).unwrap().responses;
                let rounds: Vec<i64> = found.iter().flatten().map(round_of).collect();
                assert_eq!(rounds[0], rounds[1], "a transaction is of one moment");
            }
        });
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // The last item is written last, so who has seen it new sees the first one new.
                let get = |number| db.get_item(GetItem::new("league", key(number))).unwrap();
                let [last, first] =
                    [get(items - 1), get(0)].map(|got| round_of(&got.item.unwrap()));
                let wrapped = last == ROUNDS - 1;
                assert!(wrapped || first >= last, "{first} after {last}");
            }
        });
    });
    assert!(db.check().unwrap().is_clean());
}

#[test]
fn readers_see_whole_transactions_that_are_made_in_place() {
    race(2);
}

#[test]
fn readers_see_whole_transactions_that_are_made_on_a_copy() {
    race(100);
}

#[test]
fn an_item_is_there_until_its_table_is_not() {
    for _ in 0..50 {
        let db = league();
        db.put_item(PutItem::new("league", key(1))).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                loop {
                    match db.get_item(GetItem::new("league", key(1))) {
                        Ok(found) => assert!(found.item.is_some(), "the table is still there"),
                        Err(Error::ResourceNotFound(_)) => break,
                        Err(error) => panic!("{error}"),
                    }
                }
            });
            db.delete_table(DeleteTable::new("league")).unwrap();
        });
    }
}
