//! Requests that are generated from the documentation of operations: paths with values, and bodies
//! of their examples. With these, only the sender decides what happens, and not the body.

use monotable_kit::{Field, Kind, Route, Schema};
use serde_json::{Map, Value, json};

/// Returns the path of a route with a value for each of its `{names}`.
pub fn path_with(route: &Route, mut value: impl FnMut(&str) -> String) -> String {
    let parts = route.path.split('/').map(|part| {
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) => value(name),
            None => part.to_owned(),
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

/// Returns a body that a route accepts: its required fields, or one field where a body must have one.
/// Values are the chosen ones, or else the examples of the fields.
///
/// # Panics
/// Panics if a required field has no example.
pub fn example_body(route: &Route, choose: &dyn Fn(&Field) -> Option<Value>) -> Value {
    let Some(schema) = &route.body else { return Value::Null };
    let value = |field: &Field| {
        let value = value(field, choose);
        value.unwrap_or_else(|| panic!("{} has no example of {}", route.operation, field.name))
    };
    if let (true, [field]) = (schema.is_bare, &schema.fields[..]) {
        return choose(field).unwrap_or_else(|| json!({}));
    }
    let mut body = object(schema, &value);
    if body.is_empty() && schema.must_say_something {
        let field = schema.fields.iter().find(|field| field.example.is_some());
        let field = field.unwrap_or_else(|| panic!("{} has no example", route.operation));
        body.insert(field.name.to_owned(), value(field));
    }
    for field in &schema.fields {
        if let Some(chosen) = choose(field) {
            body.insert(field.name.to_owned(), chosen);
        }
    }
    if body.is_empty() && route.body_optional { Value::Null } else { Value::Object(body) }
}

fn object(schema: &Schema, value: &dyn Fn(&Field) -> Value) -> Map<String, Value> {
    let required = schema.fields.iter().filter(|field| field.required);
    required.map(|field| (field.name.to_owned(), value(field))).collect()
}

fn value(field: &Field, choose: &dyn Fn(&Field) -> Option<Value>) -> Option<Value> {
    let made = || match &field.kind {
        Kind::List { of, .. } => match &**of {
            Kind::Object(schema) => {
                let inner = |field: &Field| value(field, choose).unwrap_or_default();
                Some(json!([object(schema, &inner)]))
            }
            _ => Some(field.example.clone().unwrap_or_else(|| json!([]))),
        },
        Kind::Flag => Some(field.example.clone().unwrap_or(Value::Bool(true))),
        _ => field.example.clone(),
    };
    choose(field).or_else(made)
}
