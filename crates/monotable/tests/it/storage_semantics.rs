//! The storage semantics that the five designs need, one test per point of the specification
//! (foundation, section 6.2), where the original programs have bugs.

use std::time::Duration;

use monotable::dynamodb::{
    BatchGetItem, BatchWriteItem, ConditionCheck, DeleteItem, Error, PutItem, Query, ReturnValues,
    Select, TransactGetItems, TransactWriteItems, UpdateItem, UpdateTimeToLive, WriteRequest,
    item_size_bytes, limits,
};
use monotable::{AttributeValue, Database, Faults, Item, item};

use crate::support::reading::{get, items, put_all, query_all, strings, upper_key};
use crate::support::stores::{TestDatabase, on_both_stores, on_both_stores_with};
use crate::support::tables::create_table;

const TABLE: &str = "semantics";

fn create(db: &Database) {
    create_table(db, TABLE, ["PK", "SK"], 1);
}

fn row(partition: &str, sort: &str, rest: Item) -> Item {
    let mut row = upper_key(partition, sort);
    row.extend(rest);
    row
}

fn partition(name: &str) -> Query {
    Query::new(TABLE).key_condition("PK = :pk").value(":pk", name)
}

fn index_partition(name: &str) -> Query {
    Query::new(TABLE).index("GSI1").key_condition("GSI1PK = :pk").value(":pk", name)
}

#[test]
fn semantics_1_a_condition_sees_the_row_with_exactly_the_addressed_key() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, [row("p", "a", item! { "email" => "x", "GSI1PK" => "x" })]);
        // The partition exists, the value exists elsewhere, the index key exists elsewhere.
        for condition in [
            "attribute_not_exists(PK)",
            "attribute_not_exists(email)",
            "attribute_not_exists(GSI1PK)",
        ] {
            let put = |sort| PutItem::new(TABLE, upper_key("p", sort)).condition(condition);
            db.put_item(put("b")).unwrap();
            assert!(db.put_item(put("a")).is_err(), "{condition}");
            db.delete_item(DeleteItem::new(TABLE, upper_key("p", "b"))).unwrap();
        }
        // An absent row has no attributes, not even the key of the request.
        let check =
            UpdateItem::new(TABLE, upper_key("p", "c")).condition("PK = :pk").value(":pk", "p");
        assert!(matches!(db.update_item(check), Err(Error::ConditionalCheckFailed { .. })));
    });
}

#[test]
fn semantics_2_limit_counts_before_the_filter() {
    on_both_stores(|db| {
        create(db);
        let numbered = |number: i32| row("p", &format!("{number:02}"), item! { "n" => number });
        put_all(db, TABLE, (0..10).map(numbered));
        let odd =
            || partition("p").filter("n IN (:a, :b)").value(":a", 1).value(":b", 9).limit(4u32);
        let first = db.query(odd()).unwrap();
        assert_eq!((first.count, first.scanned_count), (1, 4));
        let second = db.query(odd().exclusive_start_key(upper_key("p", "03"))).unwrap();
        assert_eq!((second.count, second.scanned_count), (0, 4));
        assert_eq!(second.last_evaluated_key, Some(upper_key("p", "07")), "empty, but not the end");
        assert_eq!(strings(&query_all(db, odd()), "SK"), ["01", "09"]);
    });
}

#[test]
fn semantics_3_an_index_holds_rows_with_both_keys_and_moves_them() {
    on_both_stores(|db| {
        create(db);
        put_all(
            db,
            TABLE,
            [
                row("a", "1", item! { "GSI1PK" => "open", "GSI1SK" => "a" }),
                row("b", "1", item! { "GSI1PK" => "open" }),
                row("c", "1", item! { "GSI1SK" => "c" }),
            ],
        );
        let members = |name| strings(&items(db.query(index_partition(name)).unwrap()), "PK");
        assert_eq!(members("open"), ["a"]);
        let update = |key, expression: &str, value: &str| {
            let update = UpdateItem::new(TABLE, upper_key(key, "1")).update(expression);
            db.update_item(update.value(":v", value)).unwrap();
        };
        update("b", "SET GSI1SK = :v", "b");
        assert_eq!(members("open"), ["a", "b"]);
        update("a", "SET GSI1PK = :v", "done");
        assert_eq!((members("open"), members("done")), (vec!["b".into()], vec!["a".to_owned()]));
        update("a", "SET note = :v REMOVE GSI1SK", "gone");
        assert!(members("done").is_empty());
        db.delete_item(DeleteItem::new(TABLE, upper_key("b", "1"))).unwrap();
        assert!(members("open").is_empty());
    });
}

