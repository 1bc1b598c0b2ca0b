//! AWS's messages for statements that cannot be parsed or are never valid, independent of the
//! table.

use super::{check_messages, execute, message};
use crate::fixture::World;

fn malformed(details: &str) -> String {
    format!("Statement wasn't well formed, can't be processed: {details}")
}

#[track_caller]
fn check_malformed(details: &str, statements: &[&str]) {
    let expected = malformed(details);
    let refusals: Vec<(&str, &str)> =
        statements.iter().map(|statement| (*statement, expected.as_str())).collect();
    check_messages(&World::new(), &refusals);
}

#[test]
fn nothing_follows_a_statement() {
    check_malformed(
        "Unexpected token after expression",
        &[
            "SELECT * FROM numbers WHERE id = 1 foo",
            "SELECT * FROM numbers WHERE id = 1 e5",
            "SELECT * FROM numbers WHERE id = 1)",
            "SELECT * FROM numbers ORDER BY id WHERE id = 1",
            "SELECT * FROM plain; SELECT * FROM plain",
            "INSERT INTO numbers VALUE {'id': 1} foo",
            "INSERT INTO numbers t VALUE {'id': 1}",
            "UPDATE numbers SET a = 9 WHERE id = 1 foo",
            "DELETE FROM numbers WHERE id = 1 foo",
            "DELETE FROM numbers WHERE id = 1 ORDER BY id",
            "FROM plain SET c = 1 WHERE id = 'a'",
            "FROM plain SET c = 1 WHERE id = 'a' SET d = 2",
            "SELECTT * FROMM plain",
        ],
    );
}

#[test]
fn terms_are_required_where_the_grammar_needs_them() {
    check_malformed(
        "Unexpected term",
        &[
            "SELECT * FROM plain WHERE",
            "SELECT * FROM plain WHERE;",
            "SELECT id FROM plain WHERE   ",
            "UPDATE plain SET a = 1 WHERE",
            "DELETE FROM plain WHERE",
            "SELECT * FROM plain WHERE NOT",
            "SELECT * FROM plain WHERE (",
            "SELECT * FROM nowhere WHERE",
            "SELECT * FROM",
        ],
    );
    check_malformed(
        "Missing right-hand side expression of infix operator",
        &["SELECT * FROM plain WHERE id = 'p1' AND", "SELECT * FROM plain WHERE id = 'p1' OR"],
    );
    check_malformed(
        "Unexpected keyword",
        &["SELECT * FROM plain WHERE ORDER BY id", "INSERT INTO plain (key, value) VALUES (?, ?)"],
    );
    check_malformed(
        "Expected data manipulation",
        &[
            "FROM plain WHERE id = 'a'",
            "SLECT * FROM plain WHERE id = 'a'",
            "1 + FROM plain",
            "1 + FROM plain SET a = 1",
        ],
    );
    check_malformed(
        "Unexpected operator",
        &["SELECT * FROM plain WHERE IS NULL", "SELECT * FROM plain WHERE id = LIKE"],
    );
    check_malformed(
        "Expected identifier for simple path",
        &["DELETE FROM", "DELETE FROM   ", "DELETE FROM;", "DELETE FROM WHERE id = 'a'"],
    );
    check_malformed(
        "Invalid path dot component",
        &[
            "SELECT * FROM plain WHERE attribute_exists(m.inner)",
            "UPDATE plain SET m.inner = 1 WHERE id = 'a'",
        ],
    );
    check_malformed("Expected type name", &["SELECT * FROM plain WHERE id = 'a' AND x IS FOO"]);
    check_malformed(
        "Expected data manipulation",
        &["UPDATE plain-x SET a = 1 WHERE id = 'a'", "UPDATE plain WHERE id = 'a'"],
    );
}

#[test]
fn unreadable_tokens_have_no_details() {
    check_malformed(
        "",
        &[
            "SELECT * FROM numbers WHERE id = 1e2147483648",
            "SELECT * FROM numbers WHERE id = 1.5e-2147483647",
            "SELECT * FROM numbers WHERE id = 1 # note",
            "SELECT * FROM numbers WHERE id = 1 /* note",
            "SELECT * FROM \"numbers",
        ],
    );
}

#[test]
fn an_expression_alone_is_parsed_and_refused() {
    for type_name in ["INT4", "INT8", "DOUBLE PRECISION", "CHARACTER VARYING"] {
        let statement = format!("x IS {type_name}");
        let expected = "Unsupported operation: IsType";
        assert_eq!(message(&execute(&World::new(), &statement, "")), expected);
    }
}

