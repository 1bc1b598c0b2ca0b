//! Explicit NULL values for absent fields.

use serde::{Serialize, Serializer};

/// Writes an absent `Option` as NULL instead of leaving the attribute out, for tables whose other
/// readers expect it: `#[serde(serialize_with = "monotable::model::codec::or_null")]`. Both forms
/// are read as `None`, and neither is in a sparse index.
///
/// ```
/// use monotable_model::codec::{or_null, to_item};
/// use monotable_types::{AttributeValue, item};
///
/// #[derive(serde::Serialize)]
/// struct Player {
///     #[serde(serialize_with = "or_null")]
///     user: Option<String>,
///     team: Option<String>,
/// }
///
/// let ghost = Player { user: None, team: None };
/// assert_eq!(to_item(&ghost)?, item! { "user" => AttributeValue::Null });
/// # Ok::<(), monotable_model::codec::CodecError>(())
/// ```
///
/// # Errors
///
/// Those of serializing the value itself.
pub fn or_null<T: Serialize, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_some(value),
        None => serializer.serialize_unit(),
    }
}
