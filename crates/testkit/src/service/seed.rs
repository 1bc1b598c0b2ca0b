//! Rows as a seed prints them.

use monotable::{AttributeValue, Item, Number};
use serde_json::Value;

/// Returns the item of a printed JSON text.
///
/// # Panics
/// Panics if it is not an object.
pub fn printed_item(printed: &str) -> Item {
    match attribute(serde_json::from_str(printed).expect("JSON")) {
        AttributeValue::M(item) => item,
        other => panic!("an item is an object, not {other:?}"),
    }
}

fn attribute(value: Value) -> AttributeValue {
    match value {
        Value::Null => AttributeValue::Null,
        Value::Bool(boolean) => AttributeValue::Bool(boolean),
        Value::Number(number) => {
            AttributeValue::N(number.to_string().parse::<Number>().expect("a number"))
        }
        Value::String(text) => AttributeValue::S(text),
        Value::Array(values) => AttributeValue::L(values.into_iter().map(attribute).collect()),
        Value::Object(entries) => AttributeValue::M(
            entries.into_iter().map(|(name, value)| (name, attribute(value))).collect(),
        ),
    }
}