#[test]
fn semantics_4_index_reads_lag_by_the_time_that_was_set() {
    let faults = Faults { index_lag: Some(Duration::from_secs(5)), ..Faults::default() };
    on_both_stores_with(&faults, |db| {
        create(db);
        db.advance_seconds(60);
        put_all(db, TABLE, [row("a", "1", item! { "GSI1PK" => "x", "GSI1SK" => "a" })]);
        let indexed = || db.query(index_partition("x")).unwrap().count;
        assert_eq!((db.query(partition("a")).unwrap().count, indexed()), (1, 0));
        db.advance_seconds(4);
        assert_eq!(indexed(), 0);
        db.advance_seconds(2);
        assert_eq!(indexed(), 1);
        db.delete_item(DeleteItem::new(TABLE, upper_key("a", "1"))).unwrap();
        assert_eq!((db.query(partition("a")).unwrap().count, indexed()), (0, 1));
        db.advance_seconds(6);
        assert_eq!(indexed(), 0);
    });
}

#[test]
fn semantics_4_expired_rows_stay_for_good_when_nothing_sweeps() {
    let faults = Faults { never_sweep: true, ..Faults::default() };
    on_both_stores_with(&faults, |db| {
        create(db);
        db.update_time_to_live(UpdateTimeToLive::enable(TABLE, "ttl")).unwrap();
        put_all(db, TABLE, [row("a", "1", item! { "ttl" => db.now_seconds() + 1 })]);
        db.advance_seconds(365 * 24 * 3600);
        assert_eq!(db.sweep_expired().unwrap(), 0);
        assert!(get(db, TABLE, upper_key("a", "1")).is_some());
        // Business rules treat it as absent by a condition of their own.
        let take_over = PutItem::new(TABLE, upper_key("a", "1"))
            .condition("attribute_not_exists(PK) OR #ttl <= :now")
            .name("#ttl", "ttl")
            .value(":now", db.now_seconds());
        db.put_item(take_over).unwrap();
    });
}

#[test]
fn semantics_5_a_transaction_is_all_or_nothing() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, [row("a", "1", item! { "n" => 1 }), upper_key("b", "1")]);
        let transaction = |condition: &str| {
            let update = UpdateItem::new(TABLE, upper_key("a", "1")).update("ADD n :one");
            TransactWriteItems::new()
                .action(PutItem::new(TABLE, upper_key("c", "1")))
                .action(update.value(":one", 1))
                .action(DeleteItem::new(TABLE, upper_key("b", "1")))
                .action(ConditionCheck::new(TABLE, upper_key("d", "1"), condition))
        };
        let rows =
            |db: &TestDatabase| ["a", "b", "c"].map(|key| get(db, TABLE, upper_key(key, "1")));
        let before = rows(db);
        let failed = db.transact_write_items(transaction("attribute_exists(PK)")).unwrap_err();
        assert_eq!(failed.code(), "TransactionCanceledException");
        assert_eq!(rows(db), before);
        db.transact_write_items(transaction("attribute_not_exists(PK)")).unwrap();
        let after = [Some(row("a", "1", item! { "n" => 2 })), None, Some(upper_key("c", "1"))];
        assert_eq!(rows(db), after);
    });
}

