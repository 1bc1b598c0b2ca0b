//! The limits on the length of placeholders and on the size of their values.

use crate::fixture::{VALIDATION as INVALID, World, check_refusals, error_body, reported};

/// Returns a name placeholder or a value placeholder of this length.
fn placeholder(sigil: char, length: usize) -> String {
    format!("{sigil}{}", "p".repeat(length - 1))
}

#[test]
fn placeholders_have_at_most_255_characters() {
    let too_long = |parameter: &str| {
        format!(
            "{parameter} contains invalid key: The expression attribute map contains a key that is \
             too long; size of key: 256"
        )
    };
    let (name, value) = (placeholder('#', 256), placeholder(':', 256));
    let (names, values) =
        (too_long("ExpressionAttributeNames"), too_long("ExpressionAttributeValues"));
    let get = format!(
        r#"{{"TableName":"absent","Key":{{"id":{{"S":"a"}}}},"ProjectionExpression":"{name}",
            "ExpressionAttributeNames":{{"{name}":"x"}}}}"#
    );
    let put = format!(
        r#"{{"TableName":"absent","Item":{{"id":{{"S":"a"}}}},"ConditionExpression":"x = {value}",
            "ExpressionAttributeValues":{{"{value}":{{"S":"x"}}}}}}"#
    );
    let scan = format!(
        r#"{{"TableName":"absent","FilterExpression":"{name} = {value}",
            "ExpressionAttributeNames":{{"{name}":"x"}},
            "ExpressionAttributeValues":{{"{value}":{{"S":"x"}}}}}}"#
    );
    let transaction = format!(
        r#"{{"TransactItems":[{{"Update":{{"TableName":"absent","Key":{{"id":{{"S":"a"}}}},
            "UpdateExpression":"SET x = {value}",
            "ExpressionAttributeValues":{{"{value}":{{"S":"x"}}}}}}}}]}}"#
    );
    check_refusals(&[
        ("GetItem", &get, INVALID, &names),
        ("PutItem", &put, INVALID, &reported("PutItem", &values)),
        ("Scan", &scan, INVALID, &names),
        ("TransactWriteItems", &transaction, INVALID, &values),
    ]);
}

#[test]
fn a_placeholder_of_255_characters_is_accepted() {
    let (name, value) = (placeholder('#', 255), placeholder(':', 255));
    let answer = World::new().answer(
        "Scan",
        &format!(
            r#"{{"TableName":"plain","FilterExpression":"{name} = {value}",
                "ExpressionAttributeNames":{{"{name}":"x"}},
                "ExpressionAttributeValues":{{"{value}":{{"S":"x"}}}}}}"#
        ),
    );
    assert_eq!(answer, r#"{"Items":[],"Count":0,"ScannedCount":0}"#);
}

/// Returns a Scan whose names and values have these sizes, including their placeholders.
fn scan(names_bytes: usize, values_bytes: usize) -> String {
    let (mut filter, mut names) = (String::from("x = :v"), String::new());
    // A name has at most 65,535 bytes, so several are needed.
    let mut left = names_bytes;
    while left > 0 {
        let bytes = left.min(60_000);
        let placeholder = format!("#{left:08}");
        filter += &format!(" OR attribute_exists({placeholder})");
        names += &format!(r#","{placeholder}":"{}""#, "n".repeat(bytes - placeholder.len()));
        left -= bytes;
    }
    let names = names.trim_start_matches(',');
    let value = "v".repeat(values_bytes - ":v".len());
    format!(
        r#"{{"TableName":"plain","FilterExpression":"{filter}",
            "ExpressionAttributeNames":{{{names}}},
            "ExpressionAttributeValues":{{":v":{{"S":"{value}"}}}}}}"#
    )
}

#[test]
fn names_and_values_are_at_most_2_mb_together() {
    const LIMIT: usize = 2 << 20;
    let world = World::new();
    let check = |names_bytes: usize, values_bytes: usize, refusal: &str| {
        let response = world.call("Scan", scan(names_bytes, values_bytes).as_bytes());
        assert_eq!(response, error_body(INVALID, refusal));
    };
    check(LIMIT + 1, 100, "ExpressionAttributeNames exceeds max size");
    check(100, LIMIT + 1, "ExpressionAttributeValues exceeds max size");
    check(
        100,
        LIMIT - 99,
        "Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size",
    );
    world.answer("Scan", &scan(100, LIMIT - 100));
    world.answer("Scan", &scan(LIMIT - 100, 100));
}
