//! Converts the fields of an HTML form into an object, which is validated like a body.

use serde_json::{Map, Value};

use super::query::{decoded, typed};
use super::{Field, Kind, Schema};
use crate::problem::Problem;
use crate::zone::Zone;

/// The fields of a form as it was sent, in order.
pub(crate) type SentFields = Vec<(String, String)>;

/// Elements of a list of objects in a form.
pub(crate) const ELEMENTS_MAX: usize = 100;

/// Reads `application/x-www-form-urlencoded`.
///
/// # Errors
/// Returns 400 if it is not percent-encoded UTF-8.
pub(crate) fn read_fields(text: &str) -> Result<SentFields, Problem> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let read = pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((decoded(name)?.into_owned(), decoded(value)?.into_owned()))
    });
    let fields: Option<SentFields> = read.collect();
    fields.ok_or_else(|| Problem::field("form", "must be percent-encoded UTF-8"))
}

impl Schema {
    /// Returns the object that a form represents. A field of an object in it is named `team.name`,
    /// one of an object in a list `members.0.name`. An empty field is absent, or null where a
    /// change can remove a value; an empty element of a list is absent as well. Times are those of
    /// a zone.
    pub(crate) fn of_form(&self, fields: &SentFields, is_change: bool, zone: &Zone) -> Value {
        let mut object = Map::new();
        for (name, text) in fields {
            self.insert(&mut object, name, text, (is_change, zone));
        }
        for field in self.fields.iter().filter(|field| field.kind.element().is_some()) {
            if let Some(Value::Array(elements)) = object.get_mut(field.name) {
                elements.retain(|element| !is_blank(element));
            }
        }
        match &self.fields[..] {
            [field] if self.is_bare => object.remove(field.name).unwrap_or_default(),
            _ => Value::Object(object),
        }
    }

    fn insert(
        &self,
        object: &mut Map<String, Value>,
        name: &str,
        text: &str,
        (is_change, zone): (bool, &Zone),
    ) {
        let nested = name.split_once('.').and_then(|(outer, inner)| {
            let field = self.field(outer)?;
            Some((outer, inner, field.required, field.kind.as_object()?))
        });
        if let Some((outer, inner, required, schema)) = nested {
            // An object with only empty fields is absent.
            if text.is_empty() && !required && !object.contains_key(outer) {
                return;
            }
            let value = object.entry(outer).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(object) = value {
                schema.insert(object, inner, text, (is_change, zone));
            }
            return;
        }
        if let Some((outer, position, inner, schema)) = self.position_in_list(name) {
            let list = object.entry(outer).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                while list.len() <= position {
                    list.push(Value::Object(Map::new()));
                }
                if let Value::Object(element) = &mut list[position] {
                    schema.insert(element, inner, text, (is_change, zone));
                }
            }
            return;
        }
        let field = self.field(name);
        match field.map(|field| (field, empty_value(field, is_change))) {
            Some((_, None)) if text.is_empty() => {}
            Some((_, Some(value))) if text.is_empty() => drop(object.insert(name.into(), value)),
            Some((Field { kind: Kind::List { of, .. }, .. }, _)) if !of.has_objects() => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                let values = lines.map(|line| value(of, line, zone));
                match object.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
                    Value::Array(list) => list.extend(values),
                    other => *other = Value::Array(values.collect()),
                }
            }
            // Of several values, such as those of a checkbox with a default, the last one counts.
            Some((field, _)) => drop(object.insert(name.into(), value(&field.kind, text, zone))),
            None => drop(object.insert(name.into(), text.into())),
        }
    }

    /// Returns the field and the element of a list of objects that a name such as `members.0.name`
    /// refers to.
    fn position_in_list<'a>(&self, name: &'a str) -> Option<(&'a str, usize, &'a str, &Self)> {
        let (outer, rest) = name.split_once('.')?;
        let (position, inner) = rest.split_once('.')?;
        let schema = self.field(outer)?.kind.element()?;
        let position = position.parse().ok().filter(|position| *position < ELEMENTS_MAX)?;
        Some((outer, position, inner, schema))
    }
}

