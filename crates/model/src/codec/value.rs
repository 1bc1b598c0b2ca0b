//! Attribute values of anything that serde can look into, and back.
//!
//! | Rust | DynamoDB |
//! |---|---|
//! | strings, characters, variants without content | S |
//! | whole numbers, floats (the shortest decimal that reads back the same) | N |
//! | bytes (`serde_bytes`) | B |
//! | `bool` | BOOL |
//! | `()`, `None` in lists and maps | NULL |
//! | `None` in a field | no attribute |
//! | structs, maps | M |
//! | sequences, tuples | L |
//! | fields with a module of [`sets`](super::sets) | SS, NS, BS |
//! | variants with content | M of the variant's name |
//!
//! A field that is left out is read back as `None` by serde itself, unless it has a module of its own
//! (`#[serde(with = "…")]`): then it needs `default` as well.

use monotable_types::{AttributeValue, Item};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::CodecError;
use super::de::ValueDeserializer;
use super::error::in_words;
use super::ser::ValueSerializer;

/// The attribute value of a value; NULL for `None`.
///
/// ```
/// use monotable_model::codec::to_value;
/// use monotable_types::{AttributeValue, list};
///
/// assert_eq!(to_value(&[Some(1), None])?, list![1, AttributeValue::Null]);
/// # Ok::<(), monotable_model::codec::CodecError>(())
/// ```
///
/// # Errors
/// If it has a float that is no number, a number of more than 38 digits or an empty set, or maps with
/// keys that have no text.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<AttributeValue, CodecError> {
    value.serialize(ValueSerializer)?.element()
}

/// The item of a struct or a map: one attribute a field, none for a field that is `None`.
///
/// ```
/// use monotable_model::codec::to_item;
/// use monotable_types::item;
///
/// #[derive(serde::Serialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Player { nick_name: String, shirt: Option<u8>, team: Option<String> }
///
/// let player = Player { nick_name: "Ada".into(), shirt: Some(7), team: None };
/// assert_eq!(to_item(&player)?, item! { "nickName" => "Ada", "shirt" => 7 });
/// # Ok::<(), monotable_model::codec::CodecError>(())
/// ```
///
/// # Errors
/// As [`to_value`], and if it is no struct or map.
pub fn to_item<T: Serialize + ?Sized>(value: &T) -> Result<Item, CodecError> {
    match to_value(value)? {
        AttributeValue::M(item) => Ok(item),
        other => {
            let found = in_words(&other);
            Err(CodecError::unfit(format!("expected a struct or a map, found {found}")))
        }
    }
}

/// The value of an attribute value.
///
/// # Errors
/// If it does not fit the type; the text says where.
pub fn from_value<T: DeserializeOwned>(value: AttributeValue) -> Result<T, CodecError> {
    T::deserialize(ValueDeserializer(value))
}

/// The value of an item. Attributes that the type does not know are passed over.
///
/// ```
/// use monotable_model::codec::from_item;
/// use monotable_types::item;
///
/// #[derive(serde::Deserialize)]
/// struct Player { name: String, shirt: Option<u8> }
///
/// let player: Player = from_item(item! { "PK" => "TEAM#1", "name" => "Ada" })?;
/// assert_eq!((player.name.as_str(), player.shirt), ("Ada", None));
/// let error = from_item::<Player>(item! { "name" => "Ada", "shirt" => "7" }).err().unwrap();
/// assert_eq!(error.to_string(), "shirt: expected a number, found a string");
/// # Ok::<(), monotable_model::codec::CodecError>(())
/// ```
///
/// # Errors
/// If an attribute is missing or does not fit the type; the text says where.
pub fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, CodecError> {
    from_value(AttributeValue::M(item))
}

#[cfg(test)]
mod tests;
