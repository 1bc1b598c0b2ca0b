//! Keys and index keys that do not fit their table.

use monotable::dynamodb::{BatchGetItem, BatchWriteItem, DeleteItem, GetItem, PutItem, UpdateItem};
use monotable::{AttributeValue, Item, list};

use super::{
    BINARIES, Case, NUMBERS, TABLE, check, invalid, key, key_with, parameter, row, row_with,
    update, without,
};
use crate::support::reading::upper_key;

const MISMATCH: &str = "The provided key element does not match the schema";
const HASH_TOO_LONG: &str = "One or more parameter values were invalid: Size of hashkey has \
     exceeded the maximum size limit of2048 bytes";
const RANGE_TOO_LONG: &str = "One or more parameter values were invalid: Aggregated size of all \
     range keys has exceeded the size limit of 1024 bytes";

fn empty(kind: &str, key: &str) -> String {
    format!(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot \
         contain an empty {kind} value. Key: {key}"
    )
}

fn empty_index_key(kind: &str, index: &str, key: &str) -> String {
    format!(
        "One or more parameter values are not valid. A value specified for a secondary index key is \
         not supported. The AttributeValue for a key attribute cannot contain an empty {kind} value. \
         IndexName: {index}, IndexKey: {key}"
    )
}

fn no_bytes() -> AttributeValue {
    AttributeValue::B(Vec::new())
}

fn numbered(value: impl Into<AttributeValue>) -> Item {
    Item::from([("id".to_owned(), value.into())])
}

#[test]
fn an_item_has_its_whole_key() {
    check(|| {
        let put = |item| PutItem::new(TABLE, item);
        vec![
            parameter(
                "no partition key",
                put(without(row(), "PK")),
                "Missing the key PK in the item",
            ),
            parameter("no sort key", put(without(row(), "SK")), "Missing the key SK in the item"),
            parameter("no key at all", put(Item::new()), "Missing the key PK in the item"),
            parameter(
                "a number for a string",
                put(row_with("PK", 1)),
                "Type mismatch for key PK expected: S actual: N",
            ),
            parameter(
                "null for a string",
                put(row_with("SK", AttributeValue::Null)),
                "Type mismatch for key SK expected: S actual: NULL",
            ),
            parameter(
                "a string for a number",
                PutItem::new(NUMBERS, numbered("1")),
                "Type mismatch for key id expected: N actual: S",
            ),
            parameter(
                "a string for a binary",
                PutItem::new(BINARIES, numbered("1")),
                "Type mismatch for key id expected: B actual: S",
            ),
            invalid("an empty partition key", put(row_with("PK", "")), empty("string", "PK")),
            invalid("an empty sort key", put(row_with("SK", "")), empty("string", "SK")),
            invalid(
                "an empty binary key",
                PutItem::new(BINARIES, numbered(no_bytes())),
                empty("binary", "id"),
            ),
            invalid("a long partition key", put(row_with("PK", "p".repeat(2049))), HASH_TOO_LONG),
            invalid("a long sort key", put(row_with("SK", "s".repeat(1025))), RANGE_TOO_LONG),
        ]
    });
}

/// Keys that name no row of the table, and why.
fn bad_keys() -> Vec<(&'static str, Item, String)> {
    let mismatch = MISMATCH.to_owned();
    vec![
        ("no key", Item::new(), mismatch.clone()),
        ("no sort key", without(key(), "SK"), mismatch.clone()),
        ("no partition key", without(key(), "PK"), mismatch.clone()),
        ("an attribute too many", key_with("name", "x"), mismatch.clone()),
        ("another attribute", without(key_with("name", "x"), "SK"), mismatch.clone()),
        ("a number for a string", key_with("PK", 1), mismatch.clone()),
        ("a list for a string", key_with("SK", list!["METADATA"]), mismatch),
        ("an empty partition key", key_with("PK", ""), empty("string", "PK")),
        ("an empty sort key", key_with("SK", ""), empty("string", "SK")),
        ("a long partition key", key_with("PK", "p".repeat(2049)), HASH_TOO_LONG.to_owned()),
        ("a long sort key", key_with("SK", "s".repeat(1025)), RANGE_TOO_LONG.to_owned()),
    ]
}

