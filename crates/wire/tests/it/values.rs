//! Attribute values: what is one, and how it comes back.

use expect_test::{Expect, expect};

use crate::fixture::{VALIDATION as INVALID, World, check_refusals};

/// Puts a value and reads it again.
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

/// The value is refused wherever a request can have one.
#[track_caller]
fn check_refused(value: &str, message: &str) {
    let item = format!(r#"{{"TableName":"absent","Item":{{"a":{{"L":[{value}]}}}}}}"#);
    let key = format!(r#"{{"TableName":"absent","Key":{{"a":{value}}}}}"#);
    let keys = format!(r#"{{"RequestItems":{{"absent":{{"Keys":[{{"a":{value}}}]}}}}}}"#);
    let delete = format!(
        r#"{{"RequestItems":{{"absent":[{{"DeleteRequest":{{"Key":{{"a":{value}}}}}}}]}}}}"#
    );
    let get = format!(
        r#"{{"TransactItems":[{{"Get":{{"TableName":"absent","Key":{{"a":{value}}}}}}}]}}"#
    );
    let write = format!(
        r#"{{"TransactItems":[{{"Put":{{"TableName":"absent","Item":{{"a":{value}}}}}}}]}}"#
    );
    let condition = format!(
        r#"{{"TableName":"absent","Item":{{}},"ConditionExpression":"a = :a",
            "ExpressionAttributeValues":{{":a":{value}}}}}"#
    );
    let wrapped = match message.starts_with("Nesting") {
        true => message.to_owned(),
        false => format!("ExpressionAttributeValues contains invalid value: {message} for key :a"),
    };
    let expected =
        format!(r#"{{"TableName":"absent","Item":{{}},"Expected":{{"a":{{"Value":{value}}}}}}}"#);
    check_refusals(&[
        ("PutItem", &item, INVALID, message),
        ("GetItem", &key, INVALID, message),
        ("UpdateItem", &key, INVALID, message),
        ("DeleteItem", &key, INVALID, message),
        ("BatchGetItem", &keys, INVALID, message),
        ("BatchWriteItem", &delete, INVALID, message),
        ("TransactGetItems", &get, INVALID, message),
        ("TransactWriteItems", &write, INVALID, message),
        ("PutItem", &condition, INVALID, &wrapped),
        ("PutItem", &expected, INVALID, message),
    ]);
}

#[test]
fn numbers_come_back_plain() {
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
fn what_is_no_number_is_refused() {
    const NOT_NUMERIC: &str = "The parameter cannot be converted to a numeric value";
    check_refused(r#"{"N":""}"#, NOT_NUMERIC);
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
fn null_is_true() {
    check(r#"{"NULL":true}"#, expect![[r#"{"NULL":true}"#]]);
    check(r#"{"NULL":"yes"}"#, expect![[r#"{"NULL":true}"#]]);
    check_refused(
        r#"{"NULL":false}"#,
        "One or more parameter values were invalid: Null attribute value types must have the value \
         of true",
    );
}

#[test]
fn booleans_are_words_too() {
    check(r#"{"BOOL":true}"#, expect![[r#"{"BOOL":true}"#]]);
    check(r#"{"BOOL":"True"}"#, expect![[r#"{"BOOL":true}"#]]);
    check(r#"{"BOOL":"0"}"#, expect![[r#"{"BOOL":false}"#]]);
}

#[test]
fn sets_come_back_in_order() {
    check(r#"{"SS":["b","","a","ä"]}"#, expect![[r#"{"SS":["","a","b","ä"]}"#]]);
    check(r#"{"NS":["2","-1","1E1"]}"#, expect![[r#"{"NS":["-1","2","10"]}"#]]);
    check(r#"{"BS":["/w==","","AA=="]}"#, expect![[r#"{"BS":["","AA==","/w=="]}"#]]);
}

#[test]
fn sets_have_elements_and_each_once() {
    for (set, message) in [
        (r#"{"SS":[]}"#, "An string set  may not be empty"),
        (r#"{"NS":[]}"#, "An number set  may not be empty"),
        (r#"{"BS":[]}"#, "Binary sets should not be empty"),
        (r#"{"SS":["a","b","a"]}"#, "Input collection [a, b, a] contains duplicates."),
        (
            r#"{"BS":["AA==","/w==","AA=="]}"#,
            "Input collection [AA==, /w==, AA==]of type BS contains duplicates.",
        ),
    ] {
        check_refused(set, &format!("One or more parameter values were invalid: {message}"));
    }
    check_refused(r#"{"NS":["1","1.0"]}"#, "Input collection contains duplicates");
}

#[test]
fn empty_texts_and_collections_are_values() {
    for value in [r#"{"S":""}"#, r#"{"B":""}"#, r#"{"L":[]}"#, r#"{"M":{}}"#] {
        assert_eq!(stored(value), value);
    }
}

#[test]
fn texts_and_binaries_come_back_byte_for_byte() {
    check(r#"{"S":"\u00e4\/\ud83d\ude00\u0000\"\\"}"#, expect![[r#"{"S":"ä/😀\u0000\"\\"}"#]]);
    check(r#"{"B":"AAECAwQ="}"#, expect![[r#"{"B":"AAECAwQ="}"#]]);
}

fn nested(opening: &str, closing: &str, levels: usize) -> String {
    let (opening, closing) = (opening.repeat(levels - 1), closing.repeat(levels - 1));
    format!(r#"{opening}{{"S":"a"}}{closing}"#)
}

#[test]
fn values_nest_32_levels_deep() {
    const TOO_DEEP: &str = "Nesting Levels have exceeded supported limits: Attributes in the item \
        have nested levels beyond supported limit";
    for (opening, closing) in [(r#"{"L":["#, "]}"), (r#"{"M":{"a":"#, "}}")] {
        let deepest = nested(opening, closing, 32);
        assert_eq!(stored(&deepest), deepest);
        for levels in [33, 34, 400] {
            check_refused(&nested(opening, closing, levels), TOO_DEEP);
        }
    }
}

#[test]
fn attributes_have_names() {
    const UNNAMED: &str = "Empty attribute name";
    check_refusals(&[
        ("PutItem", r#"{"TableName":"absent","Item":{"":{"S":"a"}}}"#, INVALID, UNNAMED),
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{"a":{"L":[{"M":{"":{"S":"a"}}}]}}}"#,
            INVALID,
            UNNAMED,
        ),
        (
            "PutItem",
            r#"{"TableName":"absent","Item":{},"Expected":{"":{"Exists":false}}}"#,
            INVALID,
            UNNAMED,
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