#[test]
fn semantics_5_transactions_and_single_writes_do_not_disturb_each_other() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, ["a", "b"].map(|key| row(key, "1", item! { "n" => 1000 })));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| (0..50).for_each(|_| move_one(db)));
            }
            scope.spawn(|| {
                for _ in 0..50 {
                    db.update_item(add("a", "touched", 1)).unwrap();
                }
            });
            for _ in 0..100 {
                assert_eq!(sum_of_both(db), 2000);
            }
        });
        let rows = ["a", "b"].map(|key| get(db, TABLE, upper_key(key, "1")).unwrap());
        let a = row("a", "1", item! { "n" => 900, "touched" => 50 });
        assert_eq!(rows, [a, row("b", "1", item! { "n" => 1100 })]);
    });
}

fn add(key: &str, attribute: &str, amount: i32) -> UpdateItem {
    UpdateItem::new(TABLE, upper_key(key, "1"))
        .update("ADD #a :n")
        .name("#a", attribute)
        .value(":n", amount)
}

fn move_one(db: &Database) {
    let transaction = TransactWriteItems::new().action(add("a", "n", -1)).action(add("b", "n", 1));
    db.transact_write_items(transaction).unwrap();
}

fn sum_of_both(db: &Database) -> i64 {
    let both =
        TransactGetItems::new().get(TABLE, upper_key("a", "1")).get(TABLE, upper_key("b", "1"));
    let read = db.transact_get_items(both).unwrap().responses;
    read.iter().flatten().map(|row| row.get("n").unwrap().as_n().unwrap().to_i64().unwrap()).sum()
}

#[test]
fn semantics_5_a_transaction_names_no_row_twice_and_keeps_its_limits() {
    on_both_stores(|db| {
        create(db);
        let puts = |count: usize| {
            (0..count).fold(TransactWriteItems::new(), |transaction, number| {
                transaction.action(PutItem::new(TABLE, upper_key("p", format!("{number:03}"))))
            })
        };
        let refusal = |transaction| {
            let refused = db.transact_write_items(transaction).unwrap_err();
            assert_eq!(refused.code(), "ValidationException");
            refused.to_string()
        };
        let twice = puts(2).action(DeleteItem::new(TABLE, upper_key("p", "001")));
        assert_eq!(
            refusal(twice),
            "Transaction request cannot include multiple operations on one item"
        );
        assert!(refusal(puts(101)).contains("less than or equal to 100"));
        let large = (0..11).fold(TransactWriteItems::new(), |transaction, number| {
            let filler = item! { "filler" => "x".repeat(390_000) };
            transaction.action(PutItem::new(TABLE, row("p", &number.to_string(), filler)))
        });
        assert!(refusal(large).contains("4MB"));
        assert_eq!(db.query(partition("p")).unwrap().count, 0);
        db.transact_write_items(puts(100)).unwrap();
        assert_eq!(db.query(partition("p")).unwrap().count, 100);
    });
}

#[test]
fn semantics_6_add_on_an_absent_attribute_starts_at_zero() {
    on_both_stores(|db| {
        create(db);
        let add = |expression: &str, value: AttributeValue| {
            let update = UpdateItem::new(TABLE, upper_key("p", "1")).update(expression);
            let update = update.value(":v", value).return_values(ReturnValues::UpdatedNew);
            db.update_item(update).unwrap().attributes.unwrap()
        };
        assert_eq!(add("ADD hits :v", 5.into()), item! { "hits" => 5 }, "no row before");
        assert_eq!(add("ADD misses :v", (-2).into()), item! { "misses" => -2 });
        assert_eq!(add("ADD hits :v", (-7).into()), item! { "hits" => -2 });
    });
}

#[test]
fn semantics_7_a_put_replaces_the_whole_row() {
    on_both_stores(|db| {
        create(db);
        put_all(
            db,
            TABLE,
            [
                row("p", "1", item! { "a" => 1, "b" => 2, "GSI1PK" => "x", "GSI1SK" => "1" }),
                row("p", "1", item! { "c" => 3 }),
            ],
        );
        assert_eq!(get(db, TABLE, upper_key("p", "1")), Some(row("p", "1", item! { "c" => 3 })));
        assert_eq!(db.query(index_partition("x")).unwrap().count, 0);
    });
}