#[test]
fn a_key_is_exactly_that_of_the_table() {
    check(|| {
        let cases_of = |(what, key, message): (&'static str, Item, String)| -> Vec<Case> {
            vec![
                invalid(what, GetItem::new(TABLE, key.clone()), message.clone()),
                invalid(what, UpdateItem::new(TABLE, key.clone()), message.clone()),
                invalid(what, DeleteItem::new(TABLE, key.clone()), message.clone()),
                invalid(what, BatchGetItem::new().key(TABLE, key.clone()), message.clone()),
                invalid(what, BatchWriteItem::new().delete(TABLE, key), message),
            ]
        };
        bad_keys().into_iter().flat_map(cases_of).collect()
    });
}

#[test]
fn a_batch_speaks_of_the_key_where_a_put_speaks_of_the_item() {
    check(|| {
        let put = |item| BatchWriteItem::new().put(TABLE, item);
        vec![
            invalid("no sort key", put(without(row(), "SK")), MISMATCH),
            invalid("a number for a string", put(row_with("PK", 1)), MISMATCH),
            invalid("an empty sort key", put(row_with("SK", "")), empty("string", "SK")),
            invalid("a long sort key", put(row_with("SK", "s".repeat(1025))), RANGE_TOO_LONG),
        ]
    });
}

#[test]
fn index_keys_have_their_type_and_are_not_empty() {
    check(|| {
        let mismatch = |attribute: &str, expected: &str, actual: &str, index: &str| {
            format!(
                "Type mismatch for Index Key {attribute} Expected: {expected} Actual: {actual} \
                 IndexName: {index}"
            )
        };
        let of_city = mismatch("city", "S", "N", "by-city");
        let of_founded = mismatch("founded", "N", "L", "by-city");
        let put =
            |attribute, value: AttributeValue| PutItem::new(TABLE, row_with(attribute, value));
        let batch = |attribute, value: AttributeValue| {
            BatchWriteItem::new().put(TABLE, row_with(attribute, value))
        };
        let null = AttributeValue::Null;
        vec![
            parameter("put a number for a string", put("city", 1.into()), &of_city),
            parameter("put null", put("city", null), &mismatch("city", "S", "NULL", "by-city")),
            parameter("put a list", put("founded", list![1]), &of_founded),
            parameter("put in a batch", batch("city", 1.into()), &of_city),
            invalid(
                "put an empty string",
                put("city", "".into()),
                empty_index_key("string", "by-city", "city"),
            ),
            invalid(
                "put empty bytes",
                put("logo", no_bytes()),
                empty_index_key("binary", "by-logo", "logo"),
            ),
            parameter("set a number", update("SET city = :v").value(":v", 1), &of_city),
            invalid(
                "set from an attribute of another type",
                update("SET city = wins"),
                "The update expression attempted to update the secondary index key to unsupported \
                 type",
            ),
            invalid(
                "set an empty string",
                update("SET city = :v").value(":v", ""),
                "One or more parameter values are not valid. The update expression attempted to \
                 update a secondary index key to a value that is not supported. The AttributeValue \
                 for a key attribute cannot contain an empty string value.",
            ),
        ]
    });
}

#[test]
fn the_key_of_an_item_never_changes() {
    check(|| {
        let cannot =
            |key: &str| format!("Cannot update attribute {key}. This attribute is part of the key");
        vec![
            parameter("SET", update("SET PK = :v").value(":v", "x"), &cannot("PK")),
            parameter("REMOVE", update("REMOVE SK"), &cannot("SK")),
            parameter("ADD", update("ADD PK :v").value(":v", 1), &cannot("PK")),
            parameter(
                "even if the condition is false",
                update("REMOVE SK").condition("attribute_exists(losses)"),
                &cannot("SK"),
            ),
            parameter(
                "also of an item that does not exist",
                UpdateItem::new(TABLE, upper_key("x", "y")).update("REMOVE SK"),
                &cannot("SK"),
            ),
        ]
    });
}

#[test]
fn paths_do_not_lead_into_keys() {
    check(|| {
        let scalars = |what: &str| {
            format!(
                "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
                 allowed: {what}"
            )
        };
        let get = |projection: &str| GetItem::new(TABLE, key()).projection(projection);
        vec![
            invalid("project into the key", get("PK.a"), scalars("Key: PK")),
            invalid("project an element of it", get("SK[0]"), scalars("Key: SK")),
            invalid("project into an index key", get("city.a"), scalars("IndexKey: city")),
            invalid(
                "set inside an index key",
                update("SET city.a = :v").value(":v", 1),
                scalars("IndexKey: city"),
            ),
            invalid(
                "filter by it",
                super::query().filter("attribute_exists(founded[1])"),
                scalars("IndexKey: founded"),
            ),
        ]
    });
}
