//! Updates of a few attributes that mostly apply.

use monotable_expression::{Path, SetOperand, SetValue, Update};
use monotable_types::AttributeValue as V;
use proptest::prelude::*;

use super::expression::path;
use super::value::{any_number, any_value, value_for};

/// One action of an update.
#[derive(Clone, Debug)]
enum Action {
    Set(Path, SetValue),
    Remove(Path),
    Add(Path, V),
    Delete(Path, V),
}

fn set(path: Path, operand: SetOperand) -> Vec<Action> {
    vec![Action::Set(path, SetValue::Operand(operand))]
}

/// Returns what an update may do to one attribute; the written paths never overlap.
fn actions(root: &'static str) -> BoxedStrategy<Vec<Action>> {
    let here = Path::attribute(root);
    let value = || value_for(root);
    let put = {
        let here = here.clone();
        value().prop_map(move |value| set(here.clone(), SetOperand::Value(value)))
    };
    let remove = Just(vec![Action::Remove(here.clone())]);
    let keep = {
        let here = here.clone();
        value().prop_map(move |value| {
            let default = Box::new(SetOperand::Value(value));
            set(here.clone(), SetOperand::IfNotExists(here.clone(), default))
        })
    };
    let copy = {
        let here = here.clone();
        path().prop_filter_map("an attribute is not copied to itself", move |from| {
            (from.root != root).then(|| set(here.clone(), SetOperand::Path(from)))
        })
    };
    let plain = prop_oneof![12 => put, 3 => remove, 3 => keep, 1 => copy];
    match root {
        "n" | "ttl" => prop_oneof![1 => plain, 2 => arithmetic(root)].boxed(),
        "ss" | "ns" | "bs" => {
            let (add, delete) = (here.clone(), here);
            let adding = value().prop_map(move |value| vec![Action::Add(add.clone(), value)]);
            let deleting =
                value().prop_map(move |value| vec![Action::Delete(delete.clone(), value)]);
            prop_oneof![1 => plain, 2 => adding, 2 => deleting].boxed()
        }
        "m" => prop_oneof![1 => plain, 4 => inside_map()].boxed(),
        "l" => prop_oneof![1 => plain, 4 => inside_list()].boxed(),
        _ => plain.boxed(),
    }
}

fn arithmetic(root: &'static str) -> BoxedStrategy<Vec<Action>> {
    let here = Path::attribute(root);
    let old = SetOperand::Path(here.clone());
    let or_zero = SetOperand::IfNotExists(here.clone(), Box::new(SetOperand::Value(0.into())));
    (any_number(), 0..4)
        .prop_map(move |(number, kind)| {
            let amount = SetOperand::Value(number.clone());
            let value = match kind {
                0 => return vec![Action::Add(here.clone(), number)],
                1 => SetValue::Plus(old.clone(), amount),
                2 => SetValue::Minus(amount, old.clone()),
                _ => SetValue::Plus(or_zero.clone(), amount),
            };
            vec![Action::Set(here.clone(), value)]
        })
        .boxed()
}

fn inside_map() -> BoxedStrategy<Vec<Action>> {
    let map = || Path::attribute("m");
    let value = || any_value().prop_map(SetOperand::Value);
    prop_oneof![
        value().prop_map(move |value| set(map().key("a"), value)),
        value().prop_map(move |value| set(map().key("b").key("a"), value)),
        value().prop_map(move |value| [
            set(map().key("a"), value.clone()),
            set(map().key("c"), value)
        ]
        .concat()),
        Just(vec![Action::Remove(map().key("a"))]),
        Just(vec![Action::Remove(map().key("b").key("a")), Action::Remove(map().key("c"))]),
        any_number().prop_map(move |number| vec![Action::Add(map().key("a"), number)]),
    ]
    .boxed()
}

fn inside_list() -> BoxedStrategy<Vec<Action>> {
    let list = || Path::attribute("l");
    let value = || any_value().prop_map(SetOperand::Value);
    let more =
        || prop::collection::vec(any_value(), 0..2).prop_map(|more| SetOperand::Value(V::L(more)));
    let append = |front, back| {
        set(Path::attribute("l"), SetOperand::ListAppend(Box::new(front), Box::new(back)))
    };
    let none = || SetOperand::Value(V::L(Vec::new()));
    prop_oneof![
        value().prop_map(move |value| set(list().index(0), value)),
        value().prop_map(move |value| set(list().index(2), value)),
        value().prop_map(move |value| [
            set(list().index(1), value),
            vec![Action::Remove(list().index(0))]
        ]
        .concat()),
        Just(vec![Action::Remove(list().index(0))]),
        Just(vec![Action::Remove(list().index(0)), Action::Remove(list().index(1))]),
        Just(vec![Action::Remove(list().index(1).key("a"))]),
        more().prop_map(move |more| append(SetOperand::Path(list()), more)),
        more().prop_map(move |more| append(more, SetOperand::Path(list()))),
        more()
            .prop_map(move |more| append(SetOperand::IfNotExists(list(), Box::new(none())), more)),
    ]
    .boxed()
}

/// Returns an update of a few attributes.
pub(super) fn update() -> BoxedStrategy<Update> {
    let plain = ["gs", "gt", "gn", "gb", "x", "y", "n", "ss", "ns", "bs", "ttl", "status"];
    let plain = plain.map(|root| prop::option::weighted(0.12, actions(root)));
    let documents = ["m", "l"].map(|root| prop::option::weighted(0.25, actions(root)));
    let large = ["big", "huge"].map(|root| prop::option::weighted(0.04, actions(root)));
    let all: Vec<_> = plain.into_iter().chain(documents).chain(large).collect();
    all.prop_filter_map("an update does something", |actions| {
        let mut update = Update::default();
        for action in actions.into_iter().flatten().flatten() {
            match action {
                Action::Set(path, value) => update.set.push((path, value)),
                Action::Remove(path) => update.remove.push(path),
                Action::Add(path, value) => update.add.push((path, value)),
                Action::Delete(path, value) => update.delete.push((path, value)),
            }
        }
        (!update.is_empty()).then_some(update)
    })
    .boxed()
}
