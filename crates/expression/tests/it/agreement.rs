//! Evaluating and applying agree with literal implementations of AWS's documentation.
//!
//! The references resolve every operand to a copy first and then work through the documented
//! rules; they share no code with the crate beyond the trees and values.

use std::cmp::Ordering;

use monotable_expression::{
    Comparator, Condition, Operand, Path, SetOperand, SetValue, Step, Update,
};
use monotable_types::{AttributeValue, Item, Number, Set};
use proptest::prelude::*;

use crate::arbitrary;

fn find(path: &Path, item: &Item) -> Option<AttributeValue> {
    let mut found = item.get(&path.root).cloned();
    for step in &path.steps {
        found = match (found?, step) {
            (AttributeValue::M(map), Step::Key(key)) => map.get(key).cloned(),
            (AttributeValue::L(list), Step::Index(index)) => list.get(*index).cloned(),
            _ => None,
        };
    }
    found
}

fn operand(operand: &Operand, item: &Item) -> Option<AttributeValue> {
    match operand {
        Operand::Value(value) => Some(value.clone()),
        Operand::Path(path) => find(path, item),
        Operand::Size(path) => {
            let size = match find(path, item)? {
                AttributeValue::S(text) => text.chars().map(char::len_utf16).sum(),
                AttributeValue::B(bytes) => bytes.len(),
                AttributeValue::Ss(set) => set.iter().count(),
                AttributeValue::Ns(set) => set.iter().count(),
                AttributeValue::Bs(set) => set.iter().count(),
                AttributeValue::L(list) => list.len(),
                AttributeValue::M(map) => map.len(),
                _ => return None,
            };
            Some(AttributeValue::N(Number::from(size)))
        }
    }
}

fn order(left: &AttributeValue, right: &AttributeValue) -> Option<Ordering> {
    match (left, right) {
        (AttributeValue::S(left), AttributeValue::S(right)) => {
            Some(left.as_bytes().cmp(right.as_bytes()))
        }
        (AttributeValue::B(left), AttributeValue::B(right)) => Some(left.cmp(right)),
        (AttributeValue::N(left), AttributeValue::N(right)) => {
            // By the sign of the exact difference; the values of these tests cannot overflow.
            let difference = left.checked_sub(*right).ok()?;
            Some(match (difference.is_zero(), difference.is_negative()) {
                (true, _) => Ordering::Equal,
                (false, true) => Ordering::Less,
                (false, false) => Ordering::Greater,
            })
        }
        _ => None,
    }
}

fn contains(value: &AttributeValue, part: &AttributeValue) -> bool {
    let elements: Vec<AttributeValue> = match value {
        AttributeValue::S(text) => {
            return part.as_s().is_some_and(|part| text.split(part).count() > 1 || part.is_empty());
        }
        AttributeValue::B(bytes) => {
            return part.as_b().is_some_and(|part| {
                (0..=bytes.len()).any(|start| bytes[start..].starts_with(part))
            });
        }
        AttributeValue::L(list) => list.clone(),
        AttributeValue::Ss(set) => set.iter().cloned().map(AttributeValue::S).collect(),
        AttributeValue::Ns(set) => set.iter().copied().map(AttributeValue::N).collect(),
        AttributeValue::Bs(set) => set.iter().cloned().map(AttributeValue::B).collect(),
        _ => Vec::new(),
    };
    elements.iter().any(|element| element == part)
}

