//! Converts serializable values from and to attribute values.
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
//! serde reads a field that was left out back as `None`, unless it has its own module
//! (`#[serde(with = "…")]`): then it also needs `default`.

use monotable_types::{AttributeValue, Item};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::CodecError;
use super::de::ValueDeserializer;
use super::error::in_words;
use super::ser::ValueSerializer;

/// Converts a value to an attribute value; `None` becomes NULL.
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
///
/// The value contains a float that is not a number, a number of more than 38 digits, an empty set,
/// or a map whose keys have no text.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<AttributeValue, CodecError> {
    value.serialize(ValueSerializer)?.element()
}

/// Converts a struct or a map to an item: one attribute per field, none for a field that is `None`.
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
///
/// As [`to_value`], and for a value that is neither a struct nor a map.
pub fn to_item<T: Serialize + ?Sized>(value: &T) -> Result<Item, CodecError> {
    match to_value(value)? {
        AttributeValue::M(item) => Ok(item),
        other => {
            let found = in_words(&other);
            Err(CodecError::unfit(format!("expected a struct or a map, found {found}")))
        }
    }
}

/// Converts an attribute value to a Rust value.
///
/// # Errors
///
/// The attribute does not fit the type; the message contains its path.
pub fn from_value<T: DeserializeOwned>(value: AttributeValue) -> Result<T, CodecError> {
    T::deserialize(ValueDeserializer(value))
}

/// Converts an item to a Rust value. Attributes that the type does not know are ignored.
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
///
/// An attribute is missing or does not fit the type; the message contains its path.
pub fn from_item<T: DeserializeOwned>(item: Item) -> Result<T, CodecError> {
    from_value(AttributeValue::M(item))
}

#[cfg(test)]
mod tests;
