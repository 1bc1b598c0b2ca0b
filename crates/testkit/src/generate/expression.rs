//! Expressions that are meaningful for the generated tables: conditions that are true about half
//! the time, projections, key conditions. All are well formed, as trees and as text.

use monotable_expression::{
    Comparator, Condition, KeyCondition, KeyTerm, KeyTest, Operand, Path, Projection,
};
use monotable_types::{AttributeValue as V, ScalarType, TypeName};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::strategy::Union;

use super::value::{any_number, any_value, key_type, key_value};
use super::world::Shape;

/// Attributes that are in no key of the tables as they are created.
const FREE: [&str; 9] = ["y", "m", "l", "n", "ss", "ns", "bs", "ttl", "status"];

pub(super) fn path() -> BoxedStrategy<Path> {
    let nested = vec![
        Path::attribute("m").key("a"),
        Path::attribute("m").key("b").key("a"),
        Path::attribute("m").key("b").index(0),
        Path::attribute("l").index(0),
        Path::attribute("l").index(2),
        Path::attribute("l").index(1).key("a"),
    ];
    let documents = select(&["m", "l"][..]).prop_map(Path::attribute);
    let attribute = select(&FREE[..]).prop_map(Path::attribute);
    prop_oneof![3 => attribute, 1 => documents, 2 => select(nested)].boxed()
}

/// Returns a value that has an order.
fn ordered() -> BoxedStrategy<V> {
    let binary = select(vec![vec![], vec![1], vec![1, 2]]).prop_map(V::B);
    prop_oneof![select(&["", "a", "ab"][..]).prop_map(V::from), any_number(), binary].boxed()
}

fn compare(left: Operand, comparator: Comparator, right: Operand) -> Condition {
    Condition::Compare { left, comparator, right }
}

const ORDERING: [Comparator; 4] = [Comparator::Lt, Comparator::Le, Comparator::Gt, Comparator::Ge];
const EQUALITY: [Comparator; 2] = [Comparator::Eq, Comparator::Ne];

/// Returns a condition on attributes outside of keys, as a filter must be.
pub(super) fn filter() -> BoxedStrategy<Condition> {
    let operand = || path().prop_map(Operand::Path);
    let value = |value: V| Operand::Value(value);
    let types = TypeName::ALL.to_vec();
    let leaf = prop_oneof![
        3 => path().prop_map(Condition::AttributeExists),
        2 => path().prop_map(Condition::AttributeNotExists),
        3 => (operand(), select(&EQUALITY[..]), any_value())
            .prop_map(move |(left, comparator, right)| compare(left, comparator, value(right))),
        3 => (operand(), select(&ORDERING[..]), ordered())
            .prop_map(move |(left, comparator, right)| compare(left, comparator, value(right))),
        1 => (path(), path(), select(&ORDERING[..])).prop_filter_map(
            "operands are distinct", |(left, right, comparator)| (left != right)
                .then(|| compare(Operand::Path(left), comparator, Operand::Path(right)))),
        2 => (path(), select(&ORDERING[..]), 0..4_i32).prop_map(
            move |(path, comparator, size)| compare(Operand::Size(path), comparator, value(size.into()))),
        2 => (operand(), 0..2_i32, 2..40_i32).prop_map(
            move |(operand, low, high)| Condition::Between {
                operand, low: value(low.into()), high: value(high.into()) }),
        1 => operand().prop_map(move |operand| Condition::Between {
                operand, low: value("a".into()), high: value("b".into()) }),
        2 => (operand(), prop::collection::vec(any_value(), 1..4)).prop_map(
            move |(operand, list)| Condition::In {
                operand, list: list.into_iter().map(value).collect() }),
        2 => (operand(), select(types))
            .prop_map(|(operand, name)| Condition::AttributeType(operand, name)),
        1 => (operand(), select(&["", "a"][..]).prop_map(V::from)).prop_map(
            move |(operand, prefix)| Condition::BeginsWith(operand, value(prefix))),
        2 => (operand(), ordered()).prop_map(
            move |(operand, part)| Condition::Contains(operand, value(part))),
        2 => (select(&["l", "ss", "ns"][..]), select(vec![V::from("a"), V::from(1)])).prop_map(
            move |(root, part)| {
                Condition::Contains(Operand::Path(Path::attribute(root)), value(part))
            }),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let several = || prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            several().prop_map(Condition::And),
            several().prop_map(Condition::Or),
            inner.clone().prop_map(|condition| Condition::Not(Box::new(condition))),
        ]
    })
    .boxed()
}

