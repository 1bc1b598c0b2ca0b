//! Stamps as attributes of a row, next to the attributes of the codec.

use monotable_design::meta::{EntityMeta, FieldMeta};
use monotable_design::stamp::Stamp;
use monotable_types::{AttributeValue, Item};
use serde::de::DeserializeOwned;

use super::{CodecError, from_value, to_value};
use crate::stamps::StampValues;

/// Returns whether an attribute is a stamp.
pub(super) fn is_stamp(meta: &EntityMeta, attribute: &str) -> bool {
    meta.fields.iter().any(|field| {
        field.stamp.is_some()
            && (field.attribute == attribute || field.aliases.contains(&attribute))
    })
}

/// Writes the stamps of an entity into its row.
///
/// # Errors
///
/// A time is out of the range of its text form.
pub(crate) fn write_stamps(
    meta: &EntityMeta,
    stamps: &StampValues,
    row: &mut Item,
) -> Result<(), CodecError> {
    for field in meta.fields {
        let value = match field.stamp {
            None => continue,
            Some(Stamp::Version) => Ok(stamps.version.into()),
            Some(Stamp::Created) => to_value(&stamps.created),
            Some(Stamp::Updated) => to_value(&stamps.updated),
            Some(Stamp::Expires) => match &stamps.expires {
                Some(expires) => to_value(expires),
                None => continue,
            },
        };
        let value = value.map_err(|error| error.inside(field.attribute))?;
        row.insert(field.attribute.to_owned(), value);
    }
    Ok(())
}

/// Reads the stamps of a row; `get` returns its attributes.
///
/// # Errors
///
/// An attribute does not fit; the message contains its name.
pub(crate) fn read_stamps(
    meta: &EntityMeta,
    get: &dyn Fn(&str) -> Option<AttributeValue>,
) -> Result<StampValues, CodecError> {
    let mut stamps = StampValues::default();
    for field in meta.fields {
        match field.stamp {
            None => {}
            Some(Stamp::Version) => read(field, get, &mut stamps.version)?,
            Some(Stamp::Created) => read(field, get, &mut stamps.created)?,
            Some(Stamp::Updated) => read(field, get, &mut stamps.updated)?,
            Some(Stamp::Expires) => read(field, get, &mut stamps.expires)?,
        }
    }
    Ok(stamps)
}

/// Reads one stamp under its current name, or else under a previous one.
fn read<T: DeserializeOwned>(
    field: &FieldMeta,
    get: &dyn Fn(&str) -> Option<AttributeValue>,
    stamp: &mut T,
) -> Result<(), CodecError> {
    let mut names = std::iter::once(&field.attribute).chain(field.aliases);
    if let Some((name, value)) = names.find_map(|name| Some((name, get(name)?))) {
        *stamp = from_value(value).map_err(|error| error.inside(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use monotable_design::meta::Codec;
    use monotable_types::item;

    use super::*;
    use crate::codec::fixture::{Field, entity};
    use crate::time::{EpochSeconds, Timestamp};

    const FIELDS: &[FieldMeta] = &[
        Field::new("name").meta(),
        Stamp::Version.field("ver", &[]),
        Stamp::Created.field("createdAt", &["created_at", "born"]),
        Stamp::Updated.field("updatedAt", &[]),
        Stamp::Expires.field("ttl", &[]),
    ];

    fn read(row: Item) -> Result<StampValues, CodecError> {
        read_stamps(&entity(Codec::Plain, FIELDS), &|name| row.get(name).cloned())
    }

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn stamps_are_written_and_read_back() {
        let stamps = StampValues {
            version: 3,
            created: time("2026-01-02T03:04:05.678Z"),
            updated: time("2026-02-02T00:00:00Z"),
            expires: Some(EpochSeconds::new(7)),
        };
        let mut row = item! { "name" => "Ann" };
        write_stamps(&entity(Codec::Plain, FIELDS), &stamps, &mut row).unwrap();
        let written = item! {
            "name" => "Ann", "ver" => 3, "createdAt" => "2026-01-02T03:04:05.678Z",
            "updatedAt" => "2026-02-02T00:00:00.000Z", "ttl" => 7
        };
        assert_eq!(row, written);
        assert_eq!(read(row).unwrap(), stamps);
    }

    #[test]
    fn an_absent_expiry_is_left_out() {
        let mut row = Item::new();
        let meta = entity(Codec::Plain, FIELDS);
        write_stamps(&meta, &StampValues::default(), &mut row).unwrap();
        assert!(!row.contains_key("ttl"));
        assert_eq!(row["ver"], 0.into());
    }

    #[test]
    fn missing_stamps_have_default_values() {
        assert_eq!(read(Item::new()).unwrap(), StampValues::default());
    }

    #[test]
    fn a_previous_name_is_read_if_the_current_one_is_missing() {
        let old = "2020-01-01T00:00:00Z";
        assert_eq!(read(item! { "born" => old }).unwrap().created, time(old));
        let both = item! { "born" => old, "createdAt" => "2021-01-01T00:00:00Z" };
        assert_eq!(read(both).unwrap().created, time("2021-01-01T00:00:00Z"));
    }

    #[test]
    fn a_value_of_another_type_is_reported_with_its_attribute() {
        let error = read(item! { "ver" => "many" }).unwrap_err();
        assert_eq!(error.to_string(), "ver: expected a number, found a string");
    }
}
