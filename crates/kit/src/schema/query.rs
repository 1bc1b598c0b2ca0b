//! Converts a query string into an object, which is validated like a body.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Number, Value};

use super::report::{At, Report};
use super::{Kind, Schema};
use crate::problem::Problem;

impl Schema {
    /// Parses the query of a page, which a form may have sent: an empty field is absent.
    pub(crate) fn check_page_query(&self, query: &str) -> Result<Map<String, Value>, Problem> {
        let filled: Vec<&str> = query.split('&').filter(|pair| !pair.ends_with('=')).collect();
        self.check_query(&filled.join("&"))
    }

    /// Parses a query string, such as `limit=10&status=active`. A parameter that is a list is
    /// repeated. A flag without a value, such as `recent`, is true.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Schema::check); also 400 `VALIDATION` if a parameter that is
    /// not a list is repeated, or is not UTF-8.
    pub fn check_query(&self, query: &str) -> Result<Map<String, Value>, Problem> {
        let mut object = Map::new();
        let mut report = Report::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (Some(name), Some(value)) = (decoded(name), decoded(value)) else {
                return Err(Problem::field("query", "must be percent-encoded UTF-8"));
            };
            let kind = self.field(&name).map(|field| &field.kind);
            let value = match kind {
                Some(Kind::Flag) if value.is_empty() => Cow::Borrowed("true"),
                _ => value,
            };
            match (kind, object.get_mut(name.as_ref())) {
                (Some(Kind::List { of, .. }), Some(Value::Array(values))) => {
                    values.push(typed(Some(of), value));
                }
                (Some(Kind::List { of, .. }), _) => {
                    object.insert(name.into_owned(), Value::Array(vec![typed(Some(of), value)]));
                }
                (_, Some(_)) => {
                    report.wrong(&At::Field(&At::Top, &name), "is given more than once");
                }
                (kind, None) => {
                    object.insert(name.into_owned(), typed(kind, value));
                }
            }
        }
        self.check_object(object, report)
    }
}

/// Decodes a name or value of a query string; `None` if it is not UTF-8.
pub(super) fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['+', '%']) {
        return Some(Cow::Borrowed(text));
    }
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(|text| Cow::Owned(text.into_owned()))
}

/// Returns the value of a text that must be a number or a flag, or the text itself, which
/// validation refuses.
pub(super) fn typed(kind: Option<&Kind>, text: Cow<'_, str>) -> Value {
    let said = match kind {
        Some(Kind::Integer { .. }) => text.parse::<i64>().ok().map(Value::from),
        Some(Kind::Number { .. }) => {
            text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number)
        }
        Some(Kind::Flag) if text.eq_ignore_ascii_case("true") => Some(Value::Bool(true)),
        Some(Kind::Flag) if text.eq_ignore_ascii_case("false") => Some(Value::Bool(false)),
        _ => None,
    };
    said.unwrap_or_else(|| Value::String(text.into_owned()))
}
