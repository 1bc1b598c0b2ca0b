//! The memory that a request takes is a small multiple of its size, whatever it contains.

use crate::fixture::World;

const REFUSAL: &str = "more lists and maps than this server takes in a body of its size";

fn repeated(before: &str, part: &str, times: usize, after: &str) -> String {
    format!("{before}{}{after}", vec![part; times].join(","))
}

#[test]
fn bodies_of_many_tiny_values_are_refused() {
    let world = World::new();
    let list = repeated(
        r#"{"TableName":"plain","Item":{"id":{"S":"1"},"l":{"L":["#,
        r#"{"M":{"a":{"NULL":true}}}"#,
        200_000,
        "]}}}",
    );
    let keys = repeated(
        r#"{"RequestItems":{"plain":{"Keys":["#,
        r#"{"a":{"NULL":true}}"#,
        200_000,
        "]}}}",
    );
    let actions = repeated(r#"{"TransactItems":["#, "{}", 100_000, "]}");
    for (operation, body) in
        [("PutItem", list), ("BatchGetItem", keys), ("TransactWriteItems", actions)]
    {
        let response = world.call(operation, body.as_bytes());
        assert!(
            response.contains(REFUSAL),
            "{operation}: {}",
            &response[..200.min(response.len())]
        );
    }
}

#[test]
fn the_largest_ordinary_requests_are_accepted() {
    let world = World::new();
    // Ten attributes per item and as many items as a batch can have, nearly 400 KB each.
    let text = "x".repeat(39_000);
    let attribute = |name: usize| format!(r#""attribute-{name}":{{"S":"{text}"}}"#);
    let attributes: Vec<String> = (0..10).map(attribute).collect();
    let put = |id: usize| {
        format!(r#"{{"PutRequest":{{"Item":{{"id":{{"S":"{id}"}},{}}}}}}}"#, attributes.join(","))
    };
    let puts: Vec<String> = (0..25).map(put).collect();
    let body = format!(r#"{{"RequestItems":{{"plain":[{}]}}}}"#, puts.join(","));
    assert_eq!(world.answer("BatchWriteItem", &body), r#"{"UnprocessedItems":{}}"#);

    // A large item of small records.
    let record = r#"{"M":{"name":{"S":"Ann"},"number":{"N":"12"},"at":{"S":"2026-05-01"}}}"#;
    let item = repeated(
        r#"{"TableName":"plain","Item":{"id":{"S":"1"},"records":{"L":["#,
        record,
        10_000,
        "]}}}",
    );
    assert_eq!(world.answer("PutItem", &item), "{}");
}
