//! The trees of key conditions, and the errors of other conditions.

use expect_test::{Expect, expect};

use crate::parser::fixture::Request;
use crate::{Printer, parse_key_condition};

fn check(text: &str, expected: Expect) {
    let request = Request::default();
    let outcome = match parse_key_condition(text, &mut request.placeholders()) {
        Ok(condition) => {
            let mut printer = Printer::new();
            let text = printer.key_condition(&condition);
            let names = printer.finish().0;
            let names: Vec<_> = names.values().map(String::as_str).collect();
            format!("{text} ({})", names.join(", "))
        }
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&outcome);
}

#[test]
fn tests_of_attributes_are_joined_by_and() {
    check("a = :s", expect!["#n0 = :v0 (a)"]);
    check("#n = :s AND b > :n", expect!["#n0 = :v0 AND #n1 > :v1 (name, b)"]);
    check("(a = :s AND (b = :n))", expect!["#n0 = :v0 AND #n1 = :v1 (a, b)"]);
    check("a = :s and begins_with(b, :s)", expect!["#n0 = :v0 AND begins_with(#n1, :v1) (a, b)"]);
    check(
        "a = :s AND b BETWEEN :n AND :five AND c = :s",
        expect!["#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2 AND #n2 = :v3 (a, b, c)"],
    );
}

#[test]
fn a_value_on_the_left_turns_the_comparison_around() {
    check(":s = a AND :n <= b", expect!["#n0 = :v0 AND #n1 >= :v1 (a, b)"]);
    check(":n > a", expect!["#n0 < :v0 (a)"]);
}

#[test]
fn operators_that_cannot_seek_are_refused() {
    check(
        "a > b and size(b) > c or a > c",
        expect!["Invalid operator used in KeyConditionExpression: OR"],
    );
    check("a in (b, size(c), d)", expect!["Invalid operator used in KeyConditionExpression: IN"]);
    check(
        "attribute_exists(a)",
        expect!["Invalid operator used in KeyConditionExpression: attribute_exists"],
    );
    check(
        "attribute_not_exists(a)",
        expect!["Invalid operator used in KeyConditionExpression: attribute_not_exists"],
    );
    check(
        "attribute_type(a, :type)",
        expect!["Invalid operator used in KeyConditionExpression: attribute_type"],
    );
    check("contains(a.d, b)", expect!["Invalid operator used in KeyConditionExpression: contains"]);
    check("not a > b", expect!["Invalid operator used in KeyConditionExpression: NOT"]);
    check("a <> b", expect!["Invalid operator used in KeyConditionExpression: <>"]);
}

#[test]
fn between_and_begins_with_need_the_attribute_first() {
    check(
        ":s between size(b) and size(a) and b > :s",
        expect![
            "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand"
        ],
    );
    check(
        "begins_with(:s, b) and a > :s",
        expect![
            "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand"
        ],
    );
}

#[test]
fn operands_are_one_attribute_and_values() {
    for text in
        ["size(b) > a AND a.b > b AND b > c", "a > size(b.d)", "a between size(b) and size(a)"]
    {
        check(
            text,
            expect![
                "Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations"
            ],
        );
    }
    for text in ["b > a.b", "b between c[1] and d", "a between b and size(a)", "begins_with(a, b)"]
    {
        check(
            text,
            expect![
                "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
            ],
        );
    }
    for text in ["b.d > a AND c.d > e.f", "a.d > c", "b[0] > a"] {
        check(
            text,
            expect![
                "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes"
            ],
        );
    }
    for text in [":n > :five AND a < :n", ":n > b AND :n < :five"] {
        check(
            text,
            expect!["Invalid condition in KeyConditionExpression: No key attribute specified"],
        );
    }
}

#[test]
fn an_attribute_is_tested_once() {
    for text in ["b > :n AND b < :n and c = :n", "(a > :n and b > :n) and (b > :n and c > :n)"] {
        check(
            text,
            expect![
                "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"
            ],
        );
    }
}

#[test]
fn everything_that_holds_for_conditions_holds_here() {
    check("", expect!["Invalid KeyConditionExpression: The expression can not be empty;"]);
    check(
        "a-b",
        expect![[r#"Invalid KeyConditionExpression: Syntax error; token: "-", near: "a-b""#]],
    );
    check(
        "name = :s",
        expect![
            "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: name"
        ],
    );
    check(
        "((a = :s))",
        expect!["Invalid KeyConditionExpression: The expression has redundant parentheses;"],
    );
    check(
        "a = :s AND :bool >= b",
        expect![
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL"
        ],
    );
    check(
        "a = :s AND begins_with(b, :n) AND b = :missing",
        expect![
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"
        ],
    );
    check(
        "a between :z and :s",
        expect![
            "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, upper bound operand: AttributeValue: {S:a}"
        ],
    );
}
