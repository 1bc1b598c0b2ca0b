//! The trees of updates, and the errors of invalid ones.

use expect_test::{Expect, expect};

use crate::parser::fixture::Request;
use crate::{Printer, Update, parse_update};

mod checks;

fn parse(text: &str) -> Result<Update, String> {
    let request = Request::default();
    parse_update(text, &mut request.placeholders()).map_err(|error| error.to_string())
}

/// Returns the parsed tree printed again with its names, or AWS's message after
/// `Invalid UpdateExpression: `.
fn outcome(text: &str) -> String {
    match parse(text) {
        Ok(update) => {
            let mut printer = Printer::new();
            let mut text = printer.update(&update);
            let names = printer.finish().0;
            for number in (0..names.len()).rev() {
                let key = format!("#n{number}");
                text = text.replace(&key, &names[&key]);
            }
            text
        }
        Err(error) => error.replace("Invalid UpdateExpression: ", "! "),
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&outcome(text));
}

#[test]
fn sections_come_in_any_order_and_case() {
    check("set a = :n", expect!["SET a = :v0"]);
    check(
        "Remove a, b[1] ADD c :n,#n :ss delete e :ss SET f.g = :n, h=b",
        expect!["SET f.g = :v0, h = b REMOVE a, b[1] ADD c :v1, name :v2 DELETE e :v3"],
    );
}

#[test]
fn values_are_operands_sums_and_functions() {
    check("SET a = b + :n, c = :n - d", expect!["SET a = b + :v0, c = :v1 - d"]);
    check("SET a = (b + :n), c = (d) - (e.f)", expect!["SET a = b + :v0, c = d - e.f"]);
    check("SET a = ((b.c.d)+(e))", expect!["SET a = b.c.d + e"]);
    check("SET a = if_not_exists(a, :n) + :n", expect!["SET a = if_not_exists(a, :v0) + :v1"]);
    check(
        "SET a = list_append(if_not_exists(a, :l), (b))",
        expect!["SET a = list_append(if_not_exists(a, :v0), b)"],
    );
    check(
        "SET a = if_not_exists(a, if_not_exists(b, c))",
        expect!["SET a = if_not_exists(a, if_not_exists(b, c))"],
    );
}

#[test]
fn syntax_errors_name_the_token_and_the_text_around_it() {
    check("", expect!["! The expression can not be empty;"]);
    check(
        "INVALID SYNTAX HERE",
        expect![[r#"! Syntax error; token: "INVALID", near: "INVALID SYNTAX""#]],
    );
    check("SET", expect![[r#"! Syntax error; token: "<EOF>", near: "SET""#]]);
    check("SET a = :n,", expect![[r#"! Syntax error; token: "<EOF>", near: ",""#]]);
    check("SET a = :n, , b = :n", expect![[r#"! Syntax error; token: ",", near: ", , b""#]]);
    check("ADD hits : incr", expect![[r#"! Syntax error; token: ":", near: "hits : incr""#]]);
    check(
        "set _something = :s",
        expect![[r#"! Syntax error; token: "_", near: "set _something""#]],
    );
    check("SET book-price = :n", expect![[r#"! Syntax error; token: "-", near: "book-price""#]]);
    check("SET a = a, #, b", expect![[r##"! Syntax error; token: "#", near: ", #,""##]]);
    check("ADD numx", expect![[r#"! Syntax error; token: "<EOF>", near: "numx""#]]);
    check("ADD numx 1", expect![[r#"! Syntax error; token: "1", near: "numx 1""#]]);
    check("DELETE setx a", expect![[r#"! Syntax error; token: "a", near: "setx a""#]]);
    check("SET note = :n +", expect![[r#"! Syntax error; token: "<EOF>", near: "+""#]]);
    check("SET a = b * :n", expect![[r#"! Syntax error; token: "*", near: "b * :n""#]]);
    check("SET a = b + c + d", expect![[r#"! Syntax error; token: "+", near: "c + d""#]]);
    check("SET a = (b + c) + d", expect![[r#"! Syntax error; token: "+", near: ") + d""#]]);
    check("SET #n[0.#n = :n", expect![[r##"! Syntax error; token: ".", near: "0.#n""##]]);
    check("set a=set", expect![[r#"! Syntax error; token: "set", near: "=set""#]]);
    check("set :a = b", expect![[r#"! Syntax error; token: ":a", near: "set :a =""#]]);
    check("set (a = (b + c))", expect![[r#"! Syntax error; token: "(", near: "set (a""#]]);
    check("set a = (b.c).d + e", expect![[r#"! Syntax error; token: ".", near: ").d""#]]);
    check("set a = (b", expect![[r#"! Syntax error; token: "<EOF>", near: "b""#]]);
    check("remove a = b", expect![[r#"! Syntax error; token: "=", near: "a = b""#]]);
    check("SET a = if_not_exists(a, 0)", expect![[r#"! Syntax error; token: "0", near: ", 0)""#]]);
    check(
        "SET if_not_exists(a, b) = a",
        expect![[r#"! Syntax error; token: "(", near: "if_not_exists(a""#]],
    );
    check("set a[1] = \"eight\"", expect![[r#"! Syntax error; token: """, near: "= "eight""#]]);
}

#[test]
fn limits_hold_for_operators_and_doubled_parentheses() {
    let sums = |count: usize| {
        let actions: Vec<_> = (0..count).map(|number| format!("a{number}=b+c")).collect();
        format!("SET {}", actions.join(","))
    };
    assert!(parse(&sums(300)).is_ok());
    check(&sums(301), expect!["! The expression contains too many operators; operator count: 301"]);
    check("SET a = ((b))", expect!["! The expression has redundant parentheses;"]);
    check("SET a = b + ((c))", expect!["! The expression has redundant parentheses;"]);
}

#[test]
fn hostile_nesting_is_refused_without_deep_recursion() {
    for opening in ["(", "f(", "if_not_exists(a,", "f((", "a.b["] {
        let text = format!("SET a = {}", opening.repeat(4080 / opening.len()));
        assert!(parse(&text).is_err());
    }
    let deep = |levels: usize| {
        format!("SET a = {}b{}", "if_not_exists(a,".repeat(levels), ")".repeat(levels))
    };
    let nested = parse(&deep(220)).unwrap();
    let mut item = monotable_types::item! { "b" => 1 };
    nested.apply(&mut item).unwrap();
    assert_eq!(item["a"], 1.into());
}
