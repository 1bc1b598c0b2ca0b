//! The checks of updates without syntax errors, and the order in which errors are reported.

use expect_test::expect;

use super::{check, outcome};

#[test]
fn reserved_words_go_before_functions_and_sections() {
    check(
        " set #x = :x set abOrt = true ",
        expect!["! Attribute name is a reserved keyword; reserved keyword: abOrt"],
    );
    check(
        " remove Absolute ",
        expect!["! Attribute name is a reserved keyword; reserved keyword: Absolute"],
    );
    check(
        "SET a.b = f(x), name = :n",
        expect!["! Attribute name is a reserved keyword; reserved keyword: name"],
    );
}

#[test]
fn functions_of_other_expressions_and_unknown_ones_have_different_errors() {
    check(
        "set #x = if_not_exist(:x) set c = d",
        expect!["! Invalid function name; function: if_not_exist"],
    );
    check(
        "SET a = contains(s, :s)",
        expect!["! The function is not allowed in an update expression; function: contains"],
    );
    check(
        "SET a = size(s)",
        expect!["! The function is not allowed in an update expression; function: size"],
    );
    check(
        "SET a = list_append(list_append(l, :l), :l)",
        expect![
            "! The function is not allowed to be used this way in an expression; function: list_append"
        ],
    );
}

#[test]
fn a_section_is_used_once() {
    check(
        "set a = #x set c = :x",
        expect![[r#"! The "SET" section can only be used once in an update expression;"#]],
    );
    check(
        "remove #x set a = b remove e",
        expect![[r#"! The "REMOVE" section can only be used once in an update expression;"#]],
    );
    check(
        "add #x :x set a = b Add e :f",
        expect![[r#"! The "ADD" section can only be used once in an update expression;"#]],
    );
    check(
        "delete #x :x set a = b delete #e :f",
        expect![[r#"! The "DELETE" section can only be used once in an update expression;"#]],
    );
}

#[test]
fn undefined_names_go_before_undefined_values() {
    check(
        "SET b = :x, #x = if_not_exists(:x)",
        expect![
            "! An expression attribute name used in the document path is not defined; attribute name: #x"
        ],
    );
    check(
        "SET b = if_not_exists(:x)",
        expect![
            "! An expression attribute value used in expression is not defined; attribute value: :x"
        ],
    );
    check(
        "ADD a :x",
        expect![
            "! An expression attribute value used in expression is not defined; attribute value: :x"
        ],
    );
}

#[test]
fn overlapping_paths_go_before_conflicting_ones() {
    check(
        "set d[1] = a, d.b = a, c[1].a = a, c = if_not_exists(a)",
        expect![
            "! Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c, [1], a], path two: [c]"
        ],
    );
    check(
        "set c[3].#i = a, c[3] = a",
        expect![
            "! Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c, [3], [3]], path two: [c, [3]]"
        ],
    );
    check(
        "set c[3].#i = a, c.#i[3] = if_not_exists(a)",
        expect![
            "! Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [c, [3], [3]], path two: [c, [3], [3]]"
        ],
    );
    check(
        "remove a.c set a[1] = #i",
        expect![
            "! Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, c], path two: [a, [1]]"
        ],
    );
    check(
        "SET #a = :n, a = :n",
        expect![
            "! Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"
        ],
    );
}

#[test]
fn add_and_delete_take_only_some_types() {
    let wrong = |section, operand| {
        format!(
            "! Incorrect operand type for operator or function; operator: {section}, operand type: {operand}, typeSet: ALLOWED_FOR_ADD_OPERAND"
        )
    };
    for (text, section, operand) in [
        ("set b = list_append(:s, a), c = if_not_exists(a) add a.b :s", "ADD", "STRING"),
        ("add a :null", "ADD", "NULL"),
        ("add a :bool", "ADD", "BOOL"),
        ("add a :b", "ADD", "BINARY"),
        ("add a :m", "ADD", "MAP"),
        ("add a :l", "ADD", "LIST"),
        ("delete a :n", "DELETE", "NUMBER"),
        ("delete a :s", "DELETE", "STRING"),
    ] {
        assert_eq!(outcome(text), wrong(section, operand), "{text}");
    }
}

#[test]
fn functions_check_their_operands_last() {
    check(
        "set a = if_not_exists(c)",
        expect![
            "! Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1"
        ],
    );
    check(
        "set a = list_append(c, d, e)",
        expect![
            "! Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 3"
        ],
    );
    check(
        "set a = if_not_exists(:n, c)",
        expect![
            "! Operator or function requires a document path; operator or function: if_not_exists"
        ],
    );
    check(
        "set a = if_not_exists(if_not_exists(a, b), c)",
        expect![
            "! Operator or function requires a document path; operator or function: if_not_exists"
        ],
    );
    check(
        "set a = list_append(:s, a)",
        expect![
            "! Incorrect operand type for operator or function; operator or function: list_append, operand type: S"
        ],
    );
    check(
        "set a = list_append(a, :ns)",
        expect![
            "! Incorrect operand type for operator or function; operator or function: list_append, operand type: NS"
        ],
    );
    check(
        "set a = :s + :b",
        expect![
            "! Incorrect operand type for operator or function; operator or function: +, operand type: S"
        ],
    );
    check(
        "set a = a - :l",
        expect![
            "! Incorrect operand type for operator or function; operator or function: -, operand type: L"
        ],
    );
}
