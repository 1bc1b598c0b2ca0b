//! The item that a condition names: equalities on all key attributes, and the remaining conditions.

use monotable_engine::KeySchema;
use monotable_expression::{Comparator, Condition, Operand};
use monotable_types::{AttributeValue, Item, ScalarType};

use super::problem::refused;
use crate::error::Result;

/// The parts of a condition that concern the primary key.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ItemKey {
    /// The first value that each key attribute must equal.
    pub(crate) key: Item,
    /// The other conjuncts, in their order.
    pub(crate) rest: Vec<Condition>,
    /// Whether every key attribute has a value.
    pub(crate) is_complete: bool,
    /// A key attribute that must equal two values.
    pub(crate) conflict: Option<String>,
}

/// Whether a list of one value counts as an equality, as it does for reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lists {
    OfOneCount,
    NeverCount,
}

impl ItemKey {
    /// Extracts the key from a condition.
    pub(crate) fn of(condition: Option<&Condition>, keys: &KeySchema, lists: Lists) -> Self {
        let mut found = Self::default();
        let mut conjuncts = Vec::new();
        condition.into_iter().for_each(|condition| flatten(condition, &mut conjuncts));
        for conjunct in conjuncts {
            match equality(conjunct, keys, lists) {
                Some((name, value)) => found.take(name, value, conjunct),
                None => found.rest.push(conjunct.clone()),
            }
        }
        found.is_complete = attributes(keys).all(|(name, _)| found.key.contains_key(name));
        found
    }

    fn take(&mut self, name: &str, value: &AttributeValue, conjunct: &Condition) {
        match self.key.get(name) {
            None => {
                self.key.insert(name.to_owned(), value.clone());
            }
            Some(first) if first == value => {}
            Some(_) => {
                self.conflict.get_or_insert_with(|| name.to_owned());
                self.rest.push(conjunct.clone());
            }
        }
    }

    /// Returns the key of the one item that a statement changes, and the remaining conditions.
    pub(crate) fn of_written_item(self, keys: &KeySchema) -> Result<(Item, Vec<Condition>)> {
        if !self.is_complete {
            return Err(refused(
                "Where clause does not contain a mandatory equality on all key attributes",
            ));
        }
        if let Some(name) = self.conflict {
            return Err(refused(format!(
                "Multiple conditions on same key {name}. Only single item Update/Insert/Delete are \
                 supported"
            )));
        }
        for (name, scalar_type) in attributes(keys) {
            if let Some(value) = self.key.get(name) {
                check_type(name, scalar_type, value)?;
            }
        }
        Ok((self.key, self.rest))
    }
}

/// Returns the key attributes, partition key first.
pub(crate) fn attributes(keys: &KeySchema) -> impl Iterator<Item = (&str, ScalarType)> {
    keys.partition_key().chain(keys.sort_key())
}

/// Refuses a comparison of a key attribute with a value of another type, as AWS does.
pub(crate) fn check_type(
    name: &str,
    scalar_type: ScalarType,
    value: &AttributeValue,
) -> Result<()> {
    if scalar_type.matches(value) {
        return Ok(());
    }
    let is_scalar =
        matches!(value, AttributeValue::S(_) | AttributeValue::N(_) | AttributeValue::B(_));
    Err(refused(if is_scalar {
        format!(
            "Key attribute's data type should match its data type in table's schema: Key {name}"
        )
    } else {
        format!(
            "Key value must be of type S, N, or B. Key name: {name}, Key type: {}",
            value.type_name()
        )
    }))
}

/// Collects the conjuncts of a condition, however they are nested.
fn flatten<'c>(condition: &'c Condition, conjuncts: &mut Vec<&'c Condition>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| flatten(part, conjuncts)),
        other => conjuncts.push(other),
    }
}

fn equality<'c>(
    condition: &'c Condition,
    keys: &KeySchema,
    lists: Lists,
) -> Option<(&'c str, &'c AttributeValue)> {
    let (name, value) = match condition {
        Condition::Compare { left, comparator: Comparator::Eq, right } => match (left, right) {
            (Operand::Path(path), Operand::Value(value))
            | (Operand::Value(value), Operand::Path(path)) => {
                path.is_attribute().then_some((path.root.as_str(), value))?
            }
            _ => return None,
        },
        Condition::In { operand: Operand::Path(path), list } if lists == Lists::OfOneCount => {
            match list.as_slice() {
                [Operand::Value(value)] if path.is_attribute() => (path.root.as_str(), value),
                _ => return None,
            }
        }
        _ => return None,
    };
    attributes(keys).any(|(key, _)| key == name).then_some((name, value))
}
