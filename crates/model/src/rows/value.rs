//! A single value in a row without an entity, in the table's codec.
//!
//! In a table of value rows that is JSON text, compressed when it is long, or a number; in a table
//! of envelopes JSON text; in any other table an attribute value.

use monotable_design::meta::{Codec, TableMeta};
use monotable_types::{AttributeValue, Item, Number};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;

use super::row::RuleRow;
use crate::codec::{self, COMPRESSED, CodecError, META, VALUE};
use crate::error::{Error, Result};

/// Returns the attributes of a value.
pub(super) fn encode(
    table: &TableMeta,
    rule: &RuleRow,
    value: &(impl Serialize + ?Sized),
) -> Result<Item> {
    let encoded = || -> Result<Item, CodecError> {
        let mut row = Item::new();
        match table.codec {
            None | Some(Codec::Plain) => {
                row.insert(rule.attributes.value.to_owned(), codec::to_value(value)?);
            }
            Some(Codec::Envelope { .. }) => {
                row.insert(rule.attributes.value.to_owned(), json(value)?.into());
            }
            Some(Codec::ValueRow) => {
                let json = json(value)?;
                match number(&json) {
                    Some(number) => drop(row.insert(VALUE.to_owned(), number.into())),
                    None => codec::write_json(&mut row, json)?,
                }
                codec::check_size(&row)?;
                rename(&mut row, VALUE, rule.attributes.value);
            }
        }
        Ok(row)
    };
    encoded().map_err(|error| Error::Encode { entity: rule.kind, error })
}

/// Returns the value of a row.
pub(super) fn decode<T: DeserializeOwned>(
    table: &TableMeta,
    rule: &RuleRow,
    mut row: Item,
) -> Result<T> {
    let unfit =
        |error: &dyn std::fmt::Display| rule.unfit(format!("the value of `{}`: {error}", rule.key));
    let missing = || unfit(&"it is missing");
    match table.codec {
        None | Some(Codec::Plain) => {
            let value = row.remove(rule.attributes.value).ok_or_else(missing)?;
            codec::from_value(value).map_err(|error| unfit(&error))
        }
        Some(Codec::Envelope { .. }) => {
            let value = row.get(rule.attributes.value).and_then(AttributeValue::as_s);
            serde_json::from_str(value.ok_or_else(missing)?).map_err(|error| unfit(&error))
        }
        Some(Codec::ValueRow) => {
            rename(&mut row, rule.attributes.value, VALUE);
            let value = codec::take_text(&mut row).map_err(|error| unfit(&error))?;
            match value.unwrap_or_else(|| "{}".into()) {
                // A text that is not JSON is the value itself, such as the token of a lock.
                AttributeValue::S(text) => serde_json::from_str(&text).or_else(|error| {
                    let text = serde_json::Value::from(text).to_string();
                    serde_json::from_str(&text).map_err(|_| unfit(&error))
                }),
                // A number is its own JSON text, with all digits.
                AttributeValue::N(number) => {
                    serde_json::from_str(&number.to_string()).map_err(|error| unfit(&error))
                }
                value => codec::from_value(value).map_err(|error| unfit(&error)),
            }
        }
    }
}

/// Returns the value of the attribute that older programs used, read as the equivalent JSON.
pub(super) fn of_attribute<T: DeserializeOwned>(
    rule: &RuleRow,
    value: AttributeValue,
) -> Result<T> {
    let unfit =
        |error: &dyn std::fmt::Display| rule.unfit(format!("the value of `{}`: {error}", rule.key));
    let json: serde_json::Value = codec::from_value(value).map_err(|error| unfit(&error))?;
    serde_json::from_str(&json.to_string()).map_err(|error| unfit(&error))
}

/// Returns a row with another value. Its other attributes are kept, except those that describe the
/// old value.
pub(super) fn replace(mut row: Item, value: Item) -> Item {
    if let Some(AttributeValue::M(meta)) = row.get_mut(META) {
        meta.remove(COMPRESSED);
        if meta.is_empty() {
            row.remove(META);
        }
    }
    for (attribute, new) in value {
        match (row.get_mut(&attribute), new) {
            (Some(AttributeValue::M(meta)), AttributeValue::M(new)) if attribute == META => {
                meta.extend(new);
            }
            (_, new) => {
                row.insert(attribute, new);
            }
        }
    }
    row
}

fn json(value: &(impl Serialize + ?Sized)) -> Result<String, CodecError> {
    serde_json::to_string(value).map_err(CodecError::custom)
}

/// Returns the number of a JSON text, if the table can store it, so that it can be counted on.
fn number(json: &str) -> Option<Number> {
    let is_number = json.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    json.parse().ok().filter(|_| is_number)
}

fn rename(row: &mut Item, from: &str, to: &str) {
    if from != to
        && let Some(value) = row.remove(from)
    {
        row.insert(to.to_owned(), value);
    }
}
