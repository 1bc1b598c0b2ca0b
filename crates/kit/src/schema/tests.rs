//! What schemas accept, and the errors for everything else.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;
use crate::problem::Problem;

fn player() -> Schema {
    Schema::object(
        "NewPlayer",
        [
            Field::text("firstName", 1..=10).required(),
            Field::integer("playerNumber", 0..=99).required().aliases(&["number"]),
            Field::text("nickname", 3..=5).nullable(),
            Field::word("bats", &["left", "right", "both"]),
            Field::number("average", 0.0..=1.0),
            Field::flag("isGhost"),
            Field::instant("joinedAt"),
            Field::day("birthday"),
            Field::id("userId"),
            Field::list("positions", Kind::Word(&["P", "SS", "1B"]), 1..=3),
            Field::new(
                "spot",
                Kind::Object(
                    Schema::object("Spot", [Field::integer("x", -5..=5).required()])
                        .read_only(["y"]),
                ),
            ),
            Field::new(
                "lineup",
                Kind::OneOf(vec![
                    Kind::Word(&["default", "last"]),
                    Kind::Id,
                    Kind::List { of: Box::new(Kind::Id), length: 1..=2, is_unique: false },
                ]),
            ),
            Field::new("extra", Kind::Anything),
        ],
    )
    .read_only(["playerId", "ver"])
}

/// The minimal player, with these fields changed.
fn with(fields: Value) -> Value {
    let mut body = json!({ "firstName": "Ada", "playerNumber": 7 });
    if let (Value::Object(body), Value::Object(fields)) = (&mut body, fields) {
        body.extend(fields);
    }
    body
}

fn told(read: Result<serde_json::Map<String, Value>, Problem>) -> String {
    match read {
        Ok(object) => Value::Object(object).to_string(),
        Err(problem) => format!("{} {}", problem.code, problem.message),
    }
}

fn check(body: Value, expected: Expect) {
    let read = player().check(body);
    if let Ok(object) = &read {
        // Normalized values are not changed.
        assert_eq!(player().check(Value::Object(object.clone())).as_ref(), Ok(object));
    }
    expected.assert_eq(&told(read));
}

#[test]
fn what_is_allowed_is_brought_into_its_form() {
    check(
        json!({
            "firstName": "  Ada ", "number": 7.0, "nickname": null, "bats": "LEFT", "average": 1,
            "isGhost": false, "joinedAt": "2026-01-31T10:30:00+01:00", "birthday": "2000-02-29",
            "userId": "u1", "positions": ["ss"], "spot": { "x": -5 }, "lineup": ["a", "b"],
            "extra": null,
        }),
        expect![[
            r#"{"average":1,"bats":"left","birthday":"2000-02-29","extra":null,"firstName":"Ada","isGhost":false,"joinedAt":"2026-01-31T09:30:00.000Z","lineup":["a","b"],"nickname":null,"playerNumber":7,"positions":["SS"],"spot":{"x":-5},"userId":"u1"}"#
        ]],
    );
}

#[test]
fn every_wrong_field_is_named_at_once() {
    check(
        json!({
            "firstName": " ", "nickname": "Al", "bats": "up", "average": 1.5, "isGhost": "true",
            "joinedAt": "2026-01-31", "birthday": "2001-02-29", "userId": "a#b", "positions": [],
            "spot": { "x": 6, }, "lineup": 5,
        }),
        expect![
            "VALIDATION average: must be from 0 to 1; bats: must be one of left, right, both; birthday: must be a day such as 2026-01-31; firstName: must not be empty; isGhost: must be true or false; joinedAt: must be an instant such as 2026-01-31T09:30:00Z; lineup: must be one of default, last, or an identifier, or a list; nickname: must have 3 to 5 characters; positions: must have 1 to 3 elements; spot.x: must be from -5 to 5; userId: must be 1 to 128 letters, digits and ._~@+:-; playerNumber: is required"
        ],
    );
}

