//! Rows whose value is one struct, with additional fields from the key and the row.
//!
//! `#[serde(flatten)]` would first collect the whole value in a tree and then read the struct
//! from it, which takes a fifth of the time of a move.

use serde::de::{DeserializeSeed, IntoDeserializer as _, MapAccess};

/// Implements `Deserialize` for a row: the first of its fields is the struct of the value, the
/// others come from the key and the row, and those after `default` are not read.
macro_rules! reads_value {
    ($Row:ident { $value:ident, $($field:ident),+ } $(default $default:ident)?) => {
        impl<'de> serde::Deserialize<'de> for $Row {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;

                impl<'de> serde::de::Visitor<'de> for Fields {
                    type Value = $Row;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        formatter.write_str(stringify!($Row))
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<$Row, A::Error> {
                        $(let mut $field = None;)+
                        let beside = |name: &str, map: &mut A| {
                            match name {
                                $(stringify!($field) => $field = Some(map.next_value()?),)+
                                _ => return Ok(false),
                            }
                            Ok(true)
                        };
                        let rest = $crate::table::value::Rest { map, beside };
                        let rest = serde::de::value::MapAccessDeserializer::new(rest);
                        let $value = serde::Deserialize::deserialize(rest)?;
                        $(let $field = $crate::table::value::read($field, stringify!($field))?;)+
                        Ok($Row { $value, $($field,)+ $($default: Default::default())? })
                    }
                }

                deserializer.deserialize_map(Fields)
            }
        }
    };
}

pub(super) use reads_value;

/// The entries of a map without those that `beside` takes.
pub(super) struct Rest<A, F> {
    pub(super) map: A,
    /// Takes the value of an entry, if the entry is not for the struct.
    pub(super) beside: F,
}

impl<'de, A, F> MapAccess<'de> for Rest<A, F>
where
    A: MapAccess<'de>,
    F: FnMut(&str, &mut A) -> Result<bool, A::Error>,
{
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(name) = self.map.next_key::<String>()? {
            if !(self.beside)(&name, &mut self.map)? {
                return seed.deserialize(name.into_deserializer()).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Returns a field that must exist, or one that may be absent.
///
/// # Errors
/// Fails if a required field is missing.
pub(super) fn read<'de, T: serde::Deserialize<'de>, E: serde::de::Error>(
    field: Option<T>,
    name: &'static str,
) -> Result<T, E> {
    let absent = || T::deserialize(().into_deserializer()).map_err(|_: E| E::missing_field(name));
    field.map_or_else(absent, Ok)
}