/// Returns a condition on a whole item: often on whether it is there at all.
pub(super) fn condition(key: &'static str) -> BoxedStrategy<Condition> {
    let exists = Condition::AttributeExists(Path::attribute(key));
    let not_exists = Condition::AttributeNotExists(Path::attribute(key));
    prop_oneof![
        2 => Just(exists.clone()),
        2 => Just(not_exists.clone()),
        4 => filter(),
        1 => filter().prop_map(move |other| Condition::Or(vec![not_exists.clone(), other])),
        1 => filter().prop_map(move |other| Condition::And(vec![exists.clone(), other])),
    ]
    .boxed()
}

/// Returns paths of which none is a prefix of another; for an index, only what it projects.
pub(super) fn projection(shape: &Shape) -> BoxedStrategy<Projection> {
    let keys = shape.partition.iter().chain(shape.sort).map(|name| Path::attribute(*name));
    let rest = match shape.included.filter(|_| shape.global) {
        Some(included) => included.iter().map(|name| Path::attribute(*name)).collect(),
        None => vec![
            Path::attribute("x"),
            Path::attribute("y"),
            Path::attribute("ss"),
            Path::attribute("status"),
            Path::attribute("m").key("a"),
            Path::attribute("m").key("b").key("a"),
            Path::attribute("l").index(0),
            Path::attribute("l").index(2),
            Path::attribute("gs"),
        ],
    };
    let mut paths: Vec<Path> = keys.chain(rest).collect();
    paths.sort();
    paths.dedup();
    let count = paths.len().min(4);
    subsequence(paths, 1..=count).prop_map(|paths| Projection { paths }).boxed()
}

fn key_test(attribute: &'static str) -> BoxedStrategy<KeyTest> {
    let value = || key_value(attribute);
    let kinds = if key_type(attribute) == ScalarType::N { 0..6 } else { 0..7 };
    (value(), value(), kinds)
        .prop_map(|(first, second, kind)| match kind {
            0 => KeyTest::Eq(first),
            1 => KeyTest::Lt(first),
            2 => KeyTest::Le(first),
            3 => KeyTest::Gt(first),
            4 => KeyTest::Ge(first),
            5 if is_before(&second, &first) => KeyTest::Between(second, first),
            5 => KeyTest::Between(first, second),
            _ => KeyTest::BeginsWith(first),
        })
        .boxed()
}

fn is_before(left: &V, right: &V) -> bool {
    match (left, right) {
        (V::S(left), V::S(right)) => left < right,
        (V::N(left), V::N(right)) => left < right,
        (V::B(left), V::B(right)) => left < right,
        _ => false,
    }
}

/// Returns a key condition that fits the shape: equality on the partition, then on some of the sort
/// attributes, the last of which may be tested in any way.
pub(super) fn key_condition(shape: &Shape) -> BoxedStrategy<KeyCondition> {
    let term = |name: &'static str, test: BoxedStrategy<KeyTest>| {
        test.prop_map(move |test| KeyTerm { attribute: name.to_owned(), test }).boxed()
    };
    let equal = |name: &&'static str| term(name, key_value(name).prop_map(KeyTest::Eq).boxed());
    let conditions = (0..=shape.sort.len()).map(|tested| {
        let mut terms: Vec<_> = shape.partition.iter().map(equal).collect();
        if let Some((last, equals)) = shape.sort[..tested].split_last() {
            terms.extend(equals.iter().map(equal));
            terms.push(term(last, key_test(last)));
        }
        terms.prop_map(|terms| KeyCondition { terms })
    });
    Union::new(conditions).boxed()
}
