//! The functions that the macros of the kit call.

use std::borrow::Borrow as _;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

pub use http::Method;
use monotable::design::stamp::Stamp;
use monotable::model::StampSet;
use serde::de::{DeserializeOwned, Error as _};
pub use serde::ser::SerializeMap;
pub use serde::{Deserialize, Deserializer, Serialize, Serializer};
pub use serde_json::Value;

use crate::body::Body;
use crate::field_type::FieldType;
pub use crate::operation::{Answering, Operation};
use crate::problem::Problem;
use crate::reply::shown;
use crate::schema::{Field, Kind, check_id};
use crate::view::{View, ViewFields};

/// The fields of a body.
pub type Map = serde_json::Map<String, Value>;
/// The values of a path by their names.
pub type PathValues = BTreeMap<String, String>;

/// Returns a field of a type.
pub fn field<T: FieldType>(name: &'static str, kind: Kind, is_required: bool) -> Field {
    // The schema of an object has examples of its own.
    let has_example = is_required && !kind.has_objects();
    let example = if has_example { T::example().or_else(|| kind.example()) } else { None };
    Field { required: is_required, nullable: T::IS_NULLABLE, example, ..Field::new(name, kind) }
}

/// Returns an id for the documentation: `AtBatId` is `at-bat-1`.
pub fn id_example(type_name: &str) -> Value {
    let mut example = String::new();
    for character in type_name.trim_end_matches("Id").chars() {
        if character.is_uppercase() && !example.is_empty() {
            example.push('-');
        }
        example.extend(character.to_lowercase());
    }
    Value::String(example + "-1")
}

/// Brings a value into the form that a function of the service returns.
///
/// # Errors
/// Returns the error of the function, or that its argument can't be deserialized.
pub fn check_value<B, R, E>(
    value: &mut Value,
    check: impl FnOnce(&B) -> Result<R, E>,
) -> Result<(), String>
where
    B: ToOwned<Owned: DeserializeOwned> + ?Sized,
    R: Serialize,
    E: Display,
{
    let given: B::Owned =
        serde_json::from_value(value.take()).map_err(|error| error.to_string())?;
    *value = shown(&check(given.borrow()).map_err(|error| error.to_string())?);
    Ok(())
}

/// Returns the fields of a view that contain the stamps of a row. The expiry is not shown.
pub fn stamp_fields<S: StampSet>() -> Vec<Field> {
    let fields = S::FIELDS.iter().filter_map(|field| {
        let (kind, example) = match field.stamp? {
            Stamp::Version => (u64::kind(), Some(1.into())),
            Stamp::Created | Stamp::Updated => (Kind::Instant, Kind::Instant.example()),
            Stamp::Expires => return None,
        };
        Some(Field { required: true, example, ..Field::new(field.attribute, kind) })
    });
    fields.collect()
}

/// Writes the stamps of a row as fields of a view.
pub fn write_stamps<S: StampSet>(stamps: &S, fields: &mut ViewFields) {
    for (name, value) in stamp_values(stamps) {
        fields.show(name, &value);
    }
}

/// Writes the stamps of a row as fields of a view inside another value.
///
/// # Errors
/// Returns the errors of the serializer.
pub fn serialize_stamps<S: StampSet, M: SerializeMap>(
    stamps: &S,
    map: &mut M,
) -> Result<(), M::Error> {
    stamp_values(stamps).try_for_each(|(name, value)| map.serialize_entry(name, &value))
}

/// Returns the version in the stamps of a row.
pub fn stamped_version<S: StampSet>(stamps: &S) -> Option<u64> {
    let has_version = S::FIELDS.iter().any(|field| field.stamp == Some(Stamp::Version));
    has_version.then(|| stamps.values().version)
}

fn stamp_values<S: StampSet>(stamps: &S) -> impl Iterator<Item = (&'static str, Value)> {
    let values = stamps.values();
    S::FIELDS.iter().filter_map(move |field| {
        let value = match field.stamp? {
            Stamp::Version => values.version.into(),
            Stamp::Created => shown(&values.created),
            Stamp::Updated => shown(&values.updated),
            Stamp::Expires => return None,
        };
        Some((field.attribute, value))
    })
}

/// Returns the fields of a body that are also fields of another.
pub fn fields_of<B: Body>() -> Vec<Field> {
    B::schema().unwrap_or_default().fields
}

/// Returns the kind of a body inside another.
pub fn object<B: Body>() -> Kind {
    Kind::Object(B::schema().unwrap_or_default())
}

/// Takes a value out of a body.
///
/// # Errors
/// Returns 400 if the type does not accept the value.
pub fn take<T: DeserializeOwned + FieldType>(fields: &mut Map, name: &str) -> Result<T, Problem> {
    match fields.remove(name) {
        Some(value) => read(name, value),
        None => T::absent().map_or_else(|| read(name, Value::Null), Ok),
    }
}

/// Takes a value out of a body, or the default.
///
/// # Errors
/// Returns 400 if the type does not accept the value.
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
/// Returns 400 if the value is not one of its type.
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
/// Fails if a type accepts less than its schema.
pub fn deserialize_body<'de, B: Body, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<B, D::Error> {
    let fields = Map::deserialize(deserializer)?;
    B::read(fields).map_err(|problem| D::Error::custom(problem.message))
}

/// Writes a view inside another value.
///
/// # Errors
/// Returns the errors of the serializer.
pub fn serialize_view<V: View, S: Serializer>(view: &V, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    view.serialize_fields(&mut map)?;
    map.end()
}

/// Writes a field of a view inside another value, unless it is absent.
///
/// # Errors
/// Returns the errors of the serializer.
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
