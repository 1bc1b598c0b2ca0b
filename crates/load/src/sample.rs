//! The table, the items and the bodies of the requests: everything follows from an item's number.
//!
//! The table has a string partition and sort key and three global indexes that project everything;
//! an item has the keys of two of them and 1 KB by AWS's rule. 50 consecutive items share a
//! partition. Bodies are written as text: nothing in them needs escaping, and numbers have a fixed
//! width, so that every request of an operation has the same length.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::Operation;
use crate::random::{Random, mix};

/// Items in one partition of the table, and items that a query returns.
pub(crate) const PARTITION_ITEMS: u64 = 50;
/// The numbers from here on belong to items that requests write while they are measured.
pub(crate) const LOADED_ITEMS_MAX: u64 = 1_000_000_000;
/// How many digits a number has in keys.
const NUMBER_DIGITS: usize = 12;
/// Partitions of each index.
const INDEX_PARTITIONS: u64 = 1_000;
/// Bytes of the attribute that fills an item up to 1,024 bytes.
const NOTES_BYTES: usize = 793;
const NOTES_POOL_BYTES: usize = 1 << 16;

/// A fixed random text; each item has another piece of it.
static NOTES_POOL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    let mut random = Random::new(1);
    (0..NOTES_POOL_BYTES).map(|_| LETTERS[random.below(64) as usize]).collect()
});

/// Returns the body that creates the table.
pub(crate) fn create_table(table: &str) -> Value {
    let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let schema = |partition_key: &str, sort_key: &str| {
        json!([
            {"AttributeName": partition_key, "KeyType": "HASH"},
            {"AttributeName": sort_key, "KeyType": "RANGE"},
        ])
    };
    let index = |number: u32| {
        json!({
            "IndexName": format!("GSI{number}"),
            "KeySchema": schema(&format!("GSI{number}PK"), &format!("GSI{number}SK")),
            "Projection": {"ProjectionType": "ALL"},
        })
    };
    let names = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK"];
    json!({
        "TableName": table,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": names.map(attribute),
        "KeySchema": schema("PK", "SK"),
        "GlobalSecondaryIndexes": [index(1), index(2), index(3)],
    })
}

