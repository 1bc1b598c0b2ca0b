//! Batches: how many, and no item twice.

use std::collections::BTreeMap;

use monotable::dynamodb::{BatchGetItem, BatchWriteItem, KeysAndAttributes};
use monotable::{Item, item};

use super::{ABSENT, Message, NUMBERS, TABLE, VALIDATION, check, invalid, key, refused, row};

const DUPLICATES: &str = "Provided list of item keys contains duplicates";

fn number_key(number: u32) -> Item {
    item! { "id" => number }
}

fn gets(table: &str, count: u32) -> BatchGetItem {
    (0..count).fold(BatchGetItem::new(), |batch, number| batch.key(table, number_key(number)))
}

fn puts(table: &str, count: u32) -> BatchWriteItem {
    (0..count).fold(BatchWriteItem::new(), |batch, number| batch.put(table, number_key(number)))
}

#[test]
fn a_batch_get_names_one_to_a_hundred_items() {
    check(|| {
        let length = |table: &str, rule: &str| {
            format!(
                "1 validation error detected: Value at 'RequestItems.{table}.member.Keys' failed to \
                 satisfy constraint: Member must have length {rule}"
            )
        };
        let no_keys = BatchGetItem {
            request_items: BTreeMap::from([(TABLE.to_owned(), KeysAndAttributes::default())]),
            ..BatchGetItem::default()
        };
        let mut over_both = gets(NUMBERS, 60);
        over_both.request_items.extend(gets(ABSENT, 60).request_items);
        vec![
            invalid(
                "none",
                BatchGetItem::new(),
                "1 validation error detected: Value at 'RequestItems' failed to satisfy \
                 constraint: Member must have length greater than or equal to 1",
            ),
            invalid("a table without keys", no_keys, length(TABLE, "greater than or equal to 1")),
            invalid("101", gets(NUMBERS, 101), length(NUMBERS, "less than or equal to 100")),
            invalid(
                "120 of two tables",
                over_both,
                "Too many items requested for the BatchGetItem call",
            ),
        ]
    });
}

#[test]
fn a_batch_write_names_one_to_25_items() {
    check(|| {
        let bounds = "at 'requestItems' failed to satisfy constraint: Map value must satisfy \
                      constraint: [Member must have length less than or equal to 25, Member must \
                      have length greater than or equal to 1]";
        let none = BatchWriteItem {
            request_items: BTreeMap::from([(TABLE.to_owned(), Vec::new())]),
            ..BatchWriteItem::default()
        };
        let mut over_both = puts(NUMBERS, 20);
        over_both.request_items.extend(puts(ABSENT, 20).request_items);
        vec![
            invalid(
                "none",
                BatchWriteItem::new(),
                "The requestItems parameter is required for BatchWriteItem",
            ),
            invalid(
                "a table without requests",
                none,
                format!("1 validation error detected: Value '{{{TABLE}=[]}}' {bounds}"),
            ),
            refused(
                VALIDATION,
                "26",
                puts(NUMBERS, 26),
                Message::EndsWith(format!("]}}' {bounds}")),
            ),
            refused(VALIDATION, "40 of two tables", over_both, Message::Unknown),
        ]
    });
}

#[test]
fn a_batch_names_no_item_twice() {
    check(|| {
        let number = |text: &str| item! { "id" => text.parse::<monotable::Number>().unwrap() };
        vec![
            invalid("get", BatchGetItem::new().key(TABLE, key()).key(TABLE, key()), DUPLICATES),
            invalid(
                "get, equal as numbers",
                BatchGetItem::new().key(NUMBERS, number("1")).key(NUMBERS, number("1.0")),
                DUPLICATES,
            ),
            invalid("put", BatchWriteItem::new().put(TABLE, row()).put(TABLE, row()), DUPLICATES),
            invalid(
                "put and delete",
                BatchWriteItem::new().put(TABLE, row()).delete(TABLE, key()),
                DUPLICATES,
            ),
        ]
    });
}

#[test]
fn a_batch_get_has_one_projection_a_table() {
    check(|| {
        let with = |projection: &str| {
            let mut batch = BatchGetItem::new().key(ABSENT, key());
            let request = batch.request_items.get_mut(ABSENT).unwrap();
            request.projection = Some(projection.into());
            batch
        };
        let mut unused = with("a");
        unused.request_items.get_mut(ABSENT).unwrap().substitutions.add_name("#n", "a");
        vec![
            invalid(
                "empty",
                with(""),
                "Invalid ProjectionExpression: The expression can not be empty;",
            ),
            invalid(
                "reserved",
                with("status"),
                "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved \
                 keyword: status",
            ),
            invalid(
                "unused",
                unused,
                "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}",
            ),
        ]
    });
}

#[test]
fn a_batch_names_tables_with_allowed_characters() {
    check(|| {
        vec![
            refused(VALIDATION, "get", BatchGetItem::new().key("a b", key()), Message::Unknown),
            refused(VALIDATION, "write", BatchWriteItem::new().put("a b", row()), Message::Unknown),
            refused(VALIDATION, "no name", BatchWriteItem::new().put("", row()), Message::Unknown),
        ]
    });
}
