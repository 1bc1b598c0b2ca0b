//! Validation of requests against a schema, in place: one pass reports every error.
//!
//! It does not depend on HTTP; a query string is converted into an object first.

use serde_json::{Map, Value};

use super::report::{At, Report};
use super::{Field, Kind, Schema, scalar};
use crate::problem::{FieldProblem, Problem};
use crate::upload;

impl Schema {
    /// Validates a body: an object whose fields are all declared and valid. Spaces around texts are
    /// removed, words get their spelling, aliases become names, and instants are converted to UTC.
    ///
    /// # Errors
    /// Returns 400 with every invalid field: `UNKNOWN_FIELD` if one is unknown, else
    /// `READ_ONLY_FIELD` if one can't be written, else `VALIDATION`; `EMPTY_BODY` if a required
    /// body has no fields.
    pub fn check(&self, body: Value) -> Result<Map<String, Value>, Problem> {
        match (body, &self.fields[..]) {
            (value, [field]) if self.is_bare => {
                let object = Map::from_iter([(field.name.to_owned(), value)]);
                self.check_object(object, Report::default())
            }
            (Value::Object(object), _) => self.check_object(object, Report::default()),
            _ => Err(Problem::field("body", "must be an object")),
        }
    }

    /// Validates an object that may already have errors.
    pub(super) fn check_object(
        &self,
        mut object: Map<String, Value>,
        mut report: Report,
    ) -> Result<Map<String, Value>, Problem> {
        if self.must_say_something && object.is_empty() {
            return Err(empty_body("Name at least one field."));
        }
        self.settle(&mut object, &At::Top, &mut report);
        for FieldProblem { field, message } in
            self.check.map(|check| check(&object)).unwrap_or_default()
        {
            report.wrong(&At::Field(&At::Top, &field), message);
        }
        report.verdict().map(|()| object)
    }

    /// Returns the field of this name or alias.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name || field.aliases.contains(&name))
    }

    /// Normalizes an object, or reports its errors.
    fn settle(&self, object: &mut Map<String, Value>, at: &At<'_>, report: &mut Report) {
        let mut renamed: Vec<(String, &Field)> = Vec::new();
        for (name, value) in object.iter_mut() {
            let place = At::Field(at, name);
            match self.field(name) {
                Some(field) => {
                    settle_field(field, value, &place, report);
                    if field.name != name {
                        renamed.push((name.clone(), field));
                    }
                }
                None if self.read_only.contains(&name.as_str()) => report.read_only(&place),
                None => report.unknown(&place),
            }
        }
        for (alias, field) in renamed {
            let Some(value) = object.remove(&alias) else { continue };
            if object.insert(field.name.to_owned(), value).is_some() {
                let message = format!("is the same as `{}`; name one of them", field.name);
                report.wrong(&At::Field(at, &alias), message);
            }
        }
        for field in self.fields.iter().filter(|field| field.required) {
            if !object.contains_key(field.name) {
                report.wrong(&At::Field(at, field.name), "is required");
            }
        }
    }
}

/// Creates the 400 for a body without fields.
pub(crate) fn empty_body(message: &str) -> Problem {
    Problem::invalid("EMPTY_BODY", message)
}

fn settle_field(field: &Field, value: &mut Value, at: &At<'_>, report: &mut Report) {
    match (&field.kind, &value) {
        (Kind::Anything, _) => {}
        (_, Value::Null) if field.nullable => {}
        (_, Value::Null) => report.wrong(at, "must not be null"),
        (kind, _) => {
            let known = report.len();
            settle_value(kind, value, at, report);
            if let Some(check) = field.check
                && report.len() == known
                && let Err(message) = check(value)
            {
                report.wrong(at, message);
            }
        }
    }
}

