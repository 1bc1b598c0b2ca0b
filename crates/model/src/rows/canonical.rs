//! A canonical text for JSON values, and the hash that identifies requests.

use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::codec::CodecError;
use crate::error::{Error, Result};

/// Returns the hash of a request in a scope: SHA-256 over the scope and the request as JSON with
/// sorted keys, in hexadecimal digits. Requests that differ only in the order of their fields have
/// the same hash.
///
/// ```
/// use monotable_model::rows::request_hash;
/// use serde_json::json;
///
/// let hash = request_hash("u1 POST /teams", &json!({ "name": "Reds", "size": 11 }))?;
/// assert_eq!(hash, request_hash("u1 POST /teams", &json!({ "size": 11, "name": "Reds" }))?);
/// assert_ne!(hash, request_hash("u2 POST /teams", &json!({ "size": 11, "name": "Reds" }))?);
/// # Ok::<(), monotable_model::Error>(())
/// ```
///
/// # Errors
///
/// The request cannot be written as JSON.
pub fn request_hash(scope: &str, request: &impl Serialize) -> Result<String> {
    let value = serde_json::to_value(request)
        .map_err(|error| Error::Encode { entity: "request", error: CodecError::custom(error) })?;
    let mut text = String::from(scope);
    // JSON text does not contain this character, so no scope can be mistaken for a part of the
    // request.
    text.push('\0');
    write_canonical(&value, &mut text);
    Ok(hex::encode(Sha256::digest(text.as_bytes())))
}

/// Appends JSON text with sorted keys and without spaces.
fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (position, (name, value)) in fields.into_iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_canonical(value, text);
            }
            text.push('}');
        }
        Value::Array(elements) => {
            text.push('[');
            for (position, element) in elements.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                write_canonical(element, text);
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(value: &Value, expected: &str) {
        let mut text = String::new();
        write_canonical(value, &mut text);
        assert_eq!(text, expected);
    }

    #[test]
    fn keys_are_sorted_at_every_depth() {
        check(
            &json!({ "b": [{ "d": 1, "c": null }], "a": "x\"y\n", "ä": {}, "Z": 1.5 }),
            r#"{"Z":1.5,"a":"x\"y\n","b":[{"c":null,"d":1}],"ä":{}}"#,
        );
    }

    #[test]
    fn scope_and_request_are_not_confused() {
        let hash = |scope, request: &Value| request_hash(scope, request).unwrap();
        assert_ne!(hash("a", &json!("b")), hash("a\0\"b\"", &json!("")));
        assert_ne!(hash("a1", &json!(2)), hash("a", &json!(12)));
    }

    #[test]
    fn the_hash_never_changes() {
        // printf 'u1 POST /teams\0{"name":"Reds"}' | sha256sum
        assert_eq!(
            request_hash("u1 POST /teams", &json!({ "name": "Reds" })).unwrap(),
            "97e26fddaafa3a3fdf95a9229ca0b9632814fe193c0876cb0b4ad7fece6e804c"
        );
    }
}
