//! JSON without duplicate fields. If one parser used the first of two fields and another one the
//! last, a value could bypass a check.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use crate::problem::Problem;

/// Parses a body.
pub(super) fn read(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes).map(|Unambiguous(value)| value).map_err(|error| {
        let what = match error.is_data() {
            true => "The body names a field twice",
            // The parser reports it only in the text of the error.
            false if error.to_string().starts_with("number out of range") => {
                "The body has a number that is too large"
            }
            false => "The body is not valid JSON",
        };
        let (line, column) = (error.line(), error.column());
        Problem::invalid("MALFORMED_JSON", format!("{what} (line {line}, column {column})."))
    })
}

/// A value without duplicate fields in its objects.
struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unambiguous(value)) = elements.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            match object.entry(name) {
                Entry::Vacant(place) => {
                    let Unambiguous(value) = fields.next_value()?;
                    place.insert(value);
                }
                Entry::Occupied(_) => return Err(A::Error::custom("a field is named twice")),
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_once_is_read_as_it_is() {
        let texts = [
            "null",
            "[true,-1,18446744073709551615,0.5,1e300,\"ä\\n\"]",
            "{\"a\":{\"b\":[{\"c\":1},{\"c\":2}]},\"b\":{}}",
        ];
        for text in texts {
            let expected: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text.as_bytes()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_said_twice_or_not_at_all_is_refused() {
        let message = |text: &str| read(text.as_bytes()).unwrap_err().message;
        let twice = message("{\"a\": 1,\n \"a\": 1}");
        assert_eq!(twice, "The body names a field twice (line 2, column 4).");
        assert!(
            message("{\"a\": [{\"b\": 1, \"\\u0062\": 2}]}").starts_with("The body names a field")
        );
        for text in ["", "{", "{} {}", "{\"a\": NaN}", "[1,]", "\"\\ud800\""] {
            assert!(message(text).starts_with("The body is not valid JSON"), "{text}");
        }
        assert_eq!(
            message("{\"a\": 1e999}"),
            "The body has a number that is too large (line 1, column 11)."
        );
    }
}