#[test]
fn what_several_fields_say_together_is_checked_with_each_of_them() {
    let range =
        Schema::object("Range", [Field::integer("from", 0..=9), Field::integer("to", 0..=9)])
            .checked(|body| {
                let is_empty = body["from"].as_i64() > body["to"].as_i64();
                is_empty.then(|| FieldProblem::new("to", "must not be less")).into_iter().collect()
            });
    let told_of = |body| told(range.check(body));
    assert_eq!(told_of(json!({ "from": 1, "to": 2 })), r#"{"from":1,"to":2}"#);
    let both = "VALIDATION from: must be from 0 to 9; to: must not be less";
    assert_eq!(told_of(json!({ "from": 10, "to": 2 })), both);
}

#[test]
fn unknown_fields_give_the_code_before_read_only_ones_and_those_before_wrong_ones() {
    check(
        with(json!({ "teamNo": 1, "ver": 2, "bats": 1 })),
        expect![
            "UNKNOWN_FIELD bats: must be one of left, right, both; teamNo: is unknown; ver: can't be written"
        ],
    );
    check(
        with(json!({ "spot": { "x": 1, "y": 2 }, "bats": 1 })),
        expect!["READ_ONLY_FIELD bats: must be one of left, right, both; spot.y: can't be written"],
    );
    check(with(json!({ "spot": { "x": 1, "z": 2 } })), expect!["UNKNOWN_FIELD spot.z: is unknown"]);
}

#[test]
fn null_is_for_fields_that_say_so() {
    check(
        json!({ "firstName": null, "playerNumber": 1, "spot": null, "positions": [null] }),
        expect![
            "VALIDATION firstName: must not be null; positions[0]: must be one of P, SS, 1B; spot: must not be null"
        ],
    );
}

#[test]
fn whole_numbers_have_no_fraction_and_no_limit_is_overrun() {
    let ones = [
        json!(1.5),
        json!(-1),
        json!(100),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!("7"),
        json!(true),
    ];
    let answers: Vec<String> =
        ones.map(|one| told(player().check(with(json!({ "playerNumber": one }))))).into();
    expect![[r#"
        VALIDATION playerNumber: must be a whole number
        VALIDATION playerNumber: must be from 0 to 99
        VALIDATION playerNumber: must be from 0 to 99
        VALIDATION playerNumber: must be from 0 to 99
        VALIDATION playerNumber: must be from 0 to 99
        VALIDATION playerNumber: must be from 0 to 99
        VALIDATION playerNumber: must be a whole number
        VALIDATION playerNumber: must be a whole number"#]]
    .assert_eq(&answers.join("\n"));
}

#[test]
fn an_alias_beside_its_name_is_one_too_many() {
    check(
        with(json!({ "number": 8 })),
        expect!["VALIDATION number: is the same as `playerNumber`; name one of them"],
    );
}

#[test]
fn one_of_several_takes_the_first_that_fits() {
    check(
        with(json!({ "lineup": "LAST" })),
        expect![[r#"{"firstName":"Ada","lineup":"last","playerNumber":7}"#]],
    );
    check(
        with(json!({ "lineup": "g1" })),
        expect![[r#"{"firstName":"Ada","lineup":"g1","playerNumber":7}"#]],
    );
    check(
        with(json!({ "lineup": ["a", 5] })),
        expect!["VALIDATION lineup[1]: must be an identifier"],
    );
}

#[test]
fn characters_are_counted_and_not_bytes() {
    check(
        with(json!({ "firstName": "Ærøskøbing" })),
        expect![[r#"{"firstName":"Ærøskøbing","playerNumber":7}"#]],
    );
    check(
        with(json!({ "firstName": "Ærøskøbings" })),
        expect!["VALIDATION firstName: must have 1 to 10 characters"],
    );
}

#[test]
fn only_an_object_is_a_body_and_some_must_say_something() {
    check(json!([1]), expect!["VALIDATION body: must be an object"]);
    let rename = Schema::object("Rename", [Field::text("name", 1..=9)]).must_say_something();
    expect!["EMPTY_BODY Name at least one field."].assert_eq(&told(rename.check(json!({}))));
    expect!["UNKNOWN_FIELD nam: is unknown"].assert_eq(&told(rename.check(json!({ "nam": 1 }))));
}

#[test]
fn an_answer_stays_small_however_much_is_wrong() {
    let names = (0..10_000).map(|number| (format!("{number:0>100}"), json!(1)));
    let problem = player().check(Value::Object(names.collect())).unwrap_err();
    assert_eq!(problem.details["fields"].as_array().map(Vec::len), Some(50));
    assert_eq!(problem.details["fieldsNotListed"], json!(9_952));
    assert!(problem.message.len() < 5_000, "{}", problem.message.len());

    let long = with(json!({ "positions": vec!["?"; 100_000] }));
    check(long, expect!["VALIDATION positions: must have 1 to 3 elements"]);
}

#[test]
fn query_strings_are_read_by_their_schema() {
    let schema = Schema::object(
        "ListPlayers",
        [
            Field::integer("limit", 1..=100),
            Field::flag("isGhost"),
            Field::number("above", 0.0..=1.0),
            Field::word("status", &["active", "inactive"]),
            Field::list("position", Kind::Integer { range: 1..=9 }, 1..=2),
            Field::text("name", 1..=20),
        ],
    );
    // A form of a page sends empty fields as well.
    let page = schema.check_page_query("limit=&status=active&name=&position=").unwrap();
    assert_eq!(Value::Object(page), json!({ "status": "active" }));
    let check =
        |query: &str, expected: Expect| expected.assert_eq(&told(schema.check_query(query)));
    check("", expect!["{}"]);
    check("isGhost", expect![[r#"{"isGhost":true}"#]]);
    check("isGhost=&limit=10", expect![[r#"{"isGhost":true,"limit":10}"#]]);
    check(
        "limit=10&isGhost=TRUE&above=.5&status=Active&&position=1&position=2&name=M%C3%BCller+%26+Co",
        expect![[
            r#"{"above":0.5,"isGhost":true,"limit":10,"name":"Müller & Co","position":[1,2],"status":"active"}"#
        ]],
    );
    check(
        "limit=ten&isGhost=1&above=inf&status&position=0&x=1",
        expect![
            "UNKNOWN_FIELD above: must be a number; isGhost: must be true or false; limit: must be a whole number; position[0]: must be from 1 to 9; status: must be one of active, inactive; x: is unknown"
        ],
    );
    check(
        "limit=1&limit=2&status=off",
        expect![
            "VALIDATION limit: is given more than once; status: must be one of active, inactive"
        ],
    );
    check("name=%FF", expect!["VALIDATION query: must be percent-encoded UTF-8"]);
    check("limit=99999999999999999999", expect!["VALIDATION limit: must be a whole number"]);
}

#[test]
fn a_bare_body_is_the_value_of_its_field() {
    let anything = Schema::bare("Value", Field::new("value", Kind::Anything));
    for value in [json!(null), json!(3), json!("x"), json!([1]), json!({ "value": 1, "b": 2 })] {
        let read = anything.check(value.clone()).unwrap();
        assert_eq!(Value::Object(read), json!({ "value": value }));
    }
    let number = Schema::bare("Number", Field::integer("number", 1..=9));
    assert_eq!(number.check(json!(10)).unwrap_err().message, "number: must be from 1 to 9");
}