#[test]
fn semantics_8_sort_keys_are_ordered_by_bytes() {
    on_both_stores(|db| {
        create(db);
        let unsorted = ["log#10", "log#9", "Log#1", "log#1", "log#", "log#~", "log#é", "log#z"];
        put_all(db, TABLE, unsorted.map(|sort| upper_key("p", sort)));
        let sorted = strings(&query_all(db, partition("p")), "SK");
        let expected = ["Log#1", "log#", "log#1", "log#10", "log#9", "log#z", "log#~", "log#é"];
        assert_eq!(sorted, expected);
        let padded = ["log#000010", "log#000009", "log#000001"];
        put_all(db, TABLE, padded.map(|sort| upper_key("q", sort)));
        let sorted = strings(&query_all(db, partition("q")), "SK");
        assert_eq!(sorted, ["log#000001", "log#000009", "log#000010"]);
    });
}

#[test]
fn semantics_9_a_row_has_400_kilobytes_at_most() {
    on_both_stores(|db| {
        create(db);
        let of_size = |bytes: usize| {
            let mut row = row("p", "1", item! { "v" => "" });
            let filler = "x".repeat(bytes - item_size_bytes(&row));
            row.insert("v".to_owned(), filler.into());
            row
        };
        let largest = of_size(limits::ITEM_BYTES_MAX);
        assert_eq!(limits::ITEM_BYTES_MAX, 400 * 1024);
        put_all(db, TABLE, [largest.clone()]);
        assert_eq!(get(db, TABLE, upper_key("p", "1")), Some(largest));
        let too_large = db.put_item(PutItem::new(TABLE, of_size(limits::ITEM_BYTES_MAX + 1)));
        assert_eq!(
            too_large.unwrap_err().to_string(),
            "Item size has exceeded the maximum allowed size"
        );
        let grow = UpdateItem::new(TABLE, upper_key("p", "1")).update("SET w = :w").value(":w", 1);
        assert_eq!(
            db.update_item(grow).unwrap_err().to_string(),
            "Item size to update has exceeded the maximum allowed size"
        );
    });
}

#[test]
fn semantics_10_batches_leave_entries_unprocessed_at_random() {
    let faults = Faults { unprocessed_share: 0.5, ..Faults::default() };
    on_both_stores_with(&faults, |db| {
        create(db);
        let all: Vec<Item> = (0..20).map(|number| upper_key("p", format!("{number:02}"))).collect();
        let mut writes =
            all.iter().fold(BatchWriteItem::new(), |batch, key| batch.put(TABLE, key.clone()));
        let mut rounds = 0;
        while !writes.request_items.is_empty() {
            rounds += 1;
            let left = db.batch_write_item(writes).unwrap().unprocessed_items;
            let unwritten = left.get(TABLE).map_or(0, Vec::len);
            check_written(db, &all, left.get(TABLE));
            assert!(rounds > 1 || (1..20).contains(&unwritten), "{unwritten} left in round one");
            writes = BatchWriteItem { request_items: left, ..BatchWriteItem::default() };
        }
        let mut reads =
            all.iter().fold(BatchGetItem::new(), |batch, key| batch.key(TABLE, key.clone()));
        let mut found = 0;
        while !reads.request_items.is_empty() {
            let output = db.batch_get_item(reads).unwrap();
            found += output.responses[TABLE].len();
            reads = BatchGetItem { request_items: output.unprocessed_keys, ..Default::default() };
        }
        assert_eq!(found, 20);
    });
}

/// Writes that the batch did not report as unprocessed have been made.
fn check_written(db: &Database, all: &[Item], unprocessed: Option<&Vec<WriteRequest>>) {
    let count = partition("p").select(Select::Count);
    let written = db.query(count).unwrap().count as usize;
    assert_eq!(written + unprocessed.map_or(0, Vec::len), all.len());
}