fn settle_value(kind: &Kind, value: &mut Value, at: &At<'_>, report: &mut Report) {
    let settled = match (kind, &mut *value) {
        (Kind::Text { length }, Value::String(text)) => scalar::text(text, length),
        (Kind::Id, Value::String(text)) => scalar::id(text),
        (Kind::Instant, Value::String(text)) => scalar::instant(text),
        (Kind::Day, Value::String(text)) => scalar::day(text),
        (Kind::File, Value::String(text)) => upload::check(text),
        (Kind::Word(words), Value::String(text)) => scalar::word(text, words),
        (Kind::Integer { range }, Value::Number(number)) => scalar::integer(number, range),
        (Kind::Number { range }, Value::Number(number)) => scalar::number(number, range),
        (Kind::Flag, Value::Bool(_)) | (Kind::Anything, _) => Ok(()),
        (Kind::List { of, length, is_unique }, Value::Array(values)) => {
            // The elements of a list that is too long are not checked: a report with thousands of
            // errors helps nobody.
            scalar::list_length(values.len(), length).and_then(|()| {
                for (position, value) in values.iter_mut().enumerate() {
                    settle_value(of, value, &At::Position(at, position), report);
                }
                let is_repeated =
                    |(position, value): (usize, &Value)| values[..position].contains(value);
                if *is_unique && values.iter().enumerate().any(is_repeated) {
                    return Err("must not contain an element twice".to_owned());
                }
                Ok(())
            })
        }
        (Kind::Object(schema), Value::Object(object)) => {
            if schema.must_say_something && object.is_empty() {
                Err("must name at least one field".to_owned())
            } else {
                schema.settle(object, at, report);
                Ok(())
            }
        }
        (Kind::Map(of), Value::Object(object)) => {
            for (name, value) in object.iter_mut() {
                settle_value(of, value, &At::Field(at, name), report);
            }
            Ok(())
        }
        (Kind::OneOf(kinds), _) => return settle_one_of(kinds, value, at, report),
        (kind, _) => Err(format!("must be {}", kind.in_words())),
    };
    if let Err(message) = settled {
        report.wrong(at, message);
    }
}

/// Tries each kind in turn and uses the first that accepts the value. If only one kind has the
/// value's JSON type, its errors are reported.
fn settle_one_of(kinds: &[Kind], value: &mut Value, at: &At<'_>, report: &mut Report) {
    let fitting: Vec<&Kind> = kinds.iter().filter(|kind| kind.is_type_of(value)).collect();
    if let [kind] = fitting[..] {
        return settle_value(kind, value, at, report);
    }
    for kind in fitting {
        let mut tried = value.clone();
        let mut complaints = Report::default();
        settle_value(kind, &mut tried, at, &mut complaints);
        if complaints.is_empty() {
            *value = tried;
            return;
        }
    }
    let alternatives: Vec<String> = kinds.iter().map(Kind::in_words).collect();
    report.wrong(at, format!("must be {}", alternatives.join(", or ")));
}

impl Kind {
    /// Returns whether a value has the JSON type of the kind.
    fn is_type_of(&self, value: &Value) -> bool {
        match self {
            Self::Text { .. }
            | Self::Id
            | Self::Instant
            | Self::Day
            | Self::File
            | Self::Word(_) => value.is_string(),
            Self::Integer { .. } | Self::Number { .. } => value.is_number(),
            Self::Flag => value.is_boolean(),
            Self::List { .. } => value.is_array(),
            Self::Object(_) | Self::Map(_) => value.is_object(),
            Self::OneOf(kinds) => kinds.iter().any(|kind| kind.is_type_of(value)),
            Self::Anything => true,
        }
    }

    /// Describes valid values, with their bounds.
    pub(crate) fn bounded(&self) -> String {
        match self {
            Self::Text { length } => {
                format!("a text of {} characters", scalar::length_in_words(length))
            }
            Self::Integer { range } => {
                format!("a whole number, {}", scalar::range_in_words(range))
            }
            Self::Number { range } => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            Self::List { of, length, .. } => {
                format!(
                    "a list of {} elements, each {}",
                    scalar::length_in_words(length),
                    of.bounded()
                )
            }
            kind => kind.in_words(),
        }
    }

    /// Describes valid values.
    fn in_words(&self) -> String {
        match self {
            Self::Text { .. } => "a text".to_owned(),
            Self::Id => "an identifier".to_owned(),
            Self::Integer { .. } => "a whole number".to_owned(),
            Self::Number { .. } => "a number".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Instant => "an instant such as 2026-01-31T09:30:00Z".to_owned(),
            Self::Day => "a day such as 2026-01-31".to_owned(),
            Self::File => "a file as base64 or a data URL".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::List { .. } => "a list".to_owned(),
            Self::Object(_) | Self::Map(_) => "an object".to_owned(),
            Self::OneOf(kinds) => {
                let alternatives: Vec<String> = kinds.iter().map(Self::in_words).collect();
                alternatives.join(", or ")
            }
            Self::Anything => "anything".to_owned(),
        }
    }
}
