//! Compares two rows by the fields of an entity, regardless of order.
//!
//! Maps and sets of Rust have no order, so the same entity can produce different JSON texts or
//! lists.

use std::borrow::Cow;

use monotable_design::meta::{Codec, EntityMeta};
use monotable_types::{AttributeValue, Item};
use serde_json::Value;

use super::location::{VALUE, is_field_attribute};
use super::value_row;

/// Returns whether two encodings of an entity's fields are equal. Lists in another order count as
/// equal only if the entity has a version, which then shows whether their order was changed.
pub(crate) fn is_same(meta: &EntityMeta, left: &Item, right: &Item) -> bool {
    if left == right {
        return true;
    }
    let order = match meta.version {
        Some(_) => Order::Any,
        None => Order::Kept,
    };
    let text = |row: &Item| {
        let mut row = row.clone();
        let json = take_json(meta, &mut row);
        let json = json.as_deref().map(|json| match serde_json::from_str(json) {
            Ok(value) => Cow::Owned(json_text(&value, order)),
            Err(_) => Cow::Borrowed(json),
        });
        (json.map(Cow::into_owned), attribute_text(&AttributeValue::M(row), order))
    };
    text(left) == text(right)
}

/// Returns whether a stored row contains exactly these encoded fields. It is cheaper than
/// [`is_same`], which needs the decoded row. It returns `false` for plain rows, because any of
/// their attributes may belong to a flattened map of the entity.
pub(crate) fn is_written(meta: &EntityMeta, row: &Item, fields: &Item) -> bool {
    let shared = match meta.codec {
        Codec::Plain => return false,
        Codec::Envelope { data } => data,
        Codec::ValueRow => VALUE,
    };
    let is_known =
        |name: &str| [shared, super::META].contains(&name) || is_field_attribute(meta, name);
    fields.iter().all(|(name, value)| row.get(name) == Some(value))
        && row.keys().all(|name| fields.contains_key(name) || !is_known(name))
}

/// Whether the order of a list is significant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Kept,
    Any,
}

/// Takes the JSON text out of a row, together with the attributes that describe its form.
fn take_json(meta: &EntityMeta, row: &mut Item) -> Option<String> {
    let attribute = match meta.codec {
        Codec::Plain => return None,
        Codec::Envelope { data } => data,
        Codec::ValueRow => {
            let value = value_row::take_value(row).ok().flatten();
            if let Some(AttributeValue::M(entries)) = row.get_mut(super::META) {
                entries.remove(super::COMPRESSED);
            }
            row.retain(|name, value| {
                name != super::META || value.as_m().is_none_or(|m| !m.is_empty())
            });
            row.extend(value.map(|value| (VALUE.to_owned(), value)));
            VALUE
        }
    };
    match row.remove(attribute) {
        Some(AttributeValue::S(json)) => Some(json),
        other => {
            row.extend(other.map(|value| (attribute.to_owned(), value)));
            None
        }
    }
}

/// Returns a canonical text, which is the same for equal values.
fn json_text(value: &Value, order: Order) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter();
            let mut fields: Vec<String> = fields
                .map(|(name, value)| format!("{name:?}:{}", json_text(value, order)))
                .collect();
            fields.sort_unstable();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(elements) => {
            list_text(elements.iter().map(|element| json_text(element, order)).collect(), order)
        }
        single => single.to_string(),
    }
}

/// Returns a canonical text, which is the same for equal values.
fn attribute_text(value: &AttributeValue, order: Order) -> String {
    match value {
        AttributeValue::M(fields) => {
            let fields = fields.iter();
            let fields: Vec<String> = fields
                .map(|(name, value)| format!("{name:?}:{}", attribute_text(value, order)))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        AttributeValue::L(elements) => list_text(
            elements.iter().map(|element| attribute_text(element, order)).collect(),
            order,
        ),
        single => format!("{single:?}"),
    }
}

fn list_text(mut elements: Vec<String>, order: Order) -> String {
    if order == Order::Any {
        elements.sort_unstable();
    }
    format!("[{}]", elements.join(","))
}

#[cfg(test)]
mod tests {
    use monotable_design::meta::FieldMeta;
    use monotable_types::{item, list};

    use super::*;
    use crate::codec::fixture::{Field, entity};

    const FIELDS: &[FieldMeta] = &[Field::new("tags").meta()];

    fn versioned(codec: Codec) -> EntityMeta {
        EntityMeta { version: Some(0), ..entity(codec, FIELDS) }
    }

    #[test]
    fn json_texts_are_equal_in_any_order() {
        let data = |json: &str| item! { "data" => json };
        let meta = entity(Codec::Envelope { data: "data" }, FIELDS);
        let one = data(r#"{"a":{"x":1,"y":[1,2]},"b":0.5}"#);
        assert!(is_same(&meta, &one, &data(r#"{"b":0.5,"a":{"y":[1,2],"x":1}}"#)));
        let turned = data(r#"{"b":0.5,"a":{"y":[2,1],"x":1}}"#);
        assert!(!is_same(&meta, &one, &turned));
        let meta = versioned(Codec::Envelope { data: "data" });
        assert!(is_same(&meta, &one, &turned));
        for other in [r#"{"a":{"x":1,"y":[1,2,2]},"b":0.5}"#, r#"{"a":{"x":1,"y":[1,2]}}"#, "{"] {
            assert!(!is_same(&meta, &one, &data(other)), "{other}");
        }
        assert!(!is_same(&meta, &one, &item! { "data" => 1 }));
    }

    #[test]
    fn lists_of_a_row_with_a_version_are_equal_in_any_order() {
        let one = item! { "tags" => list![1, 2], "name" => "a" };
        let other = item! { "tags" => list![2, 1], "name" => "a" };
        assert!(is_same(&versioned(Codec::Plain), &one, &other));
        assert!(!is_same(&entity(Codec::Plain, FIELDS), &one, &other));
        let other = item! { "tags" => list![2, 1], "name" => "b" };
        assert!(!is_same(&versioned(Codec::Plain), &one, &other));
    }
}
