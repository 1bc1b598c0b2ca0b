//! Rewritten rows.

use monotable_design::meta::FieldMeta;
use monotable_types::{item, map};

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
    let merged = merge(&meta(codec), before, after, |name| name.starts_with("GSI")).unwrap();
    assert_eq!(merged, expected);
}

#[test]
fn a_plain_row_keeps_what_it_does_not_know() {
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
    // A field that stands in the text is known there only.
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
            // No field is its expiry, so that it stays what it was.
            "ttl" => 99, "meta" => map! { "source" => "import" }, "owner" => "me",
        },
    );
}

#[test]
fn a_value_row_is_compressed_again_with_what_it_keeps() {
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
    let mut merged = merge(&meta, before.clone(), after, |_| false).unwrap();
    assert_eq!(merged["meta"], map! { "compressed" => true });
    assert_eq!(
        value_row::take_json(&mut merged).unwrap(),
        format!(r#"{{"name":"new","extra":"{extra}"}}"#)
    );
    // And plain again once there is nothing long to keep.
    let before = write(format!(r#"{{"name":"{extra}{extra}"}}"#));
    let after = write(r#"{"name":"new"}"#.to_owned());
    let merged = merge(&meta, before, after.clone(), |_| false).unwrap();
    assert_eq!(merged, after);
}

#[test]
fn a_counter_keeps_its_content_type() {
    const FIELDS: &[FieldMeta] = &[Field::new("count").value().meta()];
    let merged = merge(
        &entity(Codec::ValueRow, FIELDS),
        item! { "v" => 1, "ct" => "text/plain", "meta" => map! { "a" => 1 } },
        item! { "v" => 2 },
        |_| false,
    );
    assert_eq!(
        merged.unwrap(),
        item! { "v" => 2, "ct" => "text/plain", "meta" => map! { "a" => 1 } }
    );
}