#[test]
fn a_source_is_a_table_and_optionally_an_index() {
    check_messages(
        &World::new(),
        &[
            ("SELECT * FROM plain t WHERE id = 'x'", "Aliasing is not supported"),
            ("SELECT * FROM plain AS t WHERE id = 'x'", "Aliasing is not supported"),
            ("SELECT id AS x FROM plain", "Aliasing is not supported"),
            ("UPDATE plain t SET a = 3 WHERE id = 'x'", "Aliasing is not supported"),
            ("DELETE FROM plain t WHERE id = 'x'", "Aliasing is not supported"),
            (
                r#"SELECT * FROM "league"."by-city"."extra" WHERE PK = 'p'"#,
                "A path may contain at most 2 components in the FROM clause",
            ),
            (r#"SELECT * FROM "league"."" "#, "Path component cannot be an empty string"),
            (r#"SELECT * FROM """#, "Path component cannot be an empty string"),
            (
                r#"SELECT * FROM "league"."league" WHERE PK = 'p'"#,
                "The table does not have the specified index",
            ),
            (
                r#"INSERT INTO "league"."by-city" VALUE {'PK': 'a'}"#,
                "FROM clause may only contain a single table name in data manipulation statements \
                 at 1:13:8",
            ),
            (
                r#"UPDATE "league"."by-city" SET a = 1 WHERE PK = 'p'"#,
                "This operation is not supported on an index",
            ),
            (
                r#"DELETE FROM "nowhere"."by-city" WHERE PK = 'p'"#,
                "This operation is not supported on an index",
            ),
            ("SELECT * FROM nowhere WHERE id = 'x'", "Requested resource not found"),
            (r#"SELECT * FROM "nowhere"."index""#, "Requested resource not found"),
            ("FROM nowhere WHERE id = 'x' SET c = 1", "Requested resource not found"),
        ],
    );
}

#[test]
fn columns_are_paths_with_different_names() {
    check_messages(
        &World::new(),
        &[
            ("SELECT COUNT(*) FROM nowhere", "Unexpected path component at 1:8:5"),
            ("SELECT id, attribute_exists(a) FROM plain", "Unexpected path component at 1:12:16"),
            ("SELECT a.x, x FROM plain", "Duplicate identifiers in select clause: x"),
            (
                "SELECT *, x FROM plain",
                "Other attributes should not be present in the projection when '*' is used.",
            ),
            ("SELECT id FROM plain LIMIT 5", "Unsupported clause: LIMIT at 1:28:1"),
            (
                "SELECT l[-1] FROM plain",
                "List index is not within the allowable range; index: [-1] at 1:11:1",
            ),
            (
                "SELECT l[2147483648] FROM plain",
                "List index is not within the allowable range; index: [2147483648] at 1:10:10",
            ),
        ],
    );
}

#[test]
fn functions_check_their_arguments() {
    let path_needed =
        "Operator or function requires a document path; operator or function: attribute_exists";
    let count = |count| {
        format!(
            "Incorrect number of operands for operator or function; operator or function: \
             attribute_exists, number of operands: {count}"
        )
    };
    let operand_type = |function, type_name| {
        format!(
            "Incorrect operand type for operator or function; operator or function: {function}, \
             operand type: {type_name}"
        )
    };
    let condition = |condition: &str| format!("SELECT * FROM plain WHERE id = 'a' AND {condition}");
    let world = World::new();
    for (text, expected) in [
        ("attribute_exists('ss')", path_needed.to_owned()),
        ("attribute_exists()", count(0)),
        ("attribute_exists(ss, ns)", count(2)),
        ("EXISTS(ss)", "Unrecognized function: exists at 1:40:6".to_owned()),
        ("set_add(s, <<'x'>>) = s", "Unrecognized function: set_add at 1:40:7".to_owned()),
        ("attribute_type(l, 1)", operand_type("attribute_type", "N")),
        ("attribute_type(l, true)", operand_type("attribute_type", "BOOL")),
        (
            "attribute_type(l, 'X')",
            "Invalid attribute type name found; type: X, valid types: \
             {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"
                .to_owned(),
        ),
        ("attribute_exists(n) > false", operand_type(">", "BOOL")),
        ("a < true", operand_type("<", "BOOL")),
        ("a <= null", operand_type("<=", "NULL")),
        ("a > ['x']", operand_type(">", "L")),
        ("a >= <<'x'>>", operand_type(">=", "SS")),
        ("a BETWEEN true AND false", operand_type("BETWEEN", "BOOL")),
        (
            "a IS TIMESTAMP",
            "Unsupported data type for IS operator: TIMESTAMP. Supported data types are [MISSING, \
             NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]"
                .to_owned(),
        ),
    ] {
        let statement = condition(text);
        assert_eq!(message(&execute(&world, &statement, "")), expected, "{statement}");
    }
}

#[test]
fn literals_must_be_valid_attribute_values() {
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than \
                    supported range under root";
    let underflow = "Number underflow. Attempting to store a number with magnitude smaller than \
                     supported range under root";
    let digits = "Attempting to store more than 38 significant digits in a Number under root";
    let repeated = "One or more parameter values were invalid: Input collection [x, x] contains \
                    duplicates.";
    let in_bags = "Unsupported data type in Bag. DynamoDB only supports either numbers or strings \
                   in bags";
    let deep =
        format!("UPDATE plain SET d = {}1{} WHERE id = 'a'", "{'a':".repeat(32), "}".repeat(32));
    let too_deep =
        format!("Nesting Levels have exceeded supported limits under root{}", ".a".repeat(32));
    check_messages(
        &World::new(),
        &[
            ("SELECT * FROM numbers WHERE id = 1e126", overflow),
            ("SELECT * FROM numbers WHERE id = 1e-131", underflow),
            ("SELECT * FROM numbers WHERE id = 123456789012345678901234567890123456789", digits),
            ("INSERT INTO numbers VALUE {'id': 1e126}", overflow),
            ("INSERT INTO numbers VALUE {'id': 1, 'm': {'x': 1e126}}", &format!("{overflow}.x")),
            ("INSERT INTO numbers VALUE {'id': 1, 'l': [1, 1e126]}", &format!("{overflow}[1]")),
            ("INSERT INTO plain VALUE {'id': 'a', 's': <<>>}", "Empty bags are not supported"),
            ("INSERT INTO plain VALUE {'id': 'a', 's': <<1, 'a'>>}", in_bags),
            ("INSERT INTO plain VALUE {'id': 'a', 's': <<'x', 'x'>>}", repeated),
            (
                "INSERT INTO plain VALUE {'id': 'a', 's': <<2, 2.0>>}",
                "One or more parameter values were invalid: Input collection [2, 2.0] contains \
                 duplicates! under root",
            ),
            (
                "INSERT INTO plain VALUE {'id': 'a', 's': set_add(<<'a'>>, <<'b'>>)}",
                "Unsupported data type: set_add under key root at 1:42:7",
            ),
            (
                "INSERT INTO plain VALUE {'id': 'a'} RETURNING ALL OLD *",
                "RETURNING is not supported in INSERT",
            ),
            (&deep, &too_deep),
        ],
    );
}

#[test]
fn parameters_fit_the_statement() {
    let world = World::new();
    let mismatch = "Number of parameters in request and statement don't match.";
    let one = r#""Parameters":[{"S":"v"}]"#;
    for (statement, parameters, expected) in [
        ("SELECT * FROM plain WHERE id = ? AND a = ?", one, mismatch),
        ("SELECT * FROM plain WHERE id = 'a'", one, mismatch),
        ("SELECT * FROM plain WHERE id = ?", "", mismatch),
        (
            "UPDATE plain SET x = [?] WHERE id = 'a'",
            one,
            "Unsupported data type: Parameter under key root[0] at 1:23:1",
        ),
        (
            "INSERT INTO plain VALUE {'id': 'a', 'm': {'k': ?}}",
            one,
            "Unsupported data type: Parameter under key root.k at 1:48:1",
        ),
        (
            "UPDATE plain SET WHERE",
            r#""Parameters":[{"SS":["a","a"]}]"#,
            "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
        ),
        (
            "SELECT * FROM plain WHERE id = ?",
            r#""Parameters":[{"N":""}]"#,
            "The parameter cannot be converted to a numeric value",
        ),
        (
            "SELECT * FROM plain WHERE id = ?",
            r#""Parameters":[]"#,
            "1 validation error detected: Value '[]' at 'parameters' failed to satisfy constraint: \
             Member must have length greater than or equal to 1",
        ),
    ] {
        assert_eq!(message(&execute(&world, statement, parameters)), expected, "{statement}");
    }
}
