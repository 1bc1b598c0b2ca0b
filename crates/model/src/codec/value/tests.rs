//! Values in both directions.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{Expect, expect};
use monotable_types::{Number, item, list, map, set};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::*;
use crate::codec::sets;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Point,
    Circle(f64),
    Line(i32, i32),
    Box { width: u8, height: Option<u8> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wrapped(Option<u8>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Everything {
    text: String,
    letter: char,
    flag: bool,
    small: i8,
    large: u64,
    huge: i128,
    float: f64,
    short_float: f32,
    absent: Option<u32>,
    nested: Option<Box<Everything>>,
    nothing: (),
    wrapped: Wrapped,
    pair: (u8, String),
    shapes: Vec<Shape>,
    by_number: BTreeMap<i16, Option<String>>,
    #[serde(with = "sets::strings", default)]
    words: BTreeSet<String>,
    #[serde(with = "sets::numbers", default)]
    numbers: BTreeSet<i64>,
    #[serde(with = "sets::binaries", default)]
    blobs: BTreeSet<Vec<u8>>,
}

fn everything() -> Everything {
    Everything {
        text: "é".into(),
        letter: '#',
        flag: true,
        small: -7,
        large: u64::MAX,
        huge: -(10_i128.pow(38)) + 1,
        float: 0.1,
        short_float: 0.3,
        absent: None,
        nested: None,
        nothing: (),
        wrapped: Wrapped(None),
        pair: (1, "b".into()),
        shapes: vec![
            Shape::Point,
            Shape::Circle(1.5),
            Shape::Line(1, -2),
            Shape::Box { width: 1, height: None },
        ],
        by_number: BTreeMap::from([(-1, None), (2, Some("two".into()))]),
        words: BTreeSet::from(["b".into(), "a".into()]),
        numbers: BTreeSet::from([3, -1]),
        blobs: BTreeSet::from([vec![1, 2], vec![]]),
    }
}

#[test]
fn every_type_has_its_attribute_value() {
    let value = to_value(&everything()).unwrap();
    let expected = map! {
        "text" => "é", "letter" => "#", "flag" => true, "small" => -7, "large" => u64::MAX,
        "huge" => "-99999999999999999999999999999999999999".parse::<Number>().unwrap(),
        "float" => "0.1".parse::<Number>().unwrap(),
        "shortFloat" => "0.3".parse::<Number>().unwrap(),
        "nothing" => AttributeValue::Null, "wrapped" => AttributeValue::Null,
        "pair" => list![1, "b"],
        "shapes" => list![
            "Point",
            map! { "Circle" => "1.5".parse::<Number>().unwrap() },
            map! { "Line" => list![1, -2] },
            map! { "Box" => map! { "width" => 1 } },
        ],
        "byNumber" => map! { "-1" => AttributeValue::Null, "2" => "two" },
        "words" => set!["a", "b"],
        "numbers" => set![-1, 3],
        "blobs" => set![b"", b"\x01\x02"],
    };
    assert_eq!(value, expected);
    assert_eq!(from_value::<Everything>(value).unwrap(), everything());
}

#[test]
fn an_empty_set_is_left_out_of_a_struct_and_refused_elsewhere() {
    let empty = Everything { words: BTreeSet::new(), ..everything() };
    let item = to_item(&empty).unwrap();
    assert!(!item.contains_key("words"));
    assert_eq!(from_item::<Everything>(item).unwrap(), empty);

    #[derive(Serialize)]
    struct Tags(#[serde(with = "sets::strings")] Vec<String>);
    let tags = BTreeMap::from([("a", Tags(vec![]))]);
    assert_eq!(
        to_value(&tags).unwrap_err().to_string(),
        "a: DynamoDB has no empty sets, and only a field of a struct can be left out"
    );
    assert_eq!(
        to_value(&Tags(vec!["x".into(), "x".into()])).unwrap_err().to_string(),
        "a set may not contain duplicates"
    );
}

#[test]
fn json_sees_a_set_as_a_list() {
    let json = serde_json::to_value(Everything { huge: 0, ..everything() }).unwrap();
    assert_eq!(json["words"], serde_json::json!(["a", "b"]));
}

#[test]
fn lists_are_read_where_sets_are_expected() {
    #[derive(Deserialize)]
    struct Tags {
        #[serde(with = "sets::strings")]
        tags: BTreeSet<String>,
    }
    let tags: Tags = from_item(item! { "tags" => list!["b", "a"] }).unwrap();
    assert_eq!(tags.tags, BTreeSet::from(["a".into(), "b".into()]));
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only errors are looked at")]
struct Game {
    lineup: Vec<Slot>,
    #[serde(default)]
    scores: BTreeMap<String, u8>,
    shape: Option<Shape>,
    pair: Option<(u8, u8)>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only errors are looked at")]
struct Slot {
    player_id: u32,
    name: Option<String>,
}

fn check_error(item: Item, expected: Expect) {
    expected.assert_eq(&from_item::<Game>(item).unwrap_err().to_string());
}

#[test]
fn errors_of_reading_contain_their_path() {
    let good = || map! { "playerId" => 1 };
    check_error(
        item! { "lineup" => list![good(), good(), map! { "playerId" => "x" }] },
        expect!["lineup[2].playerId: expected a number, found a string"],
    );
    check_error(
        item! { "lineup" => list![map! {}] },
        expect!["lineup[0]: missing field `playerId`"],
    );
    check_error(
        item! { "lineup" => list![map! { "playerId" => -1 }] },
        expect!["lineup[0].playerId: expected a whole number from 0 to 4294967295, found -1"],
    );
    check_error(
        item! { "lineup" => list![map! { "playerId" => 1, "name" => true }] },
        expect!["lineup[0].name: expected a string, found a Boolean"],
    );
    check_error(item! { "lineup" => map! {} }, expect!["lineup: expected a list, found a map"]);
    check_error(item! {}, expect!["missing field `lineup`"]);
    check_error(
        item! { "lineup" => list![], "scores" => map! { "red" => 300 } },
        expect!["scores.red: expected a whole number from 0 to 255, found 300"],
    );
    check_error(
        item! { "lineup" => list![], "shape" => map! { "Box" => map! { "width" => list![] } } },
        expect!["shape.Box.width: expected a number, found a list"],
    );
    check_error(
        item! { "lineup" => list![], "shape" => "Star" },
        expect!["shape: unknown variant `Star`, expected one of `Point`, `Circle`, `Line`, `Box`"],
    );
    check_error(
        item! { "lineup" => list![], "shape" => map! {} },
        expect!["shape: expected a map with exactly one entry, named after the variant"],
    );
    check_error(
        item! { "lineup" => list![], "pair" => list![1, 2, 3] },
        expect!["pair: expected 2 elements, found 3"],
    );
}

#[test]
fn errors_of_writing_contain_their_path() {
    let shapes = BTreeMap::from([("a", vec![Shape::Point, Shape::Circle(f64::NAN)])]);
    assert_eq!(
        to_value(&shapes).unwrap_err().to_string(),
        "a[1].Circle: NaN is not a number that DynamoDB can hold"
    );
    let by_float = [((1, 2), 3)].into_iter().collect::<BTreeMap<_, _>>();
    assert_eq!(
        to_value(&by_float).unwrap_err().to_string(),
        "a tuple can't be the key of a map; use a string or a number"
    );
    assert_eq!(
        to_item("text").unwrap_err().to_string(),
        "expected a struct or a map, found a string"
    );
}

#[test]
fn bytes_are_binaries_and_can_be_read_as_sequences() {
    let value = AttributeValue::B(vec![1, 255]);
    assert_eq!(from_value::<Vec<u8>>(value.clone()).unwrap(), [1, 255]);
    assert_eq!(to_value(&Bytes(vec![1, 255])).unwrap(), value);
}

struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

#[test]
fn other_taggings_of_enums_work() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Event {
        Joined { seat: u8 },
        Left,
    }
    let item = to_item(&Event::Joined { seat: 3 }).unwrap();
    assert_eq!(item, item! { "kind" => "Joined", "seat" => 3 });
    assert_eq!(from_item::<Event>(item).unwrap(), Event::Joined { seat: 3 });
    assert_eq!(from_item::<Event>(item! { "kind" => "Left" }).unwrap(), Event::Left);

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Number(i64),
        Float(f64),
        Text(String),
    }
    let loose: Vec<Loose> = from_value(list![-1, "1.5".parse::<Number>().unwrap(), "x"]).unwrap();
    assert_eq!(loose, [Loose::Number(-1), Loose::Float(1.5), Loose::Text("x".into())]);
}

#[test]
fn strings_are_moved() {
    let text = "a string that is long enough to live on the heap".to_owned();
    let address = text.as_ptr();
    let item = Item::from([("text".to_owned(), AttributeValue::S(text))]);
    #[derive(Deserialize)]
    struct Note {
        text: String,
    }
    assert_eq!(from_item::<Note>(item).unwrap().text.as_ptr(), address);
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Point),
        (-1e9..1e9).prop_map(Shape::Circle),
        any::<(i32, i32)>().prop_map(|(from, to)| Shape::Line(from, to)),
        any::<(u8, Option<u8>)>().prop_map(|(width, height)| Shape::Box { width, height }),
    ]
}

prop_compose! {
    fn any_everything()(
        (text, letter, flag, small, large) in any::<(String, char, bool, i8, u64)>(),
        huge in -(10_i128.pow(38)) + 1..10_i128.pow(38),
        (float, short_float) in (-1e9..1e9, -1e9..1e9_f32),
        (absent, wrapped) in any::<(Option<u32>, Option<u8>)>(),
        pair in any::<(u8, String)>(),
        shapes in prop::collection::vec(shape(), 0..4),
        by_number in prop::collection::btree_map(any::<i16>(), any::<Option<String>>(), 0..4),
        words in prop::collection::btree_set(any::<String>(), 0..4),
        numbers in prop::collection::btree_set(any::<i64>(), 0..4),
        blobs in prop::collection::btree_set(any::<Vec<u8>>(), 0..4),
    ) -> Everything {
        Everything {
            text, letter, flag, small, large, huge, float, short_float, absent, pair, shapes,
            by_number, words, numbers, blobs,
            nested: None, nothing: (), wrapped: Wrapped(wrapped),
        }
    }
}

/// Generates any attribute value, a few levels deep.
fn attribute_value() -> impl Strategy<Value = AttributeValue> {
    let number = prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<(i32, i8)>().prop_map(|(digits, exponent)| {
            format!("{digits}e{}", exponent / 2).parse().unwrap()
        }),
    ];
    let leaf = prop_oneof![
        any::<String>().prop_map(AttributeValue::S),
        number.prop_map(AttributeValue::N),
        any::<Vec<u8>>().prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null),
        any::<(String, String)>().prop_map(|(one, other)| set![one, other].into()),
        any::<(i64, i64)>().prop_map(|(one, other)| set![one, other].into()),
        any::<(Vec<u8>, Vec<u8>)>().prop_map(|(one, other)| set![one, other].into()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
            prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(AttributeValue::M),
        ]
    })
}

/// Generates any JSON value, a few levels deep.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        (-1e9..1e9_f64).prop_filter_map("whole numbers come back as such", |float| {
            (float.fract() != 0.0).then_some(float.into())
        }),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_read_back(json in json()) {
        let value = to_value(&json).unwrap();
        prop_assert_eq!(from_value::<serde_json::Value>(value).unwrap(), json);
    }

    #[test]
    fn no_stored_value_makes_a_reader_panic(
        value in attribute_value(), name in "text|huge|pair|shapes|byNumber|words|blobs|nested",
    ) {
        let mut item = to_item(&everything()).unwrap();
        item.insert(name.clone(), value.clone());
        if let Err(error) = from_item::<Everything>(item) {
            prop_assert!(error.path().starts_with(&name), "{error}");
        }
        let _ = from_value::<Shape>(value.clone());
        let _ = from_value::<serde_json::Value>(value);
    }

    #[test]
    fn every_value_is_read_back(outer in any_everything(), inner in any_everything()) {
        let value = Everything { nested: Some(Box::new(inner)), ..outer };
        prop_assert_eq!(from_item::<Everything>(to_item(&value).unwrap()).unwrap(), value);
    }
}