impl Kind {
    /// Returns the fields of the elements of a list of objects.
    pub(crate) fn element(&self) -> Option<&Schema> {
        match self {
            Self::List { of, .. } => of.as_object(),
            _ => None,
        }
    }
}

/// Returns whether all fields of an element are empty.
fn is_blank(element: &Value) -> bool {
    let is_empty = |value: &Value| value.is_null() || value == "" || value == &Value::Array(vec![]);
    element.as_object().is_some_and(|fields| fields.values().all(is_empty))
}

/// Returns the meaning of an empty field; `None` if it is the same as no field.
fn empty_value(field: &Field, is_change: bool) -> Option<Value> {
    match &field.kind {
        _ if field.nullable && is_change => Some(Value::Null),
        Kind::List { .. } if field.required || is_change => Some(Value::Array(Vec::new())),
        _ if field.required => Some("".into()),
        _ => None,
    }
}

/// Returns the value of a text, or the text itself if it has none, which validation refuses.
fn value(kind: &Kind, text: &str, zone: &Zone) -> Value {
    match kind {
        // Fields for a time have no offset, and no seconds unless they differ from 0.
        Kind::Instant => zone.utc(text).into(),
        Kind::List { .. } | Kind::Object(_) | Kind::Map(_) | Kind::OneOf(_) | Kind::Anything => {
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
        kind => typed(Some(kind), text.into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Schema {
        let place = Schema::object("Place", [Field::integer("row", 0..=9)]);
        Schema::object(
            "Seat",
            [
                Field::text("name", 1..=20).required(),
                Field::text("note", 0..=20).nullable(),
                Field::flag("taken"),
                Field::instant("at"),
                Field::list("tags", Kind::Text { length: 1..=9 }, 0..=9),
                Field::new("place", Kind::Object(place)),
            ],
        )
    }

    #[test]
    fn a_form_means_the_object_that_a_program_would_send() {
        let sent = "name=Ann+B%C3%A9&note=&taken=false&taken=true&at=2026-06-01T09:30&tags=a%0D%0A+b\
                    &place.row=3&other=x";
        let fields = read_fields(sent).unwrap();
        let utc = Zone::default();
        let expected = json!({
            "name": "Ann Bé", "taken": true, "at": "2026-06-01T09:30:00Z", "tags": ["a", "b"],
            "place": { "row": 3 }, "other": "x",
        });
        assert_eq!(schema().of_form(&fields, false, &utc), expected);
        let melbourne = Zone::named("Australia/Melbourne").unwrap();
        let there = schema().of_form(&fields, false, &melbourne);
        assert_eq!(there["at"], "2026-05-31T23:30:00.000Z");
        let empty = read_fields("name=&note=&tags=&place.row=").unwrap();
        assert_eq!(schema().of_form(&empty, false, &utc), json!({ "name": "" }));
        assert_eq!(
            schema().of_form(&empty, true, &utc),
            json!({ "name": "", "note": null, "tags": [] })
        );
        assert!(read_fields("name=%ff").is_err());
    }

    #[test]
    fn elements_of_a_list_of_objects_are_numbered() {
        let member = Schema::object(
            "Member",
            [Field::text("name", 1..=20).required(), Field::integer("age", 0..=99)],
        );
        let list =
            Kind::List { of: Box::new(Kind::Object(member)), length: 0..=4, is_unique: false };
        let team = Schema::object("Team", [Field::new("members", list)]);
        let sent = "members.1.name=Bo&members.0.name=Ann&members.0.age=7&members.2.name=&members.2.age=\
                    &members.1.age=x&members.100.name=far&members.x.name=odd";
        let expected = json!({
            "members": [{ "name": "Ann", "age": 7 }, { "name": "Bo", "age": "x" }],
            "members.100.name": "far", "members.x.name": "odd",
        });
        assert_eq!(team.of_form(&read_fields(sent).unwrap(), false, &Zone::default()), expected);
    }
}