/// Appends the body of one request: an operation on the items from `number` on.
pub(crate) fn write_body(operation: Operation, table: &str, number: u64, out: &mut Vec<u8>) {
    match operation {
        Operation::Get => {
            table_name(table, out);
            key(number, out);
            out.push(b'}');
        }
        Operation::Query => {
            table_name(table, out);
            out.extend_from_slice(
                br##","KeyConditionExpression":"#pk = :pk","ExpressionAttributeNames":{"#pk":"PK"},"##,
            );
            out.extend_from_slice(br#""ExpressionAttributeValues":{":pk":{"S":"TEAM#"#);
            digits(number / PARTITION_ITEMS, out);
            out.extend_from_slice(br#""}},"Limit":50}"#);
        }
        Operation::Update => {
            table_name(table, out);
            key(number, out);
            out.extend_from_slice(br#","UpdateExpression":"ADD games :one","#);
            out.extend_from_slice(br#""ExpressionAttributeValues":{":one":{"N":"1"}}}"#);
        }
        Operation::Put => put(table, number, out),
        Operation::Transaction => {
            out.extend_from_slice(br#"{"ClientRequestToken":""#);
            client_token(number, out);
            out.extend_from_slice(br#"","TransactItems":["#);
            for place in 0..operation.items() {
                out.extend_from_slice(if place == 0 { br#"{"Put":"# } else { br#",{"Put":"# });
                put(table, number + place, out);
                out.push(b'}');
            }
            out.extend_from_slice(b"]}");
        }
        Operation::Batch => {
            out.extend_from_slice(br#"{"RequestItems":{""#);
            out.extend_from_slice(table.as_bytes());
            out.extend_from_slice(br#"":["#);
            for place in 0..operation.items() {
                out.extend_from_slice(if place == 0 { b"" } else { b"," });
                out.extend_from_slice(br#"{"PutRequest":{"Item":"#);
                item(number + place, out);
                out.extend_from_slice(b"}}");
            }
            out.extend_from_slice(b"]}}");
        }
    }
}

fn table_name(table: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"TableName":""#);
    out.extend_from_slice(table.as_bytes());
    out.push(b'"');
}

fn put(table: &str, number: u64, out: &mut Vec<u8>) {
    table_name(table, out);
    out.extend_from_slice(br#","Item":"#);
    item(number, out);
    out.push(b'}');
}

fn key(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","Key":{"#);
    key_attributes(number, out);
    out.push(b'}');
}

fn key_attributes(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(br#""PK":{"S":"TEAM#"#);
    digits(number / PARTITION_ITEMS, out);
    out.extend_from_slice(br#""},"SK":{"S":"PLAYER#"#);
    digits(number, out);
    out.extend_from_slice(br#""}"#);
}

fn item(number: u64, out: &mut Vec<u8>) {
    let scattered = mix(number);
    out.push(b'{');
    key_attributes(number, out);
    out.extend_from_slice(br#","GSI1PK":{"S":"LEAGUE#"#);
    digits(scattered % INDEX_PARTITIONS, out);
    out.extend_from_slice(br#""},"GSI1SK":{"S":"2026-11-15T20:45:00Z#"#);
    digits(number, out);
    out.extend_from_slice(br#""},"GSI2PK":{"S":"POSITION#"#);
    digits((scattered >> 32) % INDEX_PARTITIONS, out);
    out.extend_from_slice(br#""},"GSI2SK":{"S":"2026-11-15T20:45:00Z#"#);
    digits(number, out);
    out.extend_from_slice(br#""},"kind":{"S":"PLAYER"},"name":{"S":"Player "#);
    digits(number, out);
    out.extend_from_slice(br#""},"joined":{"S":"2024-03-01"},"games":{"N":"17"},"notes":{"S":""#);
    let start = scattered as usize % (NOTES_POOL_BYTES - NOTES_BYTES);
    out.extend_from_slice(&NOTES_POOL[start..start + NOTES_BYTES]);
    out.extend_from_slice(br#""}}"#);
}

/// A token as SDKs add to every transaction. New items have numbers of their own, and so their
/// transactions have tokens of their own.
fn client_token(number: u64, out: &mut Vec<u8>) {
    let digits = hex::encode([mix(number).to_le_bytes(), mix(!number).to_le_bytes()].concat());
    for (place, digit) in digits.bytes().enumerate() {
        if matches!(place, 8 | 12 | 16 | 20) {
            out.push(b'-');
        }
        out.push(digit);
    }
}

/// A number with all its leading zeros.
fn digits(number: u64, out: &mut Vec<u8>) {
    let mut text = [b'0'; NUMBER_DIGITS];
    let mut rest = number;
    for digit in text.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(&text);
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn body(operation: Operation, number: u64) -> Value {
        let mut out = Vec::new();
        write_body(operation, "T", number, &mut out);
        serde_json::from_slice(&out).unwrap()
    }

    fn check(operation: Operation, expected: Expect) {
        expected.assert_eq(&body(operation, 1234).to_string());
    }

    #[test]
    fn reads_and_updates_name_a_loaded_item() {
        check(
            Operation::Get,
            expect![[
                r#"{"Key":{"PK":{"S":"TEAM#000000000024"},"SK":{"S":"PLAYER#000000001234"}},"TableName":"T"}"#
            ]],
        );
        check(
            Operation::Query,
            expect![[
                r##"{"ExpressionAttributeNames":{"#pk":"PK"},"ExpressionAttributeValues":{":pk":{"S":"TEAM#000000000024"}},"KeyConditionExpression":"#pk = :pk","Limit":50,"TableName":"T"}"##
            ]],
        );
        check(
            Operation::Update,
            expect![[
                r#"{"ExpressionAttributeValues":{":one":{"N":"1"}},"Key":{"PK":{"S":"TEAM#000000000024"},"SK":{"S":"PLAYER#000000001234"}},"TableName":"T","UpdateExpression":"ADD games :one"}"#
            ]],
        );
    }

    /// Names and texts count their bytes; the number 17 counts 2.
    #[test]
    fn an_item_has_1_kb_by_the_rule_of_aws() {
        for number in [0, 1, 49, 123_456_789_012] {
            let put = body(Operation::Put, number);
            assert_eq!(put["TableName"], "T");
            let item = put["Item"].as_object().unwrap();
            let bytes: usize = item
                .iter()
                .map(|(name, value)| name.len() + value["S"].as_str().map_or(2, str::len))
                .sum();
            assert_eq!(bytes, 1024);
            assert!(item.contains_key("GSI2SK") && !item.contains_key("GSI3PK"));
        }
    }

    #[test]
    fn transactions_and_batches_hold_consecutive_items() {
        let transaction = body(Operation::Transaction, 100);
        let puts = transaction["TransactItems"].as_array().unwrap();
        assert_eq!(puts.len(), 4);
        assert_eq!(puts[3]["Put"]["Item"]["SK"]["S"], "PLAYER#000000000103");
        assert_eq!(transaction["ClientRequestToken"].as_str().unwrap().len(), 36);
        let batch = body(Operation::Batch, 100);
        let puts = batch["RequestItems"]["T"].as_array().unwrap();
        assert_eq!(puts.len(), 25);
        assert_eq!(puts[24]["PutRequest"]["Item"]["SK"]["S"], "PLAYER#000000000124");
    }

    #[test]
    fn an_operation_has_bodies_of_one_length() {
        for operation in Operation::ALL {
            let length = |number| {
                let mut out = Vec::new();
                write_body(operation, "T", number, &mut out);
                out.len()
            };
            assert_eq!(length(0), length(987_654_321_000));
        }
    }

    #[test]
    fn the_table_has_the_keys_of_the_items() {
        let table = create_table("T");
        assert_eq!(table["AttributeDefinitions"].as_array().unwrap().len(), 8);
        assert_eq!(table["GlobalSecondaryIndexes"][2]["KeySchema"][1]["AttributeName"], "GSI3SK");
    }
}
