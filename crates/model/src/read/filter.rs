//! Filters: conditions that drop rows after they were read. They know the names that fields had before,
//! as reads do.

use monotable_design::meta::{PatternMeta, PresenceTest};
use monotable_expression::{Condition, path};
use monotable_types::AttributeValue;
use serde::Serialize;

use crate::codec;
use crate::error::{Error, Result};

/// A value that an attribute must have.
#[derive(Debug)]
pub struct Filter {
    attribute: &'static str,
    /// NULL for any.
    value: Result<AttributeValue>,
}

/// Keeps only rows whose attribute has this value; `None` keeps all.
pub fn filter<T: Serialize + ?Sized>(attribute: &'static str, value: &T) -> Filter {
    let value = codec::to_value(value);
    let value = value.map_err(|error| Error::Encode { entity: attribute, error });
    Filter { attribute, value }
}

/// What every row of a pattern must pass.
pub(super) fn all_of(pattern: &PatternMeta, filters: &[Filter]) -> Result<Option<Condition>> {
    let mut conditions = Vec::new();
    for Filter { attribute, value } in filters {
        match value.clone()? {
            AttributeValue::Null => {}
            value => conditions.push(has(pattern, attribute, &value)),
        }
    }
    conditions.extend(pattern.presence.iter().map(|test| match test {
        PresenceTest::Exists(attribute) => !is_absent(pattern, attribute),
        PresenceTest::Absent(attribute) => is_absent(pattern, attribute),
    }));
    Ok(conditions.into_iter().reduce(Condition::and))
}

/// The names that an attribute had before, in the rows of any entity.
fn aliases(pattern: &PatternMeta, attribute: &str) -> impl Iterator<Item = &'static str> {
    let fields = pattern.returns.iter().flat_map(|entity| entity.fields);
    let named = fields.filter(move |field| field.attribute == attribute);
    named.flat_map(|field| field.aliases.iter().copied())
}

/// An attribute has a value, or has no name of today and had it under an old one.
fn has(pattern: &PatternMeta, attribute: &str, value: &AttributeValue) -> Condition {
    let today = path(attribute).eq(value.clone());
    aliases(pattern, attribute).fold(today, |known, alias| {
        known.or(path(attribute).not_exists().and(path(alias).eq(value.clone())))
    })
}

/// An attribute has no value under any name. One that is NULL has none, as where rows are read.
fn is_absent(pattern: &PatternMeta, attribute: &str) -> Condition {
    let no_value = |name: &str| path(name).not_exists().or(path(name).eq(AttributeValue::Null));
    aliases(pattern, attribute).fold(no_value(attribute), |known, alias| known.and(no_value(alias)))
}
