//! Attribute values: which are valid, and how they are returned.

use expect_test::{Expect, expect};

use crate::fixture::{VALIDATION as INVALID, World, check_refusals, error_body, reported};

/// Puts a value and reads it back.
fn stored(value: &str) -> String {
    let world = World::new();
    let put = format!(
        r#"{{"TableName":"plain","Item":{{"id":{{"S":"a"}},"v":{value}}},"ReturnValues":"NONE"}}"#
    );
    let response = world.call("PutItem", put.as_bytes());
    if response != "{}" {
        return response;
    }
    let get = r#"{"TableName":"plain","Key":{"id":{"S":"a"}},"AttributesToGet":["v"]}"#;
    let response = world.answer("GetItem", get);
    let value = response.strip_prefix(r#"{"Item":{"v":"#).unwrap();
    value.strip_suffix("}}").unwrap().to_owned()
}

#[track_caller]
fn check(value: &str, expected: Expect) {
    expected.assert_eq(&stored(value));
}

/// Checks that the value is refused in every request that can contain one, with the messages of
/// both of AWS's layers.
#[track_caller]
fn check_refused_in_layers(value: &str, current: &str, older: &str) {
    let item = format!(r#"{{"TableName":"absent","Item":{{"a":{{"L":[{value}]}}}}}}"#);
    let key = format!(r#"{{"TableName":"absent","Key":{{"a":{value}}}}}"#);
    let keys = format!(r#"{{"RequestItems":{{"absent":{{"Keys":[{{"a":{value}}}]}}}}}}"#);
    let batch = format!(
        r#"{{"RequestItems":{{"absent":[{{"DeleteRequest":{{"Key":{{"a":{value}}}}}}}]}}}}"#
    );
    let get = format!(
        r#"{{"TransactItems":[{{"Get":{{"TableName":"absent","Key":{{"a":{value}}}}}}}]}}"#
    );
    let put = format!(
        r#"{{"TransactItems":[{{"Put":{{"TableName":"absent","Item":{{"a":{value}}}}}}}]}}"#
    );
    let values = format!(r#""ExpressionAttributeValues":{{":a":{value}}}"#);
    let condition =
        format!(r#"{{"TableName":"absent","Item":{{}},"ConditionExpression":"a = :a",{values}}}"#);
    let update =
        format!(r#"{{"TableName":"absent","Key":{{}},"UpdateExpression":"SET a = :a",{values}}}"#);
    let check = format!(
        r#"{{"TransactItems":[{{"ConditionCheck":{{"TableName":"absent","Key":{{}},
            "ConditionExpression":"a = :a",{values}}}}}]}}"#
    );
    let query = format!(r#"{{"TableName":"absent","KeyConditionExpression":"a = :a",{values}}}"#);
    let scan = format!(r#"{{"TableName":"absent","FilterExpression":"a = :a",{values}}}"#);
    let list = format!(r#"{{"ComparisonOperator":"EQ","AttributeValueList":[{value}]}}"#);
    let filter = format!(r#"{{"TableName":"absent","ScanFilter":{{"a":{list}}}}}"#);
    let key_conditions = format!(r#"{{"TableName":"absent","KeyConditions":{{"a":{list}}}}}"#);
    let expected =
        format!(r#"{{"TableName":"absent","Item":{{}},"Expected":{{"a":{{"Value":{value}}}}}}}"#);
    let updates = format!(
        r#"{{"TableName":"absent","Key":{{}},"AttributeUpdates":{{"a":{{"Value":{value}}}}}}}"#
    );
    let wrapped = format!("1 validation error detected: {current}");
    let named = format!("ExpressionAttributeValues contains invalid value: {older} for key :a");
    check_refusals(&[
        ("PutItem", &item, INVALID, &wrapped),
        ("PutItem", &condition, INVALID, &wrapped),
        ("PutItem", &expected, INVALID, &wrapped),
        ("UpdateItem", &key, INVALID, &wrapped),
        ("UpdateItem", &update, INVALID, &wrapped),
        ("UpdateItem", &updates, INVALID, &wrapped),
        ("DeleteItem", &key, INVALID, &wrapped),
        ("GetItem", &key, INVALID, current),
        ("BatchGetItem", &keys, INVALID, current),
        ("Query", &query, INVALID, current),
        ("Query", &key_conditions, INVALID, current),
        ("BatchWriteItem", &batch, INVALID, older),
        ("TransactGetItems", &get, INVALID, older),
        ("TransactWriteItems", &put, INVALID, older),
        ("TransactWriteItems", &check, INVALID, &named),
        ("Scan", &scan, INVALID, &named),
        ("Scan", &filter, INVALID, older),
    ]);
}

/// Checks a value whose message is the same in both layers.
#[track_caller]
fn check_refused(value: &str, message: &str) {
    check_refused_in_layers(value, message, message);
}

#[test]
fn numbers_are_returned_in_plain_notation() {
    for (text, number) in [
        ("0", "0"),
        ("-0", "0"),
        ("00042", "42"),
        ("+5", "5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("3.1400", "3.14"),
        ("1.5E2", "150"),
        ("1e+2", "100"),
        ("-1.5e-3", "-0.0015"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        (
            "0.00012345678901234567890123456789012345678",
            "0.00012345678901234567890123456789012345678",
        ),
    ] {
        assert_eq!(stored(&format!(r#"{{"N":"{text}"}}"#)), format!(r#"{{"N":"{number}"}}"#));
    }
    let smallest = format!("0.{}1", "0".repeat(129));
    assert_eq!(stored(r#"{"N":"1E-130"}"#), format!(r#"{{"N":"{smallest}"}}"#));
    let largest = format!("{}{}", "9".repeat(38), "0".repeat(88));
    assert_eq!(
        stored(r#"{"N":"9.9999999999999999999999999999999999999E+125"}"#),
        format!(r#"{{"N":"{largest}"}}"#)
    );
}

#[test]
fn invalid_numbers_are_refused() {
    const NOT_NUMERIC: &str = "The parameter cannot be converted to a numeric value";
    check_refused_in_layers(r#"{"N":""}"#, &format!("{NOT_NUMERIC}: "), NOT_NUMERIC);
    for text in ["a", " 1", "1 ", "1e", ".", "+e2", "NaN", "Infinity", "0x5", "1_000", "--1", "1,5"]
    {
        check_refused(&format!(r#"{{"N":"{text}"}}"#), &format!("{NOT_NUMERIC}: {text}"));
    }
}

#[test]
fn numbers_have_38_digits_and_a_range() {
    const OVERFLOW: &str =
        "Number overflow. Attempting to store a number with magnitude larger than supported range";
    const UNDERFLOW: &str = "Number underflow. Attempting to store a number with magnitude smaller \
        than supported range";
    const DIGITS: &str = "Attempting to store more than 38 significant digits in a Number";
    for (text, message) in [
        ("1E126", OVERFLOW),
        ("-1E126", OVERFLOW),
        ("1E1000", OVERFLOW),
        ("0e126", OVERFLOW),
        ("1E-131", UNDERFLOW),
        ("0e-131", UNDERFLOW),
        ("123456789012345678901234567890123456789", DIGITS),
        ("1.23456789012345678901234567890123456789", DIGITS),
    ] {
        check_refused(&format!(r#"{{"N":"{text}"}}"#), message);
        check_refused(&format!(r#"{{"NS":["1","{text}"]}}"#), message);
    }
    let not_numeric =
        |text: &str| format!("The parameter cannot be converted to a numeric value: {text}");
    for (text, current, older) in [
        ("1e2147483647", OVERFLOW, UNDERFLOW.to_owned()),
        ("1e99999999999", OVERFLOW, not_numeric("1e99999999999")),
        ("1e-99999999999", UNDERFLOW, not_numeric("1e-99999999999")),
    ] {
        check_refused_in_layers(&format!(r#"{{"N":"{text}"}}"#), current, &older);
    }
    let beyond = "1e9223372036854775808";
    check_refused(&format!(r#"{{"N":"{beyond}"}}"#), &not_numeric(beyond));
}

#[test]
fn a_value_has_exactly_one_datatype() {
    const EMPTY: &str =
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
    const SEVERAL: &str = "Supplied AttributeValue has more than one datatypes set, must contain \
        exactly one of the supported datatypes";
    check_refused("{}", EMPTY);
    check_refused(r#"{"S":null}"#, EMPTY);
    check_refused(r#"{"s":"a"}"#, EMPTY);
    check_refused(r#"{"M":{"a":{}}}"#, EMPTY);
    check_refused(r#"{"S":"a","N":"1"}"#, SEVERAL);
    check_refused(r#"{"L":[{"BOOL":true,"NULL":true}]}"#, SEVERAL);
}

#[test]
fn null_must_be_true() {
    check(r#"{"NULL":true}"#, expect![[r#"{"NULL":true}"#]]);
    check(r#"{"NULL":"yes"}"#, expect![[r#"{"NULL":true}"#]]);
    check_refused(
        r#"{"NULL":false}"#,
        "One or more parameter values were invalid: Null attribute value types must have the value \
         of true",
    );
}

#[test]
fn booleans_can_be_words() {
    check(r#"{"BOOL":true}"#, expect![[r#"{"BOOL":true}"#]]);
    check(r#"{"BOOL":"True"}"#, expect![[r#"{"BOOL":true}"#]]);
    check(r#"{"BOOL":"0"}"#, expect![[r#"{"BOOL":false}"#]]);
}

#[test]
fn sets_are_returned_in_order() {
    check(r#"{"SS":["b","","a","ä"]}"#, expect![[r#"{"SS":["","a","b","ä"]}"#]]);
    check(r#"{"NS":["2","-1","1E1"]}"#, expect![[r#"{"NS":["-1","2","10"]}"#]]);
    check(r#"{"BS":["/w==","","AA=="]}"#, expect![[r#"{"BS":["","AA==","/w=="]}"#]]);
}

#[test]
fn sets_have_elements_and_each_once() {
    const PREFIX: &str = "One or more parameter values were invalid: ";
    for (set, message) in [
        (r#"{"SS":[]}"#, "An string set  may not be empty"),
        (r#"{"NS":[]}"#, "An number set  may not be empty"),
        (r#"{"BS":[]}"#, "Binary sets should not be empty"),
    ] {
        check_refused(set, &format!("{PREFIX}{message}"));
    }
    for (set, current, older) in [
        (r#"{"SS":["b","a","b"]}"#, r#"["a", "b", "b"]"#, "[b, a, b]"),
        (
            r#"{"BS":["/w==","AA==","AA=="]}"#,
            r#"["AA==","/w==","AA=="]of type BS"#,
            "[/w==, AA==, AA==]of type BS",
        ),
    ] {
        let message =
            |elements| format!("{PREFIX}Input collection {elements} contains duplicates.");
        check_refused_in_layers(set, &message(current), &message(older));
    }
    check_refused_in_layers(
        r#"{"NS":["1","1.0"]}"#,
        &format!("{PREFIX}Input collection contains duplicates."),
        "Input collection contains duplicates",
    );
}

#[test]
fn empty_texts_and_collections_are_values() {
    for value in [r#"{"S":""}"#, r#"{"B":""}"#, r#"{"L":[]}"#, r#"{"M":{}}"#] {
        assert_eq!(stored(value), value);
    }
}

#[test]
fn texts_and_binaries_are_returned_unchanged() {
    check(r#"{"S":"\u00e4\/\ud83d\ude00\u0000\"\\"}"#, expect![[r#"{"S":"ä/😀\u0000\"\\"}"#]]);
    check(r#"{"B":"AAECAwQ="}"#, expect![[r#"{"B":"AAECAwQ="}"#]]);
}

fn nested(opening: &str, closing: &str, levels: usize) -> String {
    let (opening, closing) = (opening.repeat(levels - 1), closing.repeat(levels - 1));
    format!(r#"{opening}{{"S":"a"}}{closing}"#)
}

const TOO_DEEP: &str = "Nesting Levels have exceeded supported limits: Attributes in the item have \
    nested levels beyond supported limit";

#[test]
fn values_nest_32_levels_deep() {
    for (opening, closing) in [(r#"{"L":["#, "]}"), (r#"{"M":{"a":"#, "}}")] {
        let deepest = nested(opening, closing, 32);
        assert_eq!(stored(&deepest), deepest);
        // The item of this test wraps the value in a list, which adds a level.
        for levels in [34, 61] {
            check_refused(&nested(opening, closing, levels), TOO_DEEP);
        }
    }
}

#[test]
fn values_nested_beyond_62_levels_are_reported_bare() {
    for levels in [64, 400] {
        let value = nested(r#"{"L":["#, "]}", levels);
        let put = format!(r#"{{"TableName":"absent","Item":{{"a":{value}}}}}"#);
        let update = format!(
            r#"{{"TableName":"absent","Key":{{}},"UpdateExpression":"SET a = :a",
                "ExpressionAttributeValues":{{":a":{value}}}}}"#
        );
        let named =
            format!("ExpressionAttributeValues contains invalid value: {TOO_DEEP} for key :a");
        check_refusals(&[
            ("PutItem", &put, INVALID, TOO_DEEP),
            ("UpdateItem", &update, INVALID, &named),
        ]);
    }
}

#[test]
fn attributes_have_names() {
    const UNNAMED: &str = "Empty attribute name";
    check_refusals(&[
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{"":{"S":"a"}}}"#,
            INVALID,
            &reported("PutItem", UNNAMED),
        ),
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{"a":{"L":[{"M":{"":{"S":"a"}}}]}}}"#,
            INVALID,
            &reported("PutItem", UNNAMED),
        ),
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{},"Expected":{"":{"Exists":false}}}"#,
            INVALID,
            &reported("PutItem", UNNAMED),
        ),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"absent":[{"PutRequest":{"Item":{"":{"S":"a"}}}}]}}"#,
            INVALID,
            UNNAMED,
        ),
    ]);
}

#[test]
fn an_item_is_at_most_400_kilobytes() {
    let world = World::new();
    let put = |bytes: usize| {
        format!(
            r#"{{"TableName":"plain","Item":{{"id":{{"S":"a"}},"v":{{"S":"{}"}}}}}}"#,
            "x".repeat(bytes)
        )
    };
    let rest = "idav".len();
    assert_eq!(world.answer("PutItem", &put(400 * 1024 - rest)), "{}");
    check_refusals(&[(
        "PutItem",
        &put(400 * 1024 - rest + 1),
        INVALID,
        "Item size has exceeded the maximum allowed size",
    )]);
}

#[test]
fn an_update_statement_is_at_most_400_kilobytes() {
    const LIMIT: usize = 400 * 1024;
    const TOO_LARGE: &str = "Item size to update has exceeded the maximum allowed size";
    let world = World::new();
    let check = |id: &str, seed: &str, expression: &str, values: &str, largest: usize| {
        world.put("plain", &format!(r#"{{"id":{{"S":"{id}"}}{seed}}}"#));
        let update = |bytes: usize| {
            let pad = "x".repeat(bytes);
            let body = format!(
                r#"{{"TableName":"plain","Key":{{"id":{{"S":"{id}"}}}},
                    "UpdateExpression":"{expression}",
                    "ExpressionAttributeValues":{{":pad":{{"S":"{pad}"}}{values}}}}}"#
            );
            world.call("UpdateItem", body.as_bytes())
        };
        assert_eq!(update(largest + 1), error_body(INVALID, TOO_LARGE), "{expression}");
        assert_eq!(update(largest), "{}", "{expression}");
    };
    let set = LIMIT - (3 + 19 + "b".len());
    check("a", "", "SET b = :pad", "", set);
    // The key and attributes that the update does not touch count only as parts of the item.
    check("a", r#","u":{"S":"yyyyyyyyyy"}"#, "SET b = :pad", "", set);
    let long = "k".repeat(100);
    check(&long, "", "SET b = :pad", "", LIMIT - "id".len() - 100 - "b".len());
    check("a", "", "SET b = :pad, c = :c", r#",":c":{"S":"y"}"#, set - (19 + 1 + 1));
    check("a", r#","r":{"S":"z"}"#, "SET b = :pad REMOVE r", "", set - (1 + 1));
    let default = r#",":c":{"S":"0123456789"}"#;
    let charged = 19 + 1 + 39 + (1 + 14 + 1) + 10;
    check("a", "", "SET b = :pad, c = if_not_exists(c, :c)", default, set - charged);
    check(
        "a",
        r#","c":{"S":""}"#,
        "SET b = :pad, c = if_not_exists(c, :c)",
        default,
        set - charged,
    );

    // Refused before the condition is evaluated.
    let huge = "h".repeat(409_700);
    let body = format!(
        r#"{{"TableName":"plain","Key":{{"id":{{"S":"a"}}}},
            "UpdateExpression":"SET c = if_not_exists(c, :h)",
            "ConditionExpression":"attribute_exists(nothing)",
            "ExpressionAttributeValues":{{":h":{{"S":"{huge}"}}}}}}"#
    );
    assert_eq!(world.call("UpdateItem", body.as_bytes()), error_body(INVALID, TOO_LARGE));
}

#[test]
fn only_update_expressions_of_update_item_count_as_statements() {
    let world = World::new();
    let pad = "x".repeat(400 * 1024 - "idab".len());
    let attribute_updates = format!(
        r#"{{"TableName":"plain","Key":{{"id":{{"S":"a"}}}},
            "AttributeUpdates":{{"b":{{"Value":{{"S":"{pad}"}}}}}}}}"#
    );
    world.put("plain", r#"{"id":{"S":"a"}}"#);
    let statement = format!(
        r#"{{"Statement":"UPDATE plain SET b = ? WHERE id = 'a'","Parameters":[{{"S":"{pad}"}}]}}"#
    );
    let transaction = format!(
        r#"{{"TransactItems":[{{"Update":{{"TableName":"plain","Key":{{"id":{{"S":"a"}}}},
            "UpdateExpression":"SET b = :b","ExpressionAttributeValues":{{":b":{{"S":"{pad}"}}}}}}}}]}}"#
    );
    assert_eq!(world.answer("UpdateItem", &attribute_updates), "{}");
    assert_eq!(world.answer("ExecuteStatement", &statement), r#"{"Items":[]}"#);
    assert_eq!(world.answer("TransactWriteItems", &transaction), "{}");
}
