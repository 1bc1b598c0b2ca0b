//! Converts a key condition to a range of rows.

use std::ops::Bound;

use monotable_expression::{KeyCondition, KeyTest};
use monotable_types::{AttributeValue, Item};

use crate::error::{Error, Result};
use crate::layout::key_value;
use crate::layout::row_key::{AreaId, RowRange, TableId, after_prefix};
use crate::table::{KeyAttribute, KeySpec, close_partition, start_partition};

const NOT_SUPPORTED: &str = "Query key condition not supported";

/// Returns the rows of an area that a key condition selects.
pub(crate) fn key_range(
    table: TableId,
    area: AreaId,
    keys: &KeySpec,
    condition: &KeyCondition,
) -> Result<RowRange> {
    check_terms(keys, condition)?;
    if keys.partition.len() > 1 || keys.sort.len() > 1 {
        check_multiple(keys, condition)?;
    }
    let mut key = Vec::with_capacity(96);
    start_partition(&mut key, table, area);
    for attribute in &keys.partition {
        match condition.test_of(&attribute.name) {
            Some(KeyTest::Eq(value)) => drop(key_value::encode(&mut key, value)),
            Some(_) => return Err(Error::validation(NOT_SUPPORTED)),
            None => return Err(missed(attribute)),
        }
    }
    close_partition(&mut key);
    let mut range_test = None;
    for attribute in &keys.sort {
        match condition.test_of(&attribute.name) {
            Some(KeyTest::Eq(value)) => drop(key_value::encode(&mut key, value)),
            other => {
                range_test = other;
                break;
            }
        }
    }
    Ok(match range_test {
        Some(test) => sort_range(key, test),
        None => RowRange::prefix(&key),
    })
}

/// Checks that every term names a key attribute with a value of its type.
fn check_terms(keys: &KeySpec, condition: &KeyCondition) -> Result<()> {
    let (terms, attributes) = (condition.terms.len(), keys.attributes().count());
    if terms > attributes {
        return Err(Error::validation(format!(
            "The number of query conditions ({terms}) exceeds the number of key attributes defined \
             in the schema ({attributes})"
        )));
    }
    let given = |key: &KeyAttribute| condition.test_of(&key.name).is_some();
    if let [only] = keys.partition.as_slice()
        && !given(only)
        && keys.sort.len() < 2
    {
        return Err(missed(only));
    }
    let unknown = condition.terms.iter().any(|term| !keys.contains(&term.attribute));
    if unknown {
        return Err(match keys.sort.iter().find(|key| !given(key)) {
            Some(absent) => missed(absent),
            None => Error::validation(NOT_SUPPORTED),
        });
    }
    for key in keys.attributes() {
        let Some(test) = condition.test_of(&key.name) else {
            continue;
        };
        for value in test.values() {
            if !key.kind.matches(value) {
                return Err(Error::validation(
                    "One or more parameter values were invalid: Condition parameter type does not \
                     match schema type",
                ));
            }
            check_not_empty(key, value, test)?;
        }
    }
    Ok(())
}

/// Checks a key with several attributes: all of the partition key, and of the sort key a prefix of
/// which only the last may be a range.
fn check_multiple(keys: &KeySpec, condition: &KeyCondition) -> Result<()> {
    let is_equal =
        |key: &KeyAttribute| matches!(condition.test_of(&key.name), Some(KeyTest::Eq(_)));
    let open = |keys: &[KeyAttribute]| {
        let names: Vec<&str> =
            keys.iter().filter(|key| !is_equal(key)).map(|key| key.name.as_str()).collect();
        names.join(", ")
    };
    if !keys.partition.iter().all(is_equal) {
        return Err(Error::validation(format!(
            "HASH key attributes {} must have equality conditions specified in the query",
            open(&keys.partition)
        )));
    }
    let last = keys.sort.iter().rposition(|key| condition.test_of(&key.name).is_some());
    if let Some(last) = last
        && !keys.sort[..last].iter().all(is_equal)
    {
        return Err(Error::validation(format!(
            "RANGE key attributes {} must have equality conditions specified in the query because \
             a condition is present on key attribute {}",
            open(&keys.sort[..last]),
            keys.sort[last].name
        )));
    }
    Ok(())
}

fn check_not_empty(key: &KeyAttribute, value: &AttributeValue, test: &KeyTest) -> Result<()> {
    // Every string begins with the empty one, so that prefix selects the whole partition.
    if matches!(test, KeyTest::BeginsWith(_)) {
        return Ok(());
    }
    let keys = KeySpec { partition: vec![key.clone()], sort: Vec::new() };
    let item = Item::from([(key.name.clone(), value.clone())]);
    crate::validate::key_contents(&keys, &item)
}

fn missed(key: &KeyAttribute) -> Error {
    Error::validation(format!("Query condition missed key schema element: {}", key.name))
}

fn sort_range(prefix: Vec<u8>, test: &KeyTest) -> RowRange {
    let closed = |value: &AttributeValue| {
        let mut key = prefix.clone();
        key_value::encode(&mut key, value);
        key
    };
    let behind = |value: &AttributeValue| after_prefix(&closed(value));
    let mut range = RowRange::prefix(&prefix);
    match test {
        KeyTest::Eq(value) => range = RowRange::prefix(&closed(value)),
        KeyTest::Lt(value) => range.upper = Bound::Excluded(closed(value)),
        KeyTest::Le(value) => range.upper = behind(value),
        KeyTest::Gt(value) => range.lower = as_lower(behind(value)),
        KeyTest::Ge(value) => range.lower = Bound::Included(closed(value)),
        KeyTest::Between(low, high) => {
            range.lower = Bound::Included(closed(low));
            range.upper = behind(high);
        }
        KeyTest::BeginsWith(start) => {
            let mut key = prefix.clone();
            match start {
                AttributeValue::S(text) => key_value::encode_prefix(&mut key, text.as_bytes()),
                AttributeValue::B(bytes) => key_value::encode_prefix(&mut key, bytes),
                _ => {}
            }
            range = RowRange::prefix(&key);
        }
    }
    range
}

/// Converts an upper bound: the first key that it excludes is the first that the lower bound
/// includes.
fn as_lower(upper: Bound<Vec<u8>>) -> Bound<Vec<u8>> {
    match upper {
        Bound::Excluded(key) => Bound::Included(key),
        other => other,
    }
}
