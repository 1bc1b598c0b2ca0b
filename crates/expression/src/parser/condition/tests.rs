//! The trees of conditions, and the errors of invalid ones.

use expect_test::{Expect, expect};

use crate::parser::fixture::Request;
use crate::{Condition, ExpressionKind, Printer, parse_condition};

mod checks;

fn parse(text: &str) -> Result<Condition, String> {
    let request = Request::default();
    parse_condition(text, ExpressionKind::Filter, &mut request.placeholders())
        .map_err(|error| error.to_string())
}

/// Returns the parsed tree as text with all its parentheses, or AWS's message after
/// `Invalid FilterExpression: `.
fn outcome(text: &str) -> String {
    match parse(text) {
        Ok(condition) => {
            let mut printer = Printer::new();
            let text = printer.condition(&condition);
            let (names, values) = printer.finish();
            readable(text, &names, &values)
        }
        Err(error) => error.replace("Invalid FilterExpression: ", "! "),
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&outcome(text));
}

/// Restores the names, and scalar values in quotes, highest number first so that `#n1` is not
/// found in `#n10`.
fn readable(
    mut text: String,
    names: &std::collections::BTreeMap<String, String>,
    values: &std::collections::BTreeMap<String, monotable_types::AttributeValue>,
) -> String {
    for number in (0..names.len()).rev() {
        let key = format!("#n{number}");
        text = text.replace(&key, &names[&key]);
    }
    for number in (0..values.len()).rev() {
        let key = format!(":v{number}");
        let value = match &values[&key] {
            monotable_types::AttributeValue::S(text) => format!("'{text}'"),
            monotable_types::AttributeValue::N(number) => number.to_string(),
            other => other.type_name().to_string(),
        };
        text = text.replace(&key, &value);
    }
    text
}

#[test]
fn and_binds_tighter_than_or_and_not_tighter_than_and() {
    check("a = :n OR b = :n AND c = :n OR d = :n", expect!["a = 1 OR (b = 1 AND c = 1) OR d = 1"]);
    check("NOT a = :n AND b = :n", expect!["NOT (a = 1) AND b = 1"]);
    check("NOT (a = :n AND b = :n)", expect!["NOT (a = 1 AND b = 1)"]);
    check("not Not a = :n", expect!["NOT (NOT (a = 1))"]);
    check("(a = :n OR b = :n) AND (c = :n)", expect!["(a = 1 OR b = 1) AND c = 1"]);
    check(
        "a = :n and (b = :n and c = :n) aNd d = :n",
        expect!["a = 1 AND (b = 1 AND c = 1) AND d = 1"],
    );
}

#[test]
fn comparators_between_and_in_take_any_operands() {
    check("a<:n", expect!["a < 1"]);
    check(":n>=a.b[2].#n", expect!["1 >= a.b[2].name"]);
    check("a <> b", expect!["a <> b"]);
    check("a BETWEEN :n AND :five AND b = :s", expect!["a BETWEEN 1 AND 5 AND b = 'a'"]);
    check(":n between a and size(b)", expect!["1 BETWEEN a AND size(b)"]);
    check("a IN (:n, b,size(c))", expect!["a IN (1, b, size(c))"]);
    check("size(a) > size(b)", expect!["size(a) > size(b)"]);
    check("(a) = (b)", expect!["a = b"]);
    check("(a)between(b.c)and(:n)", expect!["a BETWEEN b.c AND 1"]);
    check("(a.b).c[1] = :n", expect!["a.b.c[1] = 1"]);
    check("a = (b.c).d", expect!["a = b.c.d"]);
    check("((a).b) = :n", expect!["a.b = 1"]);
    check("size((a)) = :n", expect!["size(a) = 1"]);
    check("size(:s) = a", expect!["1 = a"]);
}

#[test]
fn functions_parse_with_their_arguments() {
    check(
        "attribute_exists (a.b) AND attribute_not_exists((#s))",
        expect!["attribute_exists(a.b) AND attribute_not_exists(status)"],
    );
    check("attribute_type(a, :type)", expect!["attribute_type(a, 'SS')"]);
    check("attribute_type(:type, :type)", expect!["attribute_type('SS', 'SS')"]);
    check(
        "begins_with(a, :b) OR begins_with(:s, a)",
        expect!["begins_with(a, B) OR begins_with('a', a)"],
    );
    check(
        "contains(a, :l) OR contains(a, size(b))",
        expect!["contains(a, L) OR contains(a, size(b))"],
    );
}

