//! One route as an operation of the document.

use http::Method;
use serde_json::{Map, Value, json};

use super::json_schema::{ID_PATTERN, Schemas};
use super::refusals;
use crate::route::{Access, Route, Service};
use crate::schema::Schema;
use crate::state::State;

pub(super) fn operation<S: State>(
    service: &Service<S>,
    route: &Route<S>,
    schemas: &mut Schemas,
) -> Value {
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.chapter],
        "responses": responses(service, route),
    });
    let parameters = parameters(route, schemas);
    if !parameters.is_empty() {
        operation["parameters"] = Value::Array(parameters);
    }
    if let Some(schema) = &route.body {
        let mut content = json!({ "schema": schemas.object(schema) });
        if let Some(example) = example_of(schema) {
            content["example"] = example;
        }
        operation["requestBody"] = json!({
            "required": !route.body_optional, "content": { "application/json": content },
        });
    }
    if route.access == Access::Public {
        operation["security"] = json!([]);
    }
    operation
}

fn parameters<S>(route: &Route<S>, schemas: &mut Schemas) -> Vec<Value> {
    let mut parameters: Vec<Value> = path_names(route.path)
        .map(|name| {
            json!({
                "name": name, "in": "path", "required": true,
                "schema": { "type": "string", "pattern": ID_PATTERN },
            })
        })
        .collect();
    for field in &route.query.fields {
        let mut schema = schemas.field(field);
        let mut parameter =
            json!({ "name": field.name, "in": "query", "required": field.required });
        if let Some(description) = schema.as_object_mut().and_then(|it| it.remove("description")) {
            parameter["description"] = description;
        }
        parameter["schema"] = schema;
        parameters.push(parameter);
    }
    if route.takes_idempotency_key {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": route.needs_idempotency_key,
            "description": "Repeats with the same key have no further effect and get the same answer.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,128}$" },
        }));
    }
    if route.takes_if_match {
        parameters.push(json!({
            "name": "If-Match", "in": "header", "required": false,
            "description": "The `ETag` of the version that may be changed.",
            "schema": { "type": "string", "pattern": "^\"[0-9]{1,18}\"$" },
        }));
    }
    parameters
}

/// The names in a path.
pub(super) fn path_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

/// A body made of the fields' examples, if every required field has one.
fn example_of(schema: &Schema) -> Option<Value> {
    if schema.is_bare {
        return schema.fields.first().and_then(|field| field.example.clone());
    }
    let mut example = Map::new();
    for field in &schema.fields {
        match &field.example {
            Some(value) => {
                example.insert(field.name.to_owned(), value.clone());
            }
            None if field.required => return None,
            None => {}
        }
    }
    (!example.is_empty()).then_some(Value::Object(example))
}

fn responses<S: State>(service: &Service<S>, route: &Route<S>) -> Value {
    let mut responses = Map::new();
    for (status, meaning, example) in &route.answers {
        let mut response = response(meaning);
        if !matches!(status, 204 | 304) {
            response["content"] = answer_content(route.media_types, example.as_ref());
        }
        responses.insert(status.to_string(), response);
    }
    if route.method == Method::GET && route.media_types.contains(&"application/json") {
        responses.entry("304").or_insert_with(|| response("The client has this version already."));
    }
    for (status, codes) in refusals::refusals(route) {
        let mut examples = Map::new();
        for code in &codes {
            let problem = refusals::example(status, code);
            let shown = (service.problem_form)(&problem, "01997f3e-7a0c-7000-8000-000000000001");
            examples.insert((*code).to_owned(), json!({ "value": shown }));
        }
        let told = format!("{} `{}`", refusals::meaning(status), codes.join("`, `"));
        let mut response = response(&told);
        response["content"] = json!({ "application/json": {
            "schema": { "$ref": "#/components/schemas/Problem" }, "examples": examples,
        } });
        responses.insert(status.to_string(), response);
    }
    Value::Object(responses)
}

fn response(description: &str) -> Value {
    json!({
        "description": description,
        "headers": { "X-Request-Id": { "$ref": "#/components/headers/RequestId" } },
    })
}

/// What an answer may be. Of JSON only the outermost form is promised; the example shows the rest.
fn answer_content(media_types: &[&str], example: Option<&Value>) -> Value {
    let mut content = Map::new();
    for media_type in media_types {
        let is_json = *media_type == "application/json";
        let schema = match example {
            Some(Value::Object(_)) if is_json => json!({ "type": "object" }),
            Some(Value::Array(_)) if is_json => json!({ "type": "array" }),
            _ if is_json => json!({}),
            _ => json!({ "type": "string" }),
        };
        let mut shown = json!({ "schema": schema });
        if let Some(example) = example.filter(|_| is_json) {
            shown["example"] = example.clone();
        }
        content.insert((*media_type).to_owned(), shown);
    }
    Value::Object(content)
}
