//! Values of programs as JSON text: each value is returned exactly as it was written, however large
//! its numbers are.

use std::collections::BTreeMap;

use monotable_kit::{FieldType, Kind, Problem, Request};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A value, as it was written except for spaces.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Json(Box<RawValue>);

impl Json {
    /// Parses the value in a request.
    pub(super) fn of_body(call: &Request) -> Result<Self, Problem> {
        let text = std::str::from_utf8(&call.body_text).unwrap_or_default();
        let value = RawValue::from_string(without_spaces(text));
        value.map(Self).map_err(|_| Problem::field("body", "must be JSON"))
    }

    /// Returns the fields of an object; `None` for any other value.
    pub(super) fn fields(&self) -> Option<BTreeMap<String, Self>> {
        serde_json::from_str(self.0.get()).ok()
    }

    /// Returns whether the value is a number.
    pub(super) fn is_number(&self) -> bool {
        self.0.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
    }

    /// Returns the text.
    pub(super) fn into_text(self) -> String {
        String::from(Box::<str>::from(self.0))
    }
}

impl FieldType for Json {
    fn kind() -> Kind {
        Kind::Anything
    }
}

/// Removes the spaces between the parts of JSON.
fn without_spaces(text: &str) -> String {
    let (mut is_string, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        let is_kept = is_string || !matches!(character, ' ' | '\n' | '\r' | '\t');
        match character {
            '"' if !is_escaped => is_string = !is_string,
            _ => {}
        }
        is_escaped = is_string && *character == '\\' && !is_escaped;
        is_kept
    };
    text.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_spaces_between_the_parts_go() {
        let text = " { \"a b\" : [ 1 ,\n\t\"c \\\" d\\\\\" , 12345678901234567890123 ] }\r\n";
        let compact = r#"{"a b":[1,"c \" d\\",12345678901234567890123]}"#;
        assert_eq!(without_spaces(text), compact);
        assert_eq!(without_spaces(" \"  \" "), "\"  \"");
    }

    #[test]
    fn only_objects_have_fields() {
        let of = |text: &str| Json(RawValue::from_string(text.to_owned()).unwrap()).fields();
        assert_eq!(of("{}").map(|fields| fields.len()), Some(0));
        for text in ["[1]", "null", "1", "\"{}\""] {
            assert!(of(text).is_none(), "{text}");
        }
    }
}
