//! Routes of the key-value interface, for programs with a service token and never for browsers.

use monotable_kit::{Field, Kind, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use crate::kv::programs::{self, TTL, VALUE};

const CHAPTER: &str = "Key-value rows";
/// The last second of the year 9999.
const TTL_MAX: i64 = 253_402_300_799;
const ROLE: [(u16, &str); 1] = [(403, "KV_ROLE_REQUIRED")];

pub(crate) fn routes() -> Vec<Route> {
    let two_parts = [
        get(command!(GET "/kv/{pk}/{sk}", "getValue", programs::get)),
        create(command!(POST "/kv/{pk}/{sk}", "createValue", programs::create)),
        put(command!(PUT "/kv/{pk}/{sk}", "putValue", programs::put)),
        merge(command!(PATCH "/kv/{pk}/{sk}", "mergeValue", programs::merge)),
        delete(command!(DELETE "/kv/{pk}/{sk}", "deleteValue", programs::delete)),
    ];
    let one_part = [
        get(command!(GET "/kv1/{key}", "getValueOfOne", programs::get)),
        create(command!(POST "/kv1/{key}", "createValueOfOne", programs::create)),
        put(command!(PUT "/kv1/{key}", "putValueOfOne", programs::put)),
        merge(command!(PATCH "/kv1/{key}", "mergeValueOfOne", programs::merge)),
        delete(command!(DELETE "/kv1/{key}", "deleteValueOfOne", programs::delete)),
    ];
    let routes = two_parts.into_iter().chain(one_part).chain([list()]);
    routes.map(|route| route.refuses(&ROLE).not_from_browsers()).collect()
}

fn get(route: Route) -> Route {
    route
        .about(CHAPTER, "The value under a key, with its version as ETag if it has one.")
        // No example: it would promise an object.
        .answers(200, "The value, whatever JSON it is.", None)
        .refuses(&[(404, "NOT_FOUND"), (500, "VALUE_UNREADABLE")])
}

fn create(route: Route) -> Route {
    writes(route)
        .about(CHAPTER, "Writes a value where there is none.")
        .answers(201, "It was written.", Some(written()))
        .refuses(&[(409, "CONFLICT")])
        .once()
}

fn put(route: Route) -> Route {
    writes(route)
        .about(
            CHAPTER,
            "Writes a value over whatever is there, or over the version of If-Match (0: none). With \
             If-Match: * there must be a value, with If-None-Match: * there must be none.",
        )
        .answers(200, "It was written.", Some(written()))
        .answers(201, "It was written where If-None-Match: * asked for nothing.", Some(written()))
        .refuses(&[(409, "CONFLICT"), (412, "PRECONDITION_FAILED")])
        .if_match()
        .if_none_match()
}

fn merge(route: Route) -> Route {
    writes(route)
        .about(CHAPTER, "Writes the fields of an object over those of the object that is there.")
        .answers(200, "It was written.", Some(written()))
        .refuses(&[(404, "NOT_FOUND"), (409, "CONFLICT"), (412, "PRECONDITION_FAILED")])
        .if_match()
}

fn delete(route: Route) -> Route {
    route
        .about(CHAPTER, "Removes a value, whether or not there is one.")
        .answers(200, "There is none now.", Some(json!({ "success": true })))
        .refuses(&[(412, "PRECONDITION_FAILED")])
        .if_match()
}

/// What all writes take.
fn writes(route: Route) -> Route {
    let value = Field::new(VALUE, Kind::Anything).example(example());
    let ttl = Field::integer(TTL, 0..=TTL_MAX)
        .about("When it ends, in seconds since 1970; 0 for never, and as it is if left out.");
    route
        .body(Schema::bare("AnyValue", value))
        .query(Schema::object("Expiry", [ttl]))
        .refuses(&[(413, "VALUE_TOO_LARGE")])
}

fn list() -> Route {
    let key = |name, about| Field::text(name, 1..=1024).about(about);
    let query = Schema::object(
        "ValuesQuery",
        [
            key("prefix", "What the sort keys begin with."),
            key("from", "The first sort key; together with `to`."),
            key("to", "The last sort key; together with `from`."),
        ],
    );
    let item = json!({
        "sk": "theme", "value": example(), "version": 1, "contentType": "application/json",
    });
    let page = json!({ "items": [item], "hasMore": false, "unreadable": ["damaged"] });
    command!(GET "/kv/{pk}", "listValues", programs::list)
        .about(CHAPTER, "The values of a partition, in the order of their sort keys; `unreadable` lists damaged rows.")
        .query(query.paged())
        .answers(200, "A page of values.", Some(page))
        .refuses(&[(400, "INVALID_CURSOR")])
}

fn example() -> Value {
    json!({ "tone": "dark" })
}

fn written() -> Value {
    json!({ "success": true, "version": 1 })
}
