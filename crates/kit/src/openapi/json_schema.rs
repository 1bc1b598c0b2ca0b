//! Schemas of the kit as JSON Schema: the schema allows exactly what the check accepts.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use crate::schema::{Field, Kind, LINE_LENGTH_MAX, Schema};

/// An identifier, as in a key.
pub(super) const ID_PATTERN: &str = "^[A-Za-z0-9._~@+:-]{1,128}$";

/// The named schemas.
#[derive(Default)]
pub(super) struct Schemas {
    named: Map<String, Value>,
}

impl Schemas {
    pub(super) fn into_components(self) -> Map<String, Value> {
        self.named
    }

    /// Returns a schema, by its name if it has one.
    pub(super) fn object(&mut self, schema: &Schema) -> Value {
        let written = self.written(schema);
        if schema.name.is_empty() {
            return written;
        }
        // Two schemas of one name are distinguished by a number.
        let mut name = schema.name.to_owned();
        let mut number = 1;
        while self.named.get(&name).is_some_and(|other| *other != written) {
            number += 1;
            name = format!("{}{number}", schema.name);
        }
        let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
        self.named.insert(name, written);
        reference
    }

    fn written(&mut self, schema: &Schema) -> Value {
        if let (true, [field]) = (schema.is_bare, &schema.fields[..]) {
            return self.field(field);
        }
        let mut properties = Map::new();
        for field in &schema.fields {
            properties.insert(field.name.to_owned(), self.field(field));
        }
        let required: Vec<&str> =
            schema.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        let mut written = json!({
            "type": "object", "properties": properties, "additionalProperties": false,
        });
        if !required.is_empty() {
            written["required"] = json!(required);
        }
        if schema.must_say_something {
            written["minProperties"] = json!(1);
        }
        let mut about = schema.about.to_owned();
        if !schema.read_only.is_empty() {
            about.push_str(&format!(" Can't be written: `{}`.", schema.read_only.join("`, `")));
        }
        if !about.is_empty() {
            written["description"] = about.trim_start().into();
        }
        written
    }

    /// Returns the schema of a field, with its description.
    pub(super) fn field(&mut self, field: &Field) -> Value {
        let mut schema = self.kind(&field.kind);
        if field.nullable {
            schema = nullable(schema);
        }
        let mut description = field.description.to_owned();
        if matches!(field.kind, Kind::Word(_)) {
            description.push_str(" Case does not matter.");
        }
        if !field.aliases.is_empty() {
            description.push_str(&format!(" Also accepted as `{}`.", field.aliases.join("`, `")));
        }
        if !description.is_empty() {
            schema["description"] = description.trim().into();
        }
        if let Some(example) = &field.example {
            schema["examples"] = json!([example]);
        }
        schema
    }

    /// Returns the schema of a value.
    pub(super) fn kind(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Text { length } => text(length),
            Kind::Id => json!({ "type": "string", "pattern": ID_PATTERN }),
            Kind::Integer { range } => integer(range),
            Kind::Number { range } => number(range),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Instant => json!({ "type": "string", "format": "date-time" }),
            Kind::Day => json!({ "type": "string", "format": "date" }),
            Kind::File => json!({ "type": "string", "contentEncoding": "base64" }),
            Kind::Word(words) => json!({ "type": "string", "enum": words }),
            Kind::List { of, length, is_unique } => {
                let mut list = json!({ "type": "array", "items": self.kind(of) });
                if *is_unique {
                    list["uniqueItems"] = true.into();
                }
                bounds(&mut list, "minItems", "maxItems", length);
                list
            }
            Kind::Object(schema) => self.object(schema),
            Kind::Map(of) => json!({ "type": "object", "additionalProperties": self.kind(of) }),
            Kind::OneOf(kinds) => {
                let kinds: Vec<Value> = kinds.iter().map(|kind| self.kind(kind)).collect();
                json!({ "anyOf": kinds })
            }
            Kind::Anything => json!({}),
        }
    }
}

/// Returns the schema of a text: no control characters, but line feeds where several lines are
/// allowed. Spaces around the text don't count towards its length, so the minimum is measured
/// between two other characters.
fn text(length: &RangeInclusive<usize>) -> Value {
    let mut text = json!({ "type": "string" });
    if *length == (0..=usize::MAX) {
        return text;
    }
    bounds(&mut text, "minLength", "maxLength", length);
    let any = if *length.end() > LINE_LENGTH_MAX {
        "[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]"
    } else {
        "[^\\u0000-\\u001f\\u007f-\\u009f]"
    };
    let seen = "[^\\s\\u0000-\\u001f\\u007f-\\u009f]";
    let pattern = match *length.start() {
        0 => format!("^{any}*$"),
        1 => format!("^{any}*{seen}{any}*$"),
        least => format!("^{any}*{seen}{any}{{{},}}{seen}{any}*$", least - 2),
    };
    text["pattern"] = pattern.into();
    text
}

fn bounds(schema: &mut Value, least: &str, most: &str, length: &RangeInclusive<usize>) {
    if *length.start() > 0 {
        schema[least] = json!(length.start());
    }
    if *length.end() < usize::MAX {
        schema[most] = json!(length.end());
    }
}

fn integer(range: &RangeInclusive<i64>) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": range.start(), "maximum": range.end() })
}

fn number(range: &RangeInclusive<f64>) -> Value {
    let mut number = json!({ "type": "number" });
    if range.start().is_finite() {
        number["minimum"] = json!(range.start());
    }
    if range.end().is_finite() {
        number["maximum"] = json!(range.end());
    }
    number
}

fn nullable(mut schema: Value) -> Value {
    let is_plain = schema.get("enum").is_none() && schema.get("$ref").is_none();
    match schema.get("type").and_then(Value::as_str).map(str::to_owned) {
        Some(own) if is_plain => {
            schema["type"] = json!([own, "null"]);
            schema
        }
        _ if schema.as_object().is_some_and(Map::is_empty) => schema,
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

/// Returns the schema of values that have the form of this one, and perhaps more fields.
pub(super) fn of_sample(sample: &Value) -> Value {
    match sample {
        Value::Null => json!({}),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "number" }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Array(values) => match values.first() {
            Some(first) => {
                let mut items = of_sample(first);
                if let Some(items) = items.as_object_mut() {
                    // The other elements may have different fields.
                    items.remove("required");
                }
                json!({ "type": "array", "items": items })
            }
            None => json!({ "type": "array" }),
        },
        Value::Object(fields) => {
            let properties: Map<String, Value> =
                fields.iter().map(|(name, value)| (name.clone(), of_sample(value))).collect();
            let required: Vec<&String> = fields.keys().collect();
            json!({ "type": "object", "properties": properties, "required": required })
        }
    }
}

/// Returns the schema of a response with an example: its fields have the same types, or are null or
/// missing.
pub(super) fn of_example(example: &Value) -> Value {
    match example {
        Value::Object(fields) => {
            let field =
                |(name, value): (&String, &Value)| (name.clone(), nullable(of_example(value)));
            let properties: Map<String, Value> = fields.iter().map(field).collect();
            json!({ "type": "object", "properties": properties })
        }
        Value::Array(values) => match values.first() {
            Some(first) => json!({ "type": "array", "items": of_example(first) }),
            None => json!({ "type": "array" }),
        },
        plain => of_sample(plain),
    }
}
