//! JSON that is deep, long, broken or strange.

use std::fmt::Write;

use super::check_wrong;
use crate::fixture::{World, put, request};

const SERIALIZATION: &str = "SerializationException";
const VALIDATION: &str = "ValidationException";
const TOO_DEEP: &str = "Nesting Levels have exceeded supported limits";

/// A PutItem of `evil` with one more attribute.
fn with(attribute: &str) -> Vec<u8> {
    let item = format!(r#"{{"id":{{"S":"evil"}},{attribute}}}"#);
    format!(r#"{{"TableName":"plain","Item":{item}}}"#).into_bytes()
}

fn lists(levels: usize) -> Vec<u8> {
    let (open, close) = (r#"{"L":["#.repeat(levels - 1), "]}".repeat(levels - 1));
    with(&format!(r#""a":{open}{{"S":"x"}}{close}"#))
}

fn maps(levels: usize) -> Vec<u8> {
    let (open, close) = (r#"{"M":{"a":"#.repeat(levels - 1), "}}".repeat(levels - 1));
    with(&format!(r#""a":{open}{{"S":"x"}}{close}"#))
}

#[test]
fn deep_documents_are_refused() {
    let deep = |open: &str, count: usize| open.repeat(count).into_bytes();
    check_wrong(vec![
        ("200,000 arrays", "PutItem", deep("[", 200_000), SERIALIZATION, ""),
        ("200,000 objects", "PutItem", deep(r#"{"a":"#, 200_000), SERIALIZATION, ""),
        ("an unknown member", "PutItem", deep(r#"{"x":["#, 200_000), SERIALIZATION, ""),
        ("an item", "PutItem", deep(r#"{"Item":{"a":{"L":["#, 100_000), SERIALIZATION, ""),
        ("a key", "GetItem", deep(r#"{"Key":{"a":{"M":{"b":"#, 100_000), SERIALIZATION, ""),
        ("2,001 levels", "PutItem", lists(2_001), SERIALIZATION, ""),
        ("1,000 levels, 2,000 brackets", "PutItem", lists(1_000), SERIALIZATION, ""),
        ("990 levels", "PutItem", lists(990), VALIDATION, TOO_DEEP),
        ("990 levels of maps", "PutItem", maps(990), VALIDATION, TOO_DEEP),
        ("100 levels", "PutItem", lists(100), VALIDATION, TOO_DEEP),
        ("33 levels", "PutItem", lists(33), VALIDATION, TOO_DEEP),
        ("33 levels of maps", "PutItem", maps(33), VALIDATION, TOO_DEEP),
    ]);
}

#[test]
fn thirty_two_levels_are_stored_and_come_back() {
    let world = World::new();
    for body in [lists(32), maps(32)] {
        assert_eq!(world.ask("PutItem", body).text(), "{}");
        let key = r#"{"TableName":"plain","Key":{"id":{"S":"evil"}}}"#;
        let text = world.ask("GetItem", key).text().to_owned();
        assert_eq!(text.matches(r#"{"L":["#).count() + text.matches(r#"{"M":{"#).count(), 31);
    }
}

#[test]
fn numbers_beyond_all_measure_are_refused() {
    let number = |text: &str| with(&format!(r#""a":{{"N":"{text}"}}"#));
    let set = format!(r#""a":{{"NS":["1","{}"]}}"#, "7".repeat(39));
    check_wrong(vec![
        ("a large exponent", "PutItem", number("1e999999999"), VALIDATION, "overflow"),
        ("a larger one", "PutItem", number(&format!("1e{}", "9".repeat(5_000))), VALIDATION, ""),
        ("a small exponent", "PutItem", number("1e-999999999"), VALIDATION, "underflow"),
        (
            "10 MB of letters",
            "PutItem",
            number(&"x".repeat(10_000_000)),
            VALIDATION,
            "numeric value",
        ),
        ("10 MB of digits", "PutItem", number(&"9".repeat(10_000_000)), VALIDATION, ""),
        (
            "10 MB of zeros and a digit",
            "PutItem",
            number(&format!("0.{}1", "0".repeat(10_000_000))),
            VALIDATION,
            "",
        ),
        ("39 digits", "PutItem", number(&"7".repeat(39)), VALIDATION, "38 significant digits"),
        ("39 digits in a set", "PutItem", with(&set), VALIDATION, "38 significant digits"),
        ("not a number", "PutItem", number("NaN"), VALIDATION, "numeric value"),
        ("infinity", "PutItem", number("Infinity"), VALIDATION, "numeric value"),
        ("hexadecimal", "PutItem", number("0x10"), VALIDATION, "numeric value"),
        ("nothing", "PutItem", number(""), VALIDATION, "numeric value"),
        ("a number without quotes", "PutItem", with(r#""a":{"N":1e999999999}"#), SERIALIZATION, ""),
    ]);
}

#[test]
fn long_and_many_names_are_refused() {
    let long = "x".repeat(1_000_000);
    let mut members = String::new();
    for number in 0..100_000 {
        write!(members, r#""member{number}":{{"S":"x"}},"#).unwrap();
    }
    let members = with(&format!(r#"{members}"z":{{"NULL":true}}"#));
    let size = "Item size has exceeded the maximum allowed size";
    check_wrong(vec![
        ("a name of 1 MB", "PutItem", with(&format!(r#""{long}":{{"S":"x"}}"#)), VALIDATION, ""),
        ("100,000 attributes", "PutItem", members, VALIDATION, size),
        ("an item of 401 KB", "PutItem", put("evil", 410_600).into_bytes(), VALIDATION, size),
        ("an item of 10 MB", "PutItem", put("evil", 10_000_000).into_bytes(), VALIDATION, size),
        (
            "a table of 1 MB",
            "PutItem",
            format!(r#"{{"TableName":"{long}","Item":{{}}}}"#).into_bytes(),
            VALIDATION,
            "",
        ),
        (
            "a key of 1 MB",
            "GetItem",
            format!(r#"{{"TableName":"plain","Key":{{"id":{{"S":"{long}"}}}}}}"#).into_bytes(),
            VALIDATION,
            "",
        ),
    ]);
}

#[test]
fn unknown_members_are_passed_over_however_many() {
    let world = World::new();
    let mut body = "{".to_owned();
    for number in 0..100_000 {
        write!(body, r#""member{number}":[{{}},null,1e9],"#).unwrap();
    }
    body += &crate::fixture::GET_THERE[1..];
    assert_eq!(world.ask("GetItem", body).text(), crate::fixture::THERE);
}

#[test]
fn the_last_of_two_members_counts() {
    let world = World::new();
    let body = r#"{"TableName":"nowhere","Key":{"id":{"S":"x"}},"TableName":"plain","Key":{"id":{"S":"there"}}}"#;
    assert_eq!(world.ask("GetItem", body).text(), crate::fixture::THERE);
}

#[test]
fn text_that_is_no_text_is_refused() {
    let raw = |bytes: &[u8]| {
        let body = String::from_utf8(with(r#""a":{"S":"?"}"#)).unwrap();
        let (before, after) = body.split_once('?').unwrap();
        [before.as_bytes(), bytes, after.as_bytes()].concat()
    };
    check_wrong(vec![
        ("not UTF-8", "PutItem", raw(b"\xff\xfe"), SERIALIZATION, ""),
        ("UTF-8 that is too long", "PutItem", raw(b"\xc0\x80"), SERIALIZATION, ""),
        ("a surrogate in UTF-8", "PutItem", raw(b"\xed\xa0\x80"), SERIALIZATION, ""),
        ("half a character", "PutItem", raw(b"\xe2\x82"), SERIALIZATION, ""),
        ("a NUL byte", "PutItem", raw(b"\0"), SERIALIZATION, ""),
        ("a line feed", "PutItem", raw(b"\n"), SERIALIZATION, ""),
        ("the first surrogate alone", "PutItem", raw(br"\ud800"), SERIALIZATION, ""),
        ("the second surrogate alone", "PutItem", raw(br"\udc00"), SERIALIZATION, ""),
        ("two first surrogates", "PutItem", raw(br"\ud800\ud800"), SERIALIZATION, ""),
        ("an unknown escape", "PutItem", raw(br"\x41"), SERIALIZATION, ""),
        (
            "a byte order mark",
            "PutItem",
            [b"\xef\xbb\xbf", &*with(r#""a":{"S":"x"}"#)].concat(),
            SERIALIZATION,
            "",
        ),
        ("UTF-16", "PutItem", b"\xff\xfe{\0}\0".to_vec(), SERIALIZATION, ""),
        ("NULs only", "PutItem", vec![0; 1_000_000], SERIALIZATION, ""),
        ("base64 that is none", "PutItem", with(r#""a":{"B":"????"}"#), SERIALIZATION, ""),
    ]);
}

#[test]
fn an_escaped_nul_is_a_character_like_others() {
    let world = World::new();
    assert_eq!(world.ask("PutItem", with(r#""a":{"S":"\u0000"}"#)).text(), "{}");
    let key = r#"{"TableName":"plain","Key":{"id":{"S":"evil"}}}"#;
    assert!(world.ask("GetItem", key).text().contains(r#"{"S":"\u0000"}"#));
}

#[test]
fn a_document_that_is_cut_off_anywhere_is_refused() {
    let world = World::new();
    let mut client = world.connect();
    let body = with(r#""a":{"L":[{"N":"1"},{"BOOL":true},{"NULL":true},{"SS":["a","\u00e4"]}]}"#);
    for cut in 1..body.len() {
        client.send(request("PutItem", &body[..cut]));
        assert_eq!(client.receive().code(), SERIALIZATION, "cut at {cut}");
    }
    assert!(!world.has("evil"));
    client.send(request("PutItem", body));
    assert_eq!(client.receive().text(), "{}");
}
