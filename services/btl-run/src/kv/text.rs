//! Values of programs as JSON text: what a program writes comes back digit by digit, however large its
//! numbers are.

use std::collections::BTreeMap;

use monotable_kit::{Problem, Request};
use serde_json::value::RawValue;

/// A value, as it was written apart from spaces.
pub(super) type Json = Box<RawValue>;

/// The value that a request brings.
pub(super) fn of_body(call: &Request) -> Result<Json, Problem> {
    let text = std::str::from_utf8(&call.body_text).unwrap_or_default();
    RawValue::from_string(without_spaces(text))
        .map_err(|_| Problem::field("body", "must be a value as JSON"))
}

/// The fields of a value, if it is an object.
pub(super) fn fields(value: &RawValue) -> Option<BTreeMap<String, Json>> {
    serde_json::from_str(value.get()).ok()
}

/// Whether a value is a number.
pub(super) fn is_number(value: &RawValue) -> bool {
    value.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// JSON without the spaces between its parts.
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
        let of = |text: &str| fields(&RawValue::from_string(text.to_owned()).unwrap());
        assert_eq!(of("{}").map(|fields| fields.len()), Some(0));
        for text in ["[1]", "null", "1", "\"{}\""] {
            assert!(of(text).is_none(), "{text}");
        }
    }
}
