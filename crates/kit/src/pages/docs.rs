//! The API documentation of a service as a page: every operation with a request that can be copied, its fields,
//! its responses and the texts of its errors.

use askama::Template;
use http::Method;
use serde_json::Value;

use super::assets::Asset;
use super::layout::Frame;
use super::marked::marked;
use crate::openapi::{self, path_names};
use crate::problem::Problem;
use crate::route::{Access, Answered, Route, Service};
use crate::schema::{Field, Kind, Schema};

/// The page.
#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage {
    frame: Frame,
    origin: String,
    description: String,
    authentication: String,
    first_path: &'static str,
    tokens: Vec<FieldRow>,
    conventions: Vec<String>,
    problem_example: String,
    common_refusals: Vec<RefusalRow>,
    chapters: Vec<Chapter>,
}

struct Chapter {
    name: &'static str,
    anchor: String,
    operations: Vec<Operation>,
}

struct Operation {
    id: &'static str,
    method: String,
    class: String,
    path: String,
    summary: String,
    /// The searchable words, in lower case.
    words: String,
    notes: Vec<&'static str>,
    curl: String,
    parameters: Vec<FieldRow>,
    body: Vec<FieldRow>,
    body_optional: bool,
    body_example: Option<String>,
    answers: Vec<AnswerRow>,
    refusals: Vec<RefusalRow>,
    takes_key: bool,
    can_be_tried: bool,
}

/// A field, a parameter or a kind of token.
struct FieldRow {
    name: String,
    kind: String,
    required: bool,
    about: String,
}

struct AnswerRow {
    status: u16,
    meaning: String,
    fields: Vec<FieldRow>,
    example: Option<String>,
}

struct RefusalRow {
    status: u16,
    code: String,
    text: String,
}

/// Returns the page of a service that is reached at an origin, such as `https://example.org`, in a frame.
///
/// # Errors
/// Returns 500 if the page can't be rendered.
pub(crate) fn page(service: &Service, origin: &str, frame: Frame) -> Result<String, Problem> {
    let routes = service.documented();
    let first = service.routes.iter().find(|route| {
        route.method == Method::GET && route.access == Access::SignedIn && !route.path.contains('{')
    });
    let operations_of = |chapter: &&'static str| {
        let routes = routes.iter().filter(|route| route.chapter == *chapter);
        routes.map(|route| operation(service, route, origin)).collect()
    };
    let chapters = openapi::chapters(&routes);
    let chapters = chapters.iter().map(|chapter| Chapter {
        name: chapter,
        anchor: anchor(chapter),
        operations: operations_of(chapter),
    });
    let tokens = service.tokens.iter().map(|token| FieldRow {
        name: token.name.to_owned(),
        kind: token.format.to_owned(),
        required: false,
        about: marked(token.about),
    });
    let page = DocsPage {
        frame: frame.script(Asset::DocsScript),
        origin: origin.to_owned(),
        description: marked(service.description),
        authentication: marked(openapi::AUTHENTICATION),
        first_path: first.map_or("/health", |route| route.path),
        tokens: tokens.collect(),
        conventions: openapi::CONVENTIONS.iter().map(|text| marked(text)).collect(),
        problem_example: pretty(&openapi::problem_example(service)),
        common_refusals: openapi::common_refusals(service).map(refusal_row).collect(),
        chapters: chapters.collect(),
    };
    page.render().map_err(|error| Problem::internal(error.to_string()))
}

fn operation(service: &Service, route: &Route, origin: &str) -> Operation {
    let method = route.method.as_str().to_owned();
    let body_example = route
        .body
        .as_ref()
        .map(|schema| schema.example().map_or_else(|| "{}".to_owned(), |example| pretty(&example)));
    let mut parameters: Vec<FieldRow> = path_names(route.path).map(path_row).collect();
    field_rows(&mut parameters, "", &route.query);
    let mut body = Vec::new();
    if let Some(schema) = &route.body {
        field_rows(&mut body, "", schema);
    }
    let is_stream = route.media_types.contains(&"text/event-stream");
    Operation {
        id: route.operation,
        class: method.to_ascii_lowercase(),
        path: format!("/{}{}", service.name, route.path),
        summary: marked(route.summary),
        words: format!(
            "{method} /{}{} {} {}",
            service.name, route.path, route.operation, route.summary
        )
        .to_lowercase(),
        notes: notes(route),
        curl: curl(service, route, origin),
        parameters,
        body,
        body_optional: route.body_optional,
        body_example,
        answers: route.answers.iter().map(answer_row).collect(),
        refusals: openapi::declared_refusals(service, route).map(refusal_row).collect(),
        takes_key: route.takes_idempotency_key,
        can_be_tried: route.is_for_browsers && !is_stream,
        method,
    }
}