fn evaluate(condition: &Condition, item: &Item) -> bool {
    let get = |each: &Operand| operand(each, item);
    let compare = |left: &Operand, comparator: Comparator, right: &Operand| {
        let (left, right) = (get(left), get(right));
        let equal = left.is_some() && left == right;
        let ordering = left.zip(right).and_then(|(left, right)| order(&left, &right));
        match comparator {
            Comparator::Eq => equal,
            Comparator::Ne => !equal,
            Comparator::Lt => ordering == Some(Ordering::Less),
            Comparator::Gt => ordering == Some(Ordering::Greater),
            Comparator::Le => ordering.is_some() && ordering != Some(Ordering::Greater),
            Comparator::Ge => ordering.is_some() && ordering != Some(Ordering::Less),
        }
    };
    match condition {
        Condition::Compare { left, comparator, right } => compare(left, *comparator, right),
        Condition::Between { operand, low, high } => {
            compare(operand, Comparator::Ge, low) && compare(operand, Comparator::Le, high)
        }
        Condition::In { operand, list } => {
            list.iter().any(|each| compare(operand, Comparator::Eq, each))
        }
        Condition::And(conditions) => !conditions.iter().any(|each| !evaluate(each, item)),
        Condition::Or(conditions) => conditions.iter().any(|each| evaluate(each, item)),
        Condition::Not(condition) => !evaluate(condition, item),
        Condition::AttributeExists(path) => find(path, item).is_some(),
        Condition::AttributeNotExists(path) => find(path, item).is_none(),
        Condition::AttributeType(operand, name) => {
            get(operand).map(|value| value.type_name()) == Some(*name)
        }
        Condition::BeginsWith(value, prefix) => match (get(value), get(prefix)) {
            (Some(AttributeValue::S(value)), Some(AttributeValue::S(prefix))) => {
                value.as_bytes().starts_with(prefix.as_bytes())
            }
            (Some(AttributeValue::B(value)), Some(AttributeValue::B(prefix))) => {
                value.starts_with(&prefix)
            }
            _ => false,
        },
        Condition::Contains(value, part) => match (get(value), get(part)) {
            (Some(value), Some(part)) => contains(&value, &part),
            _ => false,
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn evaluation_agrees_with_the_literal_reference(
        condition in arbitrary::condition(),
        item in arbitrary::item(),
    ) {
        prop_assert_eq!(condition.evaluate(&item), evaluate(&condition, &item));
    }

    #[test]
    fn projections_keep_exactly_the_values_of_their_paths(
        projection in arbitrary::projection(),
        item in arbitrary::item(),
    ) {
        let whole: Item = projection
            .paths
            .iter()
            .filter(|path| path.steps.is_empty())
            .filter_map(|path| Some((path.root.clone(), find(path, &item)?)))
            .collect();
        let projected = projection.apply(&item);
        for (name, value) in whole {
            prop_assert_eq!(projected.get(&name), Some(&value));
        }
        for path in &projection.paths {
            prop_assert_eq!(projected.contains_key(&path.root), find(path, &item).is_some());
        }
    }
}

/// Updates of whole attributes by the documented rules, each action against a copy of the item.
fn update_attributes(update: &Update, before: &Item) -> Option<Item> {
    let mut after = before.clone();
    for (path, value) in &update.add {
        let sum = match (before.get(&path.root), value) {
            (None, value) => value.clone(),
            (Some(AttributeValue::N(one)), AttributeValue::N(two)) => {
                AttributeValue::N(one.checked_add(*two).ok()?)
            }
            (Some(AttributeValue::Ss(one)), AttributeValue::Ss(two)) => {
                let all = one.iter().chain(two.iter()).cloned();
                AttributeValue::Ss(Set::of(one.as_slice()[0].clone(), all))
            }
            _ => return None,
        };
        after.insert(path.root.clone(), sum);
    }
    for (path, value) in &update.delete {
        match (before.get(&path.root), value) {
            (None, _) => {}
            (Some(AttributeValue::Ss(one)), AttributeValue::Ss(two)) => {
                let left: Vec<_> = one.iter().filter(|each| !two.contains(each)).collect();
                match left.as_slice() {
                    [] => drop(after.remove(&path.root)),
                    [first, rest @ ..] => {
                        let left = Set::of((*first).clone(), rest.iter().copied().cloned());
                        after.insert(path.root.clone(), AttributeValue::Ss(left));
                    }
                }
            }
            _ => return None,
        }
    }
    for path in &update.remove {
        after.remove(&path.root);
    }
    for (path, value) in &update.set {
        let SetValue::Operand(SetOperand::Path(from)) = value else {
            return None;
        };
        after.insert(path.root.clone(), find(from, before)?);
    }
    Some(after)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn updates_agree_with_the_literal_reference(
        item in arbitrary::item(),
        sources in prop::collection::vec(arbitrary::path(), 0..3),
        amounts in prop::collection::vec(
            prop_oneof![arbitrary::number().prop_map(AttributeValue::N), arbitrary::string_set()],
            0..3,
        ),
        deleted in prop::collection::vec(arbitrary::string_set(), 0..2),
        removed in 0_usize..2,
        mut roots in Just(["a", "b", "name", "x.y", "#odd", "é", "new", "newer"]).prop_shuffle(),
    ) {
        let mut next = roots.iter_mut().map(|root| Path::attribute(*root));
        let mut next = || next.next().unwrap();
        let update = Update {
            set: sources.into_iter().map(|from| (next(), SetOperand::Path(from).into())).collect(),
            remove: (0..removed).map(|_| next()).collect(),
            add: amounts.into_iter().map(|amount| (next(), amount)).collect(),
            delete: deleted.into_iter().map(|set| (next(), set)).collect(),
        };
        let mut after = item.clone();
        let outcome = update.apply(&mut after);
        match update_attributes(&update, &item) {
            Some(expected) => {
                prop_assert_eq!(outcome, Ok(()));
                prop_assert_eq!(after, expected);
            }
            None => {
                prop_assert!(outcome.is_err());
                prop_assert_eq!(after, item);
            }
        }
    }
}
