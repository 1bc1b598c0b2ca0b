//! The OpenAPI document and the page for people.

use std::collections::BTreeSet;

use expect_test::expect;
use http::Method;
use monotable_kit::{Problem, TokenScheme};
use serde_json::{Value, json};

use crate::shelf::{Service, service};
use crate::world::World;

#[tokio::test]
async fn the_document_is_served_and_says_what_the_routes_do() {
    let world = World::new().await;
    let answer = world.request(Method::GET, "/openapi.json", Value::Null).await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document = answer.json();
    assert_eq!(document, service().openapi());
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"], json!([{ "url": "/shelf" }]));

    let add = &document["paths"]["/books"]["post"];
    let statuses: Vec<&String> = add["responses"].as_object().unwrap().keys().collect();
    assert_eq!(statuses, ["201", "400", "401", "403", "409", "413", "415", "429", "500", "503"]);
    assert_eq!(
        add["responses"]["409"]["content"]["application/json"]["examples"]["TITLE_TAKEN"]["value"]
            ["code"],
        "TITLE_TAKEN"
    );
    assert_eq!(
        add["requestBody"]["content"]["application/json"]["example"],
        json!({ "title": "Emma", "pages": 474 })
    );
    // A token is needed, or looked at, or does not matter.
    assert_eq!(document["security"], json!([{ "bearer": [] }]));
    assert_eq!(add.get("security"), None);
    assert_eq!(document["paths"]["/books"]["get"]["security"], json!([{}, { "bearer": [] }]));
    for path in ["/health", "/ready", "/openapi.json", "/docs"] {
        assert_eq!(document["paths"][path]["get"]["security"], json!([]), "{path}");
        assert_eq!(document["paths"][path]["get"]["responses"].get("429"), None, "{path}");
    }
}