/// Returns notes about the route that callers need.
fn notes(route: &Route) -> Vec<&'static str> {
    let notes = [
        (route.access == Access::Public, "No token needed."),
        (!route.is_for_browsers, "For programs; requests from browsers are refused."),
        (route.needs_idempotency_key, "Requires an Idempotency-Key."),
        (
            route.takes_idempotency_key && !route.needs_idempotency_key,
            "Accepts an Idempotency-Key.",
        ),
        (route.takes_if_match, "Accepts If-Match."),
        (route.takes_if_none_match, "Accepts If-None-Match: *."),
    ];
    notes.into_iter().filter_map(|(applies, note)| applies.then_some(note)).collect()
}

/// Returns a request that can be pasted into a shell.
fn curl(service: &Service, route: &Route, origin: &str) -> String {
    let mut curl = "curl".to_owned();
    if route.method != Method::GET {
        curl += &format!(" -X {}", route.method);
    }
    if route.access == Access::SignedIn {
        curl += " -H \"Authorization: Bearer $TOKEN\"";
    }
    if route.takes_idempotency_key {
        curl += " -H \"Idempotency-Key: $(uuidgen)\"";
    }
    if let Some(example) = route.body.as_ref().and_then(Schema::example) {
        // A shell ends the text at an apostrophe.
        let body = example.to_string().replace('\'', "'\\''");
        curl += &format!(" \\\n  -H \"Content-Type: application/json\" -d '{body}'");
    }
    if route.media_types.contains(&"text/event-stream") {
        curl += " -N";
    }
    curl + &format!(" \\\n  \"{origin}/{}{}\"", service.name, route.path)
}

fn path_row(name: &str) -> FieldRow {
    FieldRow {
        name: name.to_owned(),
        kind: Kind::Id.bounded(),
        required: true,
        about: "Part of the path.".to_owned(),
    }
}

/// Adds a row for each field, followed by those of the objects in it.
fn field_rows(rows: &mut Vec<FieldRow>, before: &str, schema: &Schema) {
    for field in &schema.fields {
        let name = format!("{before}{}", field.name);
        let (required, about) = (field.required, marked(field.description));
        rows.push(FieldRow { kind: kind(field), name: name.clone(), required, about });
        match &field.kind {
            Kind::Object(inner) => field_rows(rows, &format!("{name}."), inner),
            Kind::List { of, .. } => {
                if let Kind::Object(inner) = &**of {
                    field_rows(rows, &format!("{name}[]."), inner);
                }
            }
            _ => {}
        }
    }
}

fn kind(field: &Field) -> String {
    let mut kind = field.kind.bounded();
    if field.nullable {
        kind.push_str(", or null");
    }
    if !field.aliases.is_empty() {
        kind.push_str(&format!("; also accepted as {}", field.aliases.join(", ")));
    }
    kind
}

fn answer_row(answer: &Answered) -> AnswerRow {
    let mut fields = Vec::new();
    if let Some(schema) = answer.schema.as_ref().and_then(Kind::as_object) {
        field_rows(&mut fields, "", schema);
    }
    AnswerRow {
        status: answer.status,
        meaning: marked(answer.meaning),
        fields,
        example: answer.example.as_ref().map(pretty),
    }
}

fn refusal_row((problem, code): (Problem, String)) -> RefusalRow {
    RefusalRow { status: problem.status(), code, text: problem.message }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Returns the fragment of a chapter's address.
fn anchor(chapter: &str) -> String {
    let dashed = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
    chapter.chars().map(dashed).collect::<String>().to_ascii_lowercase()
}