#[test]
fn syntax_errors_name_the_token_and_the_text_around_it() {
    check("", expect!["! The expression can not be empty;"]);
    check("a", expect![[r#"! Syntax error; token: "<EOF>", near: "a""#]]);
    check("a = ", expect![[r#"! Syntax error; token: "<EOF>", near: "=""#]]);
    check("attribute_not_exists(", expect![[r#"! Syntax error; token: "<EOF>", near: "(""#]]);
    check("attribute_type()", expect![[r#"! Syntax error; token: ")", near: "()""#]]);
    check("a = = :v", expect![[r#"! Syntax error; token: "=", near: "= = :v""#]]);
    check("a-b", expect![[r#"! Syntax error; token: "-", near: "a-b""#]]);
    check("a = :n AND _b = :n", expect![[r#"! Syntax error; token: "_", near: "AND _b""#]]);
    check("__typename <> :n", expect![[r#"! Syntax error; token: "_", near: "__""#]]);
    check("a > 4", expect![[r#"! Syntax error; token: "4", near: "> 4""#]]);
    check("#s[-1].a = :n", expect![[r#"! Syntax error; token: "-", near: "[-1""#]]);
    check("#s[abc].a = :n", expect![[r#"! Syntax error; token: "abc", near: "[abc]""#]]);
    check("a = :n AND and b = :n", expect![[r#"! Syntax error; token: "and", near: "AND and b""#]]);
    check(
        "things are not gonna be ok",
        expect![[r#"! Syntax error; token: "are", near: "things are not""#]],
    );
    check("a in b, c", expect![[r#"! Syntax error; token: "b", near: "in b,""#]]);
    check("a in (b,c,)", expect![[r#"! Syntax error; token: ")", near: ",)""#]]);
    check("a > between", expect![[r#"! Syntax error; token: "between", near: "> between""#]]);
    check("(a)between(b.(c.d))and(c)", expect![[r#"! Syntax error; token: "(", near: ".(c""#]]);
    check("(a)between(b.c.d)and((c)", expect![[r#"! Syntax error; token: "<EOF>", near: ")""#]]);
    check("a > :n.stuff", expect![[r#"! Syntax error; token: ".", near: ":n.stuff""#]]);
    check("(size(a)).b > a", expect![[r#"! Syntax error; token: ".", near: ").b""#]]);
    check("size(a)[0] > a", expect![[r#"! Syntax error; token: "[", near: ")[0""#]]);
    check("attribute_exists(\"a.b\")", expect![[r#"! Syntax error; token: """, near: "("a""#]]);
    check("ü > a", expect![[r#"! Syntax error; token: "ü", near: "ü >""#]]);
    check("(a = :n", expect![[r#"! Syntax error; token: "<EOF>", near: ":n""#]]);
    check("a = :n)", expect![[r#"! Syntax error; token: ")", near: ":n)""#]]);
    check("(a)", expect![[r#"! Syntax error; token: "<EOF>", near: ")""#]]);
    check("NOT a", expect![[r#"! Syntax error; token: "<EOF>", near: "a""#]]);
    check("a = b = c", expect![[r#"! Syntax error; token: "=", near: "b = c""#]]);
    check(
        "a BETWEEN :n OR :five",
        expect![[r#"! Syntax error; token: "OR", near: ":n OR :five""#]],
    );
}

#[test]
fn doubled_parentheses_are_redundant_and_reported_first() {
    let redundant = "! The expression has redundant parentheses;";
    for text in [
        "((a = :n))",
        "a=a and a > ((views))",
        "(a)between(((b.c)).d)and(c)",
        "a > whatever((:things), ((a)))",
        "a=a AND ((a=a AND a=a)) AND a=a",
        "a=a AND ((a=a AND (a=a AND a=a)))",
        "((a)) = :n",
        "((NOT a = :n)) AND b = :n",
        "a IN (((b)))",
    ] {
        assert_eq!(outcome(text), redundant, "{text}");
    }
    check("((a = b) OR (c = d))", expect!["a = b OR c = d"]);
    check("(a = b AND (c = d))", expect!["a = b AND c = d"]);
}

#[test]
fn limits_hold_for_operators_and_lists() {
    let chain = |terms: usize| vec!["a=:n"; terms].join(" OR ");
    assert!(parse(&chain(150)).is_ok());
    check(
        &chain(151),
        expect!["! The expression contains too many operators; operator count: 301"],
    );
    let list = |length: usize| format!("a IN ({})", vec![":n"; length].join(","));
    assert!(parse(&list(100)).is_ok());
    check(
        &list(101),
        expect!["! The IN operator is provided with too many operands; number of operands: 101"],
    );
}

#[test]
fn hostile_nesting_is_refused_without_deep_recursion() {
    let refused = |text: String| assert!(parse(&text).is_err(), "{}", &text[..20]);
    for opening in ["(", "NOT ", "NOT (", "size(", "a = (", "f(", "a IN (", "(a = :n AND "] {
        refused(opening.repeat(4096 / opening.len()));
    }
    refused(format!("{}a = :n{}", "(".repeat(2000), ")".repeat(2000)));
    refused(format!("{}a = :n{}", "NOT (".repeat(600), ")".repeat(600)));
    refused(format!("{}a{} = :n", "(".repeat(2000), ")".repeat(2000)));
    refused(format!("{}a = :n", "NOT ".repeat(1000)));
    assert!(parse(&format!("{}a = :n{}", "NOT (".repeat(299), ")".repeat(299))).is_ok());
}