#[test]
fn schemas_allow_what_the_check_takes() {
    let document = service().openapi();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let fields = |(name, schema): (&String, &Value)| {
        let mut lines = vec![format!("{name}:")];
        let mut schema = schema.clone();
        if let Some(Value::Object(fields)) = schema.as_object_mut().unwrap().remove("properties") {
            lines.extend(fields.iter().map(|(name, field)| format!("  {name}: {field}")));
        }
        lines.push(format!("  {schema}"));
        lines.join("\n")
    };
    let told: Vec<String> = schemas.iter().map(fields).collect();
    expect![[r##"
        BookChange:
          title: {"maxLength":20,"minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$","type":"string"}
          {"additionalProperties":false,"minProperties":1,"type":"object"}
        Everything:
          any: {}
          at: {"format":"date-time","type":"string"}
          colour: {"anyOf":[{"enum":["red","green"],"type":"string"},{"type":"null"}],"description":"Case does not matter."}
          id: {"pattern":"^[A-Za-z0-9._~@+:-]{1,128}$","type":["string","null"]}
          isNew: {"type":"boolean"}
          long: {"minLength":3,"pattern":"^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]{1,}[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$","type":"string"}
          names: {"anyOf":[{"enum":["all","none"],"type":"string"},{"items":{"maxLength":4,"minLength":2,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]{0,}[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$","type":"string"},"maxItems":2,"type":"array"}]}
          on: {"format":"date","type":["string","null"]}
          place: {"anyOf":[{"$ref":"#/components/schemas/Place"},{"type":"null"}]}
          places: {"items":{"$ref":"#/components/schemas/Place"},"maxItems":3,"minItems":1,"type":"array"}
          share: {"description":"Also accepted as `part`.","maximum":1.0,"minimum":0.0,"type":["number","null"]}
          short: {"maxLength":5,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*$","type":["string","null"]}
          whole: {"format":"int64","maximum":9223372036854775807,"minimum":-9223372036854775808,"type":"integer"}
          {"additionalProperties":false,"type":"object"}
        NewBook:
          pages: {"examples":[474],"format":"int64","maximum":5000,"minimum":1,"type":"integer"}
          title: {"description":"What is on its back.","examples":["Emma"],"maxLength":20,"minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$","type":"string"}
          {"additionalProperties":false,"description":"Can't be written: `bookId`, `ver`.","required":["title"],"type":"object"}
        Place:
          row: {"format":"int64","maximum":9,"minimum":-9,"type":"integer"}
          {"additionalProperties":false,"description":"Can't be written: `id`.","required":["row"],"type":"object"}
        Problem:
          code: {"type":"string"}
          error: {"type":"string"}
          fields: {"items":{"properties":{"field":{"type":"string"},"message":{"type":"string"}},"type":"object"},"type":"array"}
          requestId: {"type":"string"}
          {"description":"Why a request was rejected, or failed. Details depend on the code.","required":["code","error","requestId"],"type":"object"}"##]].assert_eq(&told.join("\n"));
    let parameters = &document["paths"]["/books"]["get"]["parameters"];
    expect![[r#"[{"in":"query","name":"isNew","required":false,"schema":{"type":"boolean"}},{"description":"The maximum number of elements; 50 by default.","in":"query","name":"limit","required":false,"schema":{"examples":[25],"format":"int64","maximum":100,"minimum":1,"type":"integer"}},{"description":"The `nextToken` of the previous page.","in":"query","name":"nextToken","required":false,"schema":{"maxLength":8192,"minLength":1,"pattern":"^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$","type":"string"}}]"#]].assert_eq(&parameters.to_string());
}

#[test]
fn every_reference_leads_somewhere_and_every_operation_has_its_own_name() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let document = service().openapi();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let place = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(place).is_some(), "{reference}");
    }
    let service = service();
    let names: BTreeSet<&str> = service.routes.iter().map(|route| route.operation).collect();
    assert_eq!(names.len(), service.routes.len());
}

#[tokio::test]
async fn the_page_shows_every_route_and_loads_only_files_of_the_service() {
    let world = World::new().await;
    let page = world.request(Method::GET, "/docs", Value::Null).await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    assert!(page.text.contains("<h1>Shelf &#60;&#38;&#62; API</h1>"), "{}", page.text);
    let policy = page.header("content-security-policy");
    assert!(!policy.contains("unsafe-") && policy.contains("frame-ancestors 'none'"), "{policy}");
    // Scripts are files; what the page shows of its own address is text.
    assert!(!page.text.contains("style=\"") && !page.text.contains("onclick"));
    let addresses = page.text.match_indices("src=\"").chain(page.text.match_indices("href=\""));
    for (start, mark) in addresses {
        let address = &page.text[start + mark.len()..];
        assert!(address.starts_with("/shelf/") || address.starts_with('#'), "{}", &address[..40]);
    }
    for route in service().routes {
        assert!(page.text.contains(route.summary), "{}", route.summary);
    }
    let style = page
        .text
        .split("rel=\"stylesheet\" href=\"/shelf")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let style = world.request(Method::GET, style, Value::Null).await;
    assert_eq!((style.status, style.header("content-type")), (200, "text/css; charset=utf-8"));
    assert_eq!(style.header("cache-control"), "public, max-age=31536000, immutable");
}

/// A service that writes codes of its own, and takes tokens of its own.
fn renaming() -> Service {
    let form = |problem: &Problem, _: &str| {
        let code = if problem.code == "RATE_LIMITED" { "TOO_FAST" } else { problem.code };
        let mut form = json!({ "code": code });
        if !problem.details.is_empty() {
            form["details"] = problem.details_list().into();
        }
        form
    };
    let guests = TokenScheme { name: "guest", format: "g/…", about: "Of `POST /guests`." };
    let service = Service::new("shelf", "Renamed", "With `codes` of its own.", form);
    service.routes(crate::shelf::service().routes).tokens(guests)
}

#[test]
fn codes_details_and_tokens_are_those_of_the_service() {
    let document = renaming().openapi();
    let limited = &document["paths"]["/books"]["post"]["responses"]["429"];
    assert!(limited["description"].as_str().unwrap().ends_with("`TOO_FAST`"), "{limited}");
    let examples = limited["content"]["application/json"]["examples"].as_object().unwrap();
    assert_eq!(examples.keys().collect::<Vec<_>>(), ["TOO_FAST"]);
    let problem = &document["components"]["schemas"]["Problem"];
    assert_eq!(problem["required"], json!(["code"]));
    assert_eq!(
        problem["properties"]["details"]["items"]["properties"]["field"],
        json!({ "type": "string" })
    );
    assert_eq!(document["security"], json!([{ "bearer": [] }, { "guest": [] }]));
    assert_eq!(document["components"]["securitySchemes"]["guest"]["bearerFormat"], "g/…");
}

#[tokio::test]
async fn the_page_shows_code_as_code_and_says_how_to_authenticate() {
    let world = World::of(renaming(), |host| host).await;
    let page = world.request(Method::GET, "/docs", Value::Null).await.text;
    assert!(!page.contains('`'), "{page}");
    assert!(page.contains("With <code>codes</code> of its own."), "{page}");
    assert!(page.contains("<code>Authorization: Bearer &lt;token&gt;</code>"), "{page}");
    assert!(page.contains("Of <code>POST /guests</code>."), "{page}");
    assert!(page.contains("TOO_FAST") && !page.contains("RATE_LIMITED"), "{page}");
}

#[tokio::test]
async fn what_the_document_says_of_unchanged_responses_is_true() {
    let world = World::new().await;
    let document = service().openapi();
    let get = |path: &str| document["paths"][path]["get"]["responses"].clone();
    assert_eq!(get("/events").get("304"), None);
    for path in ["/books", "/health", "/docs", "/openapi.json"] {
        assert!(get(path).get("304").is_some(), "{path}");
        let first = world.request(Method::GET, path, Value::Null).await;
        let etag = first.header("etag").to_owned();
        assert!(etag.starts_with("W/\""), "{path}: {etag}");
        let headers = [("if-none-match", etag.as_str())];
        let again = world.ask_with(Method::GET, path, Value::Null, &headers).await;
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
        assert_eq!(again.header("etag"), etag, "{path}");
    }
}
