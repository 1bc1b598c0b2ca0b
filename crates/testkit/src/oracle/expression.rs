//! Conditions and projections, evaluated the naive way on whole items. It shares the tree types with
//! `monotable-expression` and nothing else: no call into its evaluator.

use std::cmp::Ordering;

use monotable_expression::{Comparator, Condition, KeyTerm, KeyTest, Operand, Path, Step};
use monotable_types::{AttributeValue as V, Item};

/// Returns the value at a path, if every step exists.
pub(super) fn at<'a>(item: &'a Item, path: &Path) -> Option<&'a V> {
    path.steps.iter().try_fold(item.get(&path.root)?, |value, step| match (value, step) {
        (V::M(map), Step::Key(key)) => map.get(key),
        (V::L(list), Step::Index(index)) => list.get(*index),
        _ => None,
    })
}

fn operand(item: &Item, operand: &Operand) -> Option<V> {
    let size = match operand {
        Operand::Path(path) => return at(item, path).cloned(),
        Operand::Value(value) => return Some(value.clone()),
        Operand::Size(path) => match at(item, path)? {
            V::S(text) => text.len(),
            V::B(bytes) => bytes.len(),
            V::M(map) => map.len(),
            V::L(list) => list.len(),
            V::Ss(set) => set.len(),
            V::Ns(set) => set.len(),
            V::Bs(set) => set.len(),
            V::N(_) | V::Bool(_) | V::Null => return None,
        },
    };
    Some(V::from(size))
}

/// Only strings, numbers and binaries have an order, and only within their own type. A missing
/// value differs from everything and has no order.
fn compare(left: &Option<V>, comparator: Comparator, right: &Option<V>) -> bool {
    let order = match (left, right) {
        (None, _) | (_, None) => return comparator == Comparator::Ne,
        (Some(V::S(left)), Some(V::S(right))) => Some(left.as_bytes().cmp(right.as_bytes())),
        (Some(V::N(left)), Some(V::N(right))) => Some(left.cmp(right)),
        (Some(V::B(left)), Some(V::B(right))) => Some(left.cmp(right)),
        _ => None,
    };
    match comparator {
        Comparator::Eq => left == right,
        Comparator::Ne => left != right,
        Comparator::Lt => order.is_some_and(Ordering::is_lt),
        Comparator::Le => order.is_some_and(Ordering::is_le),
        Comparator::Gt => order.is_some_and(Ordering::is_gt),
        Comparator::Ge => order.is_some_and(Ordering::is_ge),
    }
}

fn contains(whole: &V, part: &V) -> bool {
    match (whole, part) {
        (V::S(whole), V::S(part)) => whole.contains(part.as_str()),
        (V::B(whole), V::B(part)) => {
            part.is_empty() || whole.windows(part.len()).any(|window| window == part)
        }
        (V::L(list), part) => list.contains(part),
        (V::Ss(set), V::S(part)) => set.iter().any(|element| element == part),
        (V::Ns(set), V::N(part)) => set.iter().any(|element| element == part),
        (V::Bs(set), V::B(part)) => set.iter().any(|element| element == part),
        _ => false,
    }
}

/// Returns whether the condition is true for the item; a missing item is an empty one.
pub(super) fn holds(item: &Item, condition: &Condition) -> bool {
    let value = |of: &Operand| operand(item, of);
    match condition {
        Condition::Compare { left, comparator, right } => {
            compare(&value(left), *comparator, &value(right))
        }
        Condition::Between { operand, low, high } => {
            compare(&value(operand), Comparator::Ge, &value(low))
                && compare(&value(operand), Comparator::Le, &value(high))
        }
        Condition::In { operand, list } => {
            list.iter().any(|choice| compare(&value(operand), Comparator::Eq, &value(choice)))
        }
        Condition::And(all) => all.iter().all(|condition| holds(item, condition)),
        Condition::Or(any) => any.iter().any(|condition| holds(item, condition)),
        Condition::Not(condition) => !holds(item, condition),
        Condition::AttributeExists(path) => at(item, path).is_some(),
        Condition::AttributeNotExists(path) => at(item, path).is_none(),
        Condition::AttributeType(of, name) => {
            value(of).is_some_and(|value| value.type_name() == *name)
        }
        Condition::BeginsWith(whole, prefix) => match (value(whole), value(prefix)) {
            (Some(V::S(whole)), Some(V::S(prefix))) => whole.starts_with(&prefix),
            (Some(V::B(whole)), Some(V::B(prefix))) => whole.starts_with(&prefix),
            _ => false,
        },
        Condition::Contains(whole, part) => match (value(whole), value(part)) {
            (Some(whole), Some(part)) => contains(&whole, &part),
            _ => false,
        },
    }
}

/// Returns whether the item passes one test of a key condition.
pub(super) fn passes(item: &Item, term: &KeyTerm) -> bool {
    let key = item.get(&term.attribute).cloned();
    let compared = |comparator, right: &V| compare(&key, comparator, &Some(right.clone()));
    match &term.test {
        KeyTest::Eq(right) => compared(Comparator::Eq, right),
        KeyTest::Lt(right) => compared(Comparator::Lt, right),
        KeyTest::Le(right) => compared(Comparator::Le, right),
        KeyTest::Gt(right) => compared(Comparator::Gt, right),
        KeyTest::Ge(right) => compared(Comparator::Ge, right),
        KeyTest::Between(low, high) => {
            compared(Comparator::Ge, low) && compared(Comparator::Le, high)
        }
        KeyTest::BeginsWith(prefix) => match (&key, prefix) {
            (Some(V::S(key)), V::S(prefix)) => key.starts_with(prefix),
            (Some(V::B(key)), V::B(prefix)) => key.starts_with(prefix),
            _ => false,
        },
    }
}

/// Returns what the paths select, nested as in the item; list elements close up.
pub(super) fn project<'a>(item: &Item, paths: impl Iterator<Item = &'a Path> + Clone) -> Item {
    let chosen = |(name, value): (&String, &V)| {
        let below = paths.clone().filter(|path| path.root == *name).map(|path| &path.steps[..]);
        Some((name.clone(), select(value, &below.collect::<Vec<_>>())?))
    };
    item.iter().filter_map(chosen).collect()
}

fn select(value: &V, paths: &[&[Step]]) -> Option<V> {
    if paths.iter().any(|path| path.is_empty()) {
        return Some(value.clone());
    }
    let below = |step: Step| -> Vec<&[Step]> {
        paths.iter().filter(|path| path[0] == step).map(|path| &path[1..]).collect()
    };
    match value {
        V::M(map) => {
            let chosen = |(name, value): (&String, &V)| {
                Some((name.clone(), select(value, &below(Step::Key(name.clone())))?))
            };
            let map: Item = map.iter().filter_map(chosen).collect();
            (!map.is_empty()).then_some(V::M(map))
        }
        V::L(list) => {
            let chosen = |(index, value)| select(value, &below(Step::Index(index)));
            let list: Vec<V> = list.iter().enumerate().filter_map(chosen).collect();
            (!list.is_empty()).then_some(V::L(list))
        }
        _ => None,
    }
}
