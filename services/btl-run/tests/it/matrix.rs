//! Every operation by every actor, on a match in its lobby, played, ended and missing. The operations are
//! those of the service, so that a new one fails here until the table has a row for it.

mod matches;
mod table;

use monotable::Item;
use monotable_btl_run::service;
use monotable_testkit::service::Matrix;
use serde_json::Value;

use self::matches::{ACTORS, matches};
use self::table::TABLE;

const MATRIX: Matrix = Matrix {
    table: TABLE,
    actors: ACTORS,
    marks: &[
        ("401 INVALID_TOKEN", 'u'),
        // Pages show no codes.
        ("401 -", 'u'),
        ("403 NOT_YOUR_MATCH", 'm'),
        ("403 GM_REQUIRED", 'g'),
        ("403 NOT_YOUR_TRIBUTE", 't'),
        ("403 USER_REQUIRED", 'i'),
        ("403 KV_ROLE_REQUIRED", 'k'),
        ("409 TRIBUTE_DEAD", 'd'),
    ],
    exempt: &[],
};

#[test]
fn every_route_has_rows() {
    MATRIX.assert_complete(&service());
}

/// Each actor gets the result in the table; refused requests and reads change nothing.
#[tokio::test]
async fn roles_decide() {
    MATRIX.check(matches).await;
}

/// A field that is added to an entity, or to a tribute, is in no response until a view names it.
#[tokio::test]
async fn added_fields_are_in_no_response() {
    MATRIX.assert_hides_new_fields(matches, add_field).await;
}

/// Adds a field to a row, to its value, and to what the value lists.
fn add_field(row: &mut Item, name: &str) {
    row.insert(name.to_owned(), "leak".into());
    let text = row.get("v").and_then(|value| value.as_s());
    let Some(Ok(Value::Object(mut value))) = text.map(serde_json::from_str) else {
        return;
    };
    for listed in value.values_mut().filter_map(Value::as_array_mut).flatten() {
        if let Value::Object(fields) = listed {
            fields.insert(name.to_owned(), "leak".into());
        }
    }
    value.insert(name.to_owned(), "leak".into());
    row.insert("v".to_owned(), Value::Object(value).to_string().into());
}

#[tokio::test]
async fn operations_are_unavailable_while_the_backend_does_not_respond() {
    MATRIX.assert_unavailable_without_backend(matches).await;
}
