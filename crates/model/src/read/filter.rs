//! Filters: conditions that drop rows after they were read. They consider previous names of fields,
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
    /// NULL to match all rows.
    value: Result<AttributeValue>,
}

/// Keeps only rows whose attribute has this value; `None` keeps all rows.
pub fn filter<T: Serialize + ?Sized>(attribute: &'static str, value: &T) -> Filter {
    let value = codec::to_value(value);
    let value = value.map_err(|error| Error::Encode { entity: attribute, error });
    Filter { attribute, value }
}

/// Returns the condition that every row of a pattern must meet.
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

/// Returns the previous names of an attribute, in the rows of any entity.
fn aliases(pattern: &PatternMeta, attribute: &str) -> impl Iterator<Item = &'static str> {
    let fields = pattern.returns.iter().flat_map(|entity| entity.fields);
    let named = fields.filter(move |field| field.attribute == attribute);
    named.flat_map(|field| field.aliases.iter().copied())
}

/// Tests that an attribute has a value, under its current name or else under a previous one.
fn has(pattern: &PatternMeta, attribute: &str, value: &AttributeValue) -> Condition {
    let today = path(attribute).eq(value.clone());
    aliases(pattern, attribute).fold(today, |known, alias| {
        known.or(path(attribute).not_exists().and(path(alias).eq(value.clone())))
    })
}

/// Tests that an attribute has no value under any name. NULL counts as no value, as in reads.
fn is_absent(pattern: &PatternMeta, attribute: &str) -> Condition {
    let no_value = |name: &str| path(name).not_exists().or(path(name).eq(AttributeValue::Null));
    aliases(pattern, attribute).fold(no_value(attribute), |known, alias| known.and(no_value(alias)))
}
