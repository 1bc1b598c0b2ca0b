//! Rewritten rows.

use monotable_design::meta::FieldMeta;
use monotable_types::{item, map};
use proptest::prelude::*;
use serde_json::{Map, Value};

use super::*;
use crate::codec::fixture::{Field, entity};

const FIELDS: &[FieldMeta] = &[
    Field::new("id").key_only().meta(),
    Field::new("name").meta(),
    Field::new("note").optional().meta(),
    Field::new("ver").meta(),
    Field::new("status").top_level().meta(),
];

fn meta(codec: Codec) -> EntityMeta {
    EntityMeta { version: Some(3), ..entity(codec, FIELDS) }
}

fn check(codec: Codec, before: Item, after: Item, expected: Item) {
    let merged =
        merge(&meta(codec), before, &Item::new(), after, |name| name.starts_with("GSI")).unwrap();
    assert_eq!(merged, expected);
}

#[test]
fn a_plain_row_keeps_unknown_attributes() {
    check(
        Codec::Plain,
        item! { "pk" => "X#1", "name" => "old", "note" => "n", "ver" => 1, "extra" => 5, "id" => "1" },
        item! { "pk" => "X#1", "name" => "new", "ver" => 2 },
        item! { "pk" => "X#1", "name" => "new", "ver" => 2, "extra" => 5 },
    );
}

#[test]
fn a_row_leaves_an_index() {
    check(
        Codec::Plain,
        item! { "name" => "x", "GSI1PK" => "A", "GSI1SK" => "B", "GSI2PK" => "old" },
        item! { "name" => "x", "GSI2PK" => "new" },
        item! { "name" => "x", "GSI2PK" => "new" },
    );
}

#[test]
fn an_envelope_keeps_keys_as_they_are_written() {
    let envelope = Codec::Envelope { data: "data" };
    check(
        envelope,
        item! {
            "status" => "old", "ver" => 1, "extra" => true,
            "data" => r#"{"a\"b": 1.10, "name":"old","note":"n","ver":7,"big":123456789012345678901234567890,"list":[1, {"x":null}]}"#,
        },
        item! { "status" => "new", "ver" => 2, "data" => r#"{"name":"new"}"# },
        item! {
            "status" => "new", "ver" => 2, "extra" => true,
            "data" => r#"{"name":"new","a\"b":1.10,"big":123456789012345678901234567890,"list":[1, {"x":null}]}"#,
        },
    );
    check(
        envelope,
        item! { "data" => r#"{"extra":1}"# },
        item! { "data" => "{}" },
        item! { "data" => r#"{"extra":1}"# },
    );
    check(envelope, item! { "data" => "[1]" }, item! { "data" => "{}" }, item! { "data" => "{}" });
    // A field inside the text is known only there.
    check(
        envelope,
        item! { "name" => "beside", "data" => "{}" },
        item! { "data" => "{}" },
        item! { "name" => "beside", "data" => "{}" },
    );
}

#[test]
fn a_value_row_keeps_keys_meta_ttl_and_the_rest() {
    check(
        Codec::ValueRow,
        item! {
            "v" => r#"{"name":"old","note":"n","extra":[1]}"#, "ct" => "application/json", "ver" => 1,
            "ttl" => 99, "meta" => map! { "compressed" => true, "source" => "import" }, "owner" => "me",
        },
        item! { "v" => r#"{"name":"new"}"#, "ct" => "application/json", "ver" => 2 },
        item! {
            "v" => r#"{"name":"new","extra":[1]}"#, "ct" => "application/json", "ver" => 2,
            // No field is the expiry, so the attribute stays unchanged.
            "ttl" => 99, "meta" => map! { "source" => "import" }, "owner" => "me",
        },
    );
}

#[test]
fn a_value_row_is_compressed_again_with_its_unknown_entries() {
    let meta = meta(Codec::ValueRow);
    let write = |json: String| {
        let mut row = item! { "ver" => 1 };
        value_row::write_json(&mut row, json).unwrap();
        row
    };
    let extra = "x".repeat(9_990);
    let before = write(format!(r#"{{"name":"old","extra":"{extra}"}}"#));
    assert!(before["v"].as_b().is_some());
    let after = write(r#"{"name":"new"}"#.to_owned());
    let mut merged = merge(&meta, before.clone(), &Item::new(), after, |_| false).unwrap();
    assert_eq!(merged["meta"], map! { "compressed" => true });
    assert_eq!(
        value_row::take_json(&mut merged).unwrap(),
        format!(r#"{{"name":"new","extra":"{extra}"}}"#)
    );
    // Without the long value the row is plain again.
    let before = write(format!(r#"{{"name":"{extra}{extra}"}}"#));
    let after = write(r#"{"name":"new"}"#.to_owned());
    let merged = merge(&meta, before, &Item::new(), after.clone(), |_| false).unwrap();
    assert_eq!(merged, after);
}

#[test]
fn a_counter_keeps_its_content_type() {
    const FIELDS: &[FieldMeta] = &[Field::new("count").value().meta()];
    let merged = merge(
        &entity(Codec::ValueRow, FIELDS),
        item! { "v" => 1, "ct" => "text/plain", "meta" => map! { "a" => 1 } },
        &Item::new(),
        item! { "v" => 2 },
        |_| false,
    );
    assert_eq!(
        merged.unwrap(),
        item! { "v" => 2, "ct" => "text/plain", "meta" => map! { "a" => 1 } }
    );
}

/// Returns the JSON text of a row.
fn json_of(codec: Codec, mut row: Item) -> Map<String, Value> {
    let text = match codec {
        Codec::ValueRow => value_row::take_json(&mut row).unwrap(),
        _ => row["data"].as_s().unwrap().to_owned(),
    };
    serde_json::from_str(&text).unwrap()
}

/// Returns a row with this JSON text.
fn row_of(codec: Codec, json: &Map<String, Value>) -> Item {
    let text = serde_json::to_string(json).unwrap();
    let mut row = Item::new();
    match codec {
        Codec::ValueRow => value_row::write_json(&mut row, text).unwrap(),
        _ => _ = row.insert("data".to_owned(), text.into()),
    }
    row
}

fn json(names: &'static str) -> impl Strategy<Value = Map<String, Value>> {
    let value = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        // Long enough that some rows are compressed.
        (9_990..10_010_usize).prop_map(|length| "x".repeat(length).into()),
        prop::collection::vec(any::<Option<bool>>(), 0..3).prop_map(Value::from),
    ];
    prop::collection::btree_map(names, value, 0..4).prop_map(|map| map.into_iter().collect())
}

proptest! {
    #[test]
    fn unknown_entries_stay_and_known_ones_are_replaced(
        old_known in json("name|note"), new_known in json("name|note"),
        unknown in json("[a-z\"#é]{1,3}"), is_value_row in any::<bool>(),
    ) {
        let codec =
            if is_value_row { Codec::ValueRow } else { Codec::Envelope { data: "data" } };
        let with_unknown = |mut known: Map<String, Value>| {
            known.extend(unknown.clone().into_iter().filter(|(name, _)| !is_field(&meta(codec), name)));
            known
        };
        let before = row_of(codec, &with_unknown(old_known));
        let merged = merge(&meta(codec), before, &Item::new(), row_of(codec, &new_known), |_| false).unwrap();
        prop_assert_eq!(json_of(codec, merged), with_unknown(new_known));
    }
}
