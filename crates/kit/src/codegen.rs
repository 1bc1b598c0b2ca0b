//! What the macros of the kit call, and nothing else.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

pub use http::Method;
use serde::de::{DeserializeOwned, Error as _};
pub use serde::ser::SerializeMap;
pub use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::body::Body;
use crate::field_type::FieldType;
pub use crate::operation::{Answering, Operation};
use crate::problem::Problem;
use crate::reply::shown;
use crate::schema::{Field, Kind, check_id};
use crate::view::View;

/// The fields of a body.
pub type Map = serde_json::Map<String, Value>;
/// The values of a path by their names.
pub type PathValues = BTreeMap<String, String>;

/// A field of a type.
pub fn field<T: FieldType>(name: &'static str, kind: Kind, is_required: bool) -> Field {
    Field { required: is_required, nullable: T::IS_NULLABLE, ..Field::new(name, kind) }
}

/// The fields of a body that are also fields of another.
pub fn fields_of<B: Body>() -> Vec<Field> {
    B::schema().unwrap_or_default().fields
}

/// The kind of a body inside another.
pub fn object<B: Body>() -> Kind {
    Kind::Object(B::schema().unwrap_or_default())
}

/// Takes a value out of a body.
///
/// # Errors
/// 400 if the type does not accept it.
pub fn take<T: DeserializeOwned + FieldType>(fields: &mut Map, name: &str) -> Result<T, Problem> {
    match fields.remove(name) {
        Some(value) => read(name, value),
        None => T::absent().map_or_else(|| read(name, Value::Null), Ok),
    }
}

/// Takes a value out of a body, or the default.
///
/// # Errors
/// 400 if the type does not accept it.
pub fn take_or_default<T: DeserializeOwned + Default>(
    fields: &mut Map,
    name: &str,
) -> Result<T, Problem> {
    fields.remove(name).map_or_else(|| Ok(T::default()), |value| read(name, value))
}

fn read<T: DeserializeOwned>(name: &str, value: Value) -> Result<T, Problem> {
    serde_json::from_value(value).map_err(|error| Problem::field(name, error.to_string()))
}

/// Takes a value out of a path.
///
/// # Errors
/// 400 if it is not one of its type.
pub fn path_value<T>(values: &PathValues, name: &str) -> Result<T, Problem>
where
    T: FromStr<Err: Display>,
{
    let text = values.get(name).map_or("", String::as_str);
    check_id(text).map_err(|message| Problem::field(name, message))?;
    text.parse().map_err(|error: T::Err| Problem::field(name, error.to_string()))
}

/// Reads a body inside another, which was checked with it.
///
/// # Errors
/// If a type accepts less than its schema.
pub fn deserialize_body<'de, B: Body, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<B, D::Error> {
    let fields = Map::deserialize(deserializer)?;
    B::read(fields).map_err(|problem| D::Error::custom(problem.message))
}

/// Writes a view inside another value.
///
/// # Errors
/// What the serializer says.
pub fn serialize_view<V: View, S: Serializer>(view: &V, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    view.serialize_fields(&mut map)?;
    map.end()
}

/// Writes a field of a view inside another value, unless it is absent.
///
/// # Errors
/// What the serializer says.
pub fn serialize_field<T: FieldType + Serialize, M: SerializeMap>(
    map: &mut M,
    name: &str,
    value: &T,
) -> Result<(), M::Error> {
    if !T::IS_OPTIONAL {
        return map.serialize_entry(name, value);
    }
    match shown(value) {
        Value::Null => Ok(()),
        value => map.serialize_entry(name, &value),
    }
}
