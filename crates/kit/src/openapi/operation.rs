//! One route as an operation of the document.

use http::Method;
use serde_json::{Map, Value, json};

use super::json_schema::{ID_PATTERN, Schemas, of_example};
use super::refusals;
use crate::route::{Access, Answered, Route, Service};

pub(super) fn operation(service: &Service, route: &Route, schemas: &mut Schemas) -> Value {
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.chapter],
        "responses": responses(service, route, schemas),
    });
    let parameters = parameters(route, schemas);
    if !parameters.is_empty() {
        operation["parameters"] = Value::Array(parameters);
    }
    if let Some(schema) = &route.body {
        let mut content = json!({ "schema": schemas.object(schema) });
        if let Some(example) = schema.example() {
            content["example"] = example;
        }
        operation["requestBody"] = json!({
            "required": !route.body_optional, "content": { "application/json": content },
        });
    }
    if route.is_unlimited {
        operation["security"] = json!([]);
    } else if route.access == Access::Public {
        // A token is optional.
        let mut security = vec![json!({})];
        security.extend(service.security());
        operation["security"] = Value::Array(security);
    }
    operation
}

/// A version, perhaps with the hash of what the caller saw; or any version.
const IF_MATCH_PATTERN: &str = "^(\\*|\"[0-9]{1,18}(-[0-9a-f]{16})?\")$";

fn parameters(route: &Route, schemas: &mut Schemas) -> Vec<Value> {
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
    if route.takes_idempotency_key || route.changes_nothing {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": route.needs_idempotency_key,
            "description": "Repeats with the same key have no further effect and get the same response.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,128}$" },
        }));
    }
    for header in route.headers {
        parameters.push(json!({
            "name": header, "in": "header", "required": false, "schema": { "type": "string" },
        }));
    }
    if route.takes_if_match {
        parameters.push(json!({
            "name": "If-Match", "in": "header", "required": false,
            "description": "The `ETag` of the version that may be changed.",
            "schema": { "type": "string", "pattern": IF_MATCH_PATTERN },
        }));
    }
    parameters
}

/// Returns the names in a path.
pub(crate) fn path_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn responses(service: &Service, route: &Route, schemas: &mut Schemas) -> Value {
    let mut responses = Map::new();
    let has_etag = route.method == Method::GET && !route.media_types.contains(&"text/event-stream");
    for Answered { status, meaning, example, schema } in &route.answers {
        let mut response = response(meaning);
        if !matches!(status, 204 | 304) {
            let schema = schema.as_ref().map(|schema| schemas.kind(schema));
            let (schema, example) = if route.is_enveloped {
                (schema.map(envelope_schema), example.as_ref().map(enveloped))
            } else {
                (schema, example.clone())
            };
            response["content"] = answer_content(route.media_types, schema, example.as_ref());
        }
        if has_etag && *status == 200 {
            response["headers"]["ETag"] = json!({ "$ref": "#/components/headers/ETag" });
        }
        responses.insert(status.to_string(), response);
    }
    if has_etag {
        let mut response = response("The client has this version already.");
        response["headers"]["ETag"] = json!({ "$ref": "#/components/headers/ETag" });
        responses.insert("304".to_owned(), response);
    }
    for (status, refusals) in refusals::refusals(service, route) {
        let codes: Vec<&str> = refusals.keys().map(String::as_str).collect();
        let description = format!("{} `{}`", refusals::meaning(status), codes.join("`, `"));
        let mut response = response(&description);
        let examples: Map<String, Value> =
            refusals.into_iter().map(|(code, form)| (code, json!({ "value": form }))).collect();
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

/// Returns the schema of an envelope with such data.
fn envelope_schema(data: Value) -> Value {
    json!({
        "type": "object", "required": ["success", "data"],
        "properties": { "success": { "const": true }, "data": data },
    })
}

/// Returns data in the envelope of services that send one.
pub(crate) fn enveloped(data: &Value) -> Value {
    json!({ "success": true, "data": data })
}

/// Returns the content of a response.
fn answer_content(media_types: &[&str], typed: Option<Value>, example: Option<&Value>) -> Value {
    let mut content = Map::new();
    for media_type in media_types {
        let is_json = *media_type == "application/json";
        let schema = match (&typed, example) {
            (Some(typed), _) if is_json => typed.clone(),
            (None, Some(example)) if is_json => of_example(example),
            (None, None) if is_json => json!({}),
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
