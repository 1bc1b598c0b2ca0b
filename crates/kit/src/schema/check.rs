//! Holds what a request says against a schema, in place: one pass, every mistake at once.
//!
//! Knows nothing of HTTP; a query string comes here after it has become an object.

use serde_json::{Map, Value};

use super::report::{At, Report};
use super::{Field, Kind, Schema, scalar};
use crate::problem::Problem;
use crate::upload;

impl Schema {
    /// Reads a body: an object in which every field is allowed and as it must be. Texts lose the spaces
    /// around them, words get their spelling, aliases their name and instants their form in UTC.
    ///
    /// # Errors
    /// 400 with every field that is wrong: `UNKNOWN_FIELD` if one is unknown, else `READ_ONLY_FIELD` if
    /// one can't be written, else `VALIDATION`; `EMPTY_BODY` if nothing is said where something must be.
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

    /// Reads an object of which something may already be known to be wrong.
    pub(super) fn check_object(
        &self,
        mut object: Map<String, Value>,
        mut report: Report,
    ) -> Result<Map<String, Value>, Problem> {
        if self.must_say_something && object.is_empty() {
            return Err(empty_body("Name at least one field."));
        }
        self.settle(&mut object, &At::Top, &mut report);
        report.verdict().map(|()| object)
    }

    /// The field of this name or alias.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name || field.aliases.contains(&name))
    }

    /// Brings an object into its form, or reports what is wrong with it.
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
                let told = format!("is the same as `{}`; name one of them", field.name);
                report.wrong(&At::Field(at, &alias), told);
            }
        }
        for field in self.fields.iter().filter(|field| field.required) {
            if !object.contains_key(field.name) {
                report.wrong(&At::Field(at, field.name), "is required");
            }
        }
    }
}

/// 400 for a request that says nothing where something must be said.
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
            // The elements of a list that is too long are not checked: a report has no use for thousands of mistakes.
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
        (kind, _) => Err(format!("must be {}", kind.told())),
    };
    if let Err(told) = settled {
        report.wrong(at, told);
    }
}

/// The first sort that takes the value; where only one is of the value's own type, its complaints.
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
    let told: Vec<String> = kinds.iter().map(Kind::told).collect();
    report.wrong(at, format!("must be {}", told.join(", or ")));
}

impl Kind {
    /// Whether a value is of the JSON type of the sort.
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

    /// What a value must be, in words, with its bounds.
    pub(crate) fn bounded(&self) -> String {
        match self {
            Self::Text { length } => format!("a text of {} characters", scalar::told(length)),
            Self::Integer { range } => {
                format!("a whole number, {}", scalar::told_range(range))
            }
            Self::Number { range } => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            Self::List { of, length, .. } => {
                format!("a list of {} elements, each {}", scalar::told(length), of.bounded())
            }
            kind => kind.told(),
        }
    }

    /// What a value must be, in words.
    fn told(&self) -> String {
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
                let told: Vec<String> = kinds.iter().map(Self::told).collect();
                told.join(", or ")
            }
            Self::Anything => "anything".to_owned(),
        }
    }
}
