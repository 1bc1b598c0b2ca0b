//! The generated values, few enough that operations often use the same ones.

use monotable_types::{AttributeValue as V, Item, ScalarType, Set};
use proptest::prelude::*;
use proptest::sample::select;

/// A time in 2027, in even seconds; every generated expiry is odd, so that none equals the clock.
pub const START_SECONDS: u64 = 1_800_000_000;

/// Returns the type of a key attribute.
pub fn key_type(attribute: &str) -> ScalarType {
    match attribute {
        "at" | "gn" => ScalarType::N,
        "hash" | "gb" => ScalarType::B,
        _ => ScalarType::S,
    }
}

/// Returns the values of a key attribute.
pub fn key_value(attribute: &str) -> BoxedStrategy<V> {
    let strings = |pool: &'static [&'static str]| select(pool).prop_map(V::from).boxed();
    let numbers = |pool: &'static [&'static str]| select(pool).prop_map(number).boxed();
    let binaries = |pool: &'static [&'static [u8]]| {
        select(pool).prop_map(|bytes: &[u8]| V::B(bytes.to_vec())).boxed()
    };
    match attribute {
        "PK" => strings(&["a", "b", "b\0"]),
        "SK" => strings(&["1", "10", "2", "2\0", "2\0a", "é"]),
        "at" => numbers(&["-10", "-1.5", "0", "7", "7.25", "1E+100"]),
        "hash" => binaries(&[&[0], &[0, 0], &[1], &[0, 255], &[255]]),
        "gs" => strings(&["p", "q"]),
        "gt" => strings(&["s", "st", "t"]),
        "gn" => numbers(&["-3", "0.5", "1", "200"]),
        "gb" => binaries(&[&[1], &[1, 0], &[2]]),
        _ => strings(&["a", "ab", "b"]),
    }
}

/// Returns a number from its text.
pub fn number(text: &str) -> V {
    V::N(text.parse().expect("the numbers of the world are well formed"))
}

/// Any value, mostly small.
pub fn any_value() -> BoxedStrategy<V> {
    let scalar = prop_oneof![
        3 => select(&["", "a", "ab", "b"][..]).prop_map(V::from),
        3 => any_number(),
        1 => select(vec![vec![], vec![1], vec![1, 2]]).prop_map(V::B),
        1 => any::<bool>().prop_map(V::Bool),
        1 => Just(V::Null),
    ];
    let set = select(vec![
        V::Ss(Set::of("a".to_owned(), ["b".to_owned()])),
        V::Ss(Set::of("c".to_owned(), [])),
        V::Ns(Set::of(1.into(), [2.into(), 30.into()])),
        V::Bs(Set::of(vec![1], [vec![2, 3]])),
    ]);
    let leaf = prop_oneof![8 => scalar, 2 => set];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(V::L),
            prop::collection::btree_map(
                select(&["a", "b"][..]).prop_map(String::from),
                inner,
                0..3
            )
            .prop_map(V::M),
        ]
    })
    .boxed()
}

/// Returns a number, sometimes at the limits.
pub fn any_number() -> BoxedStrategy<V> {
    let edges = [
        "9.9999999999999999999999999999999999999E+125",
        "-9.9999999999999999999999999999999999999E+125",
        "1E-130",
        "12345678901234567890123456789012345678",
        "0.5",
        "-120.05",
    ];
    let small = select(&["0", "1", "2", "-7", "30"][..]).prop_map(number);
    prop_oneof![6 => small, 1 => select(edges.to_vec()).prop_map(number)].boxed()
}

/// Returns a value for an attribute, of the type that suits its name if it has one.
pub fn value_for(attribute: &str) -> BoxedStrategy<V> {
    let strings = || prop::collection::btree_set(select(&["a", "b", "c"][..]), 1..3);
    match attribute {
        "ss" => strings().prop_map(set_of_strings).boxed(),
        "ns" => prop::collection::btree_set(select(&[1, 2, 30][..]), 1..3)
            .prop_map(|set| V::Ns(Set::new(set.into_iter().map(Into::into).collect()).unwrap()))
            .boxed(),
        "bs" => prop::collection::btree_set(select(vec![vec![1_u8], vec![2, 3]]), 1..3)
            .prop_map(|set| V::Bs(Set::new(set.into_iter().collect()).unwrap()))
            .boxed(),
        "m" => prop::collection::btree_map(
            select(&["a", "b", "c"][..]).prop_map(String::from),
            any_value(),
            0..4,
        )
        .prop_map(V::M)
        .boxed(),
        "l" => {
            let known = select(vec![V::from("a"), V::from(1), V::from(true)]);
            let element = prop_oneof![2 => known, 1 => any_value()];
            prop::collection::vec(element, 0..5).prop_map(V::L).boxed()
        }
        "n" => any_number(),
        "ttl" => {
            let seconds = |offset: i64| V::from(START_SECONDS as i64 + offset);
            let past_and_future = [-99_999, -1, 101, 301, 1_001, 9_999, 9_999_999];
            let times = select(past_and_future.to_vec()).prop_map(seconds);
            let never = select(vec![V::from(11), V::from("1800000001"), seconds(-200_000_001)]);
            prop_oneof![4 => times, 1 => never].boxed()
        }
        "big" => select(vec![1_000, 1_013, 4_080, 9_000, 50_000]).prop_map(text_of).boxed(),
        "huge" => select(vec![150_000, 250_000, 380_000]).prop_map(text_of).boxed(),
        "x" => prop_oneof![select(&["a", "ab", "b"][..]).prop_map(V::from), any_value()].boxed(),
        "y" | "status" => any_value(),
        key => key_value(key),
    }
}

fn text_of(length: usize) -> V {
    V::S("z".repeat(length))
}

fn set_of_strings(set: std::collections::BTreeSet<&str>) -> V {
    V::Ss(Set::new(set.into_iter().map(String::from).collect()).unwrap())
}

/// These attributes, each with one of its values.
pub fn attributes(names: impl Iterator<Item = &'static str>) -> BoxedStrategy<Item> {
    let all: Vec<_> =
        names.map(|name| value_for(name).prop_map(move |value| (name.to_owned(), value))).collect();
    all.prop_map(|pairs| pairs.into_iter().collect()).boxed()
}
