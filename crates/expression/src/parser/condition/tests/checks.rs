//! The checks of conditions without syntax errors, and the order in which errors are reported.

use expect_test::expect;

use super::{check, outcome};

#[test]
fn unknown_functions_go_before_misused_ones() {
    check("whatever((:n)) > a", expect!["! Invalid function name; function: whatever"]);
    check(
        "attRIbute_exIsts((views), #x)",
        expect!["! Invalid function name; function: attRIbute_exIsts"],
    );
    check("contains(a, b) > c AND f(x)", expect!["! Invalid function name; function: f"]);
    check(
        "if_not_exists(a, :n) = :n",
        expect!["! The function is not allowed in a condition expression; function: if_not_exists"],
    );
}

#[test]
fn boolean_functions_are_not_operands() {
    let misused = |function| {
        format!(
            "! The function is not allowed to be used this way in an expression; function: {function}"
        )
    };
    for (text, function) in [
        ("a=a and attribute_exists((views), (#x)) > b", "attribute_exists"),
        ("attribute_type(things, :x) > b", "attribute_type"),
        ("size(contains(a, b)) > a", "contains"),
        ("size(things)", "size"),
        ("(size(things)) AND a = b", "size"),
        ("a between b and attribute_exists(things)", "attribute_exists"),
        ("a in (b, attribute_exists(things))", "attribute_exists"),
        ("a = begins_with(b, c)", "begins_with"),
    ] {
        assert_eq!(outcome(text), misused(function), "{text}");
    }
}

#[test]
fn reserved_words_go_before_undefined_placeholders() {
    check(
        "attribute_exists(views, #x)",
        expect!["! Attribute name is a reserved keyword; reserved keyword: views"],
    );
    check(":x < abOrT", expect!["! Attribute name is a reserved keyword; reserved keyword: abOrT"]);
    check(
        "a.b.name = :x",
        expect!["! Attribute name is a reserved keyword; reserved keyword: name"],
    );
}

#[test]
fn the_first_faulty_comparison_is_reported() {
    check(
        "(#P between :lo and :hi) and (#PC in (:c1, :c2))",
        expect![
            "! An expression attribute name used in the document path is not defined; attribute name: #P"
        ],
    );
    check(
        ":x < :y",
        expect![
            "! An expression attribute value used in expression is not defined; attribute value: :x"
        ],
    );
    check(
        "begins_with(Pictures.#RearView)",
        expect![
            "! An expression attribute name used in the document path is not defined; attribute name: #RearView"
        ],
    );
    check(
        "begins_with(a, :n) AND b = :missing",
        expect![
            "! Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"
        ],
    );
    check(
        "b = :missing AND begins_with(a, :n)",
        expect![
            "! An expression attribute value used in expression is not defined; attribute value: :missing"
        ],
    );
    check(
        "begins_with(a, :n, :missing)",
        expect![
            "! An expression attribute value used in expression is not defined; attribute value: :missing"
        ],
    );
}

#[test]
fn functions_count_their_operands() {
    let count = |function, number| {
        format!(
            "! Incorrect number of operands for operator or function; operator or function: {function}, number of operands: {number}"
        )
    };
    for (text, function, number) in [
        ("attribute_exists(things, a) and a=a", "attribute_exists", 2),
        ("attribute_type(things)", "attribute_type", 1),
        ("begins_with(things, size(a), b)", "begins_with", 3),
        ("contains(things)", "contains", 1),
        ("size(things, a) > b", "size", 2),
    ] {
        assert_eq!(outcome(text), count(function, number), "{text}");
    }
}

#[test]
fn operands_have_the_types_that_operators_take() {
    let wrong = |operator, operand| {
        format!(
            "! Incorrect operand type for operator or function; operator or function: {operator}, operand type: {operand}"
        )
    };
    for (text, operator, operand) in [
        ("attribute_type(a, size(a)) and a=a", "attribute_type", "N"),
        ("attribute_type(a, :bool)", "attribute_type", "BOOL"),
        ("begins_with(a, size(a)) and a=:x", "begins_with", "N"),
        ("begins_with(a, :n)", "begins_with", "N"),
        ("begins_with(:ss, a)", "begins_with", "SS"),
        ("size(size(a)) > :n", "size", "N"),
        ("attribute_not_exists(size(:n))", "size", "N"),
        ("size(:bool) > a", "size", "BOOL"),
        ("size(:null) > a", "size", "NULL"),
        ("a < :bool", "<", "BOOL"),
        (":l >= a", ">=", "L"),
        ("a BETWEEN :bool AND :bool", "BETWEEN", "BOOL"),
    ] {
        assert_eq!(outcome(text), wrong(operator, operand), "{text}");
    }
    check("a = :bool AND a <> :m", expect!["a = BOOL AND a <> M"]);
    check(
        "attribute_type(a, :s)",
        expect![
            "! Invalid attribute type name found; type: a, valid types: {S,SS,N,NS,B,BS,BOOL,NULL,L,M}"
        ],
    );
    check(
        "attribute_type(a, b)",
        expect![
            "! Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {S,SS,N,NS,B,BS,BOOL,NULL,L,M,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,DECIMAL,INT,DECIMALSET,INTSET}"
        ],
    );
    check(
        "attribute_exists(:s) and a=a",
        expect![
            "! Operator or function requires a document path; operator or function: attribute_exists"
        ],
    );
    check(
        "attribute_not_exists(size(:s))",
        expect![
            "! Operator or function requires a document path; operator or function: attribute_not_exists"
        ],
    );
}

#[test]
fn operands_differ_from_each_other() {
    let same = |operator, path| {
        format!(
            "! The first operand must be distinct from the remaining operands for this operator or function; operator: {operator}, first operand: {path}"
        )
    };
    for (text, operator, path) in [
        ("a = a AND #a = b AND :views > a", "=", "[a]"),
        ("#a <> a", "<>", "[a]"),
        ("((a=a) OR (a=a))", "=", "[a]"),
        ("contains(ab.bc[1].a, ab.bc[1].#a)", "contains", "[ab, bc, [1], a]"),
        ("attribute_type(ab.bc[1].#a, ab.bc[1].a)", "attribute_type", "[ab, bc, [1], a]"),
        ("a IN (b, a)", "IN", "[a]"),
    ] {
        assert_eq!(outcome(text), same(operator, path), "{text}");
    }
    check(":n > :n", expect!["1 > 1"]);
}

#[test]
fn bounds_of_between_are_of_one_type_and_in_order() {
    check(
        "a between :n and :s",
        expect![
            "! The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"
        ],
    );
    check(
        "a between :z and :s",
        expect![
            "! The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, upper bound operand: AttributeValue: {S:a}"
        ],
    );
    check(
        "a between :bz and :b",
        expect![
            "! The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {B:eg==}, upper bound operand: AttributeValue: {B:YQ==}"
        ],
    );
    check("a between :n and :n", expect!["a BETWEEN 1 AND 1"]);
}
