//! AWS's messages for statements that a table does not support.

use super::{check_messages, execute, league, message};
use crate::fixture::World;

const KEY_MISSING: &str =
    "Where clause does not contain a mandatory equality on all key attributes";

#[test]
fn updates_change_each_path_once() {
    let world = World::new();
    execute(&world, "INSERT INTO plain VALUE {'id': 'a', 'ss': <<'a'>>, 's': 'x', 'n': 1}", "");
    let wrong_type = "An operand in the update expression has an incorrect data type";
    let update = |action: &str| format!("UPDATE plain SET {action} WHERE id = 'a'");
    for (action, expected) in [
        (
            "t = set_add(ss, <<'x'>>)",
            "The first argument to SET_ADD must equal the assignment value at 1:22:7",
        ),
        (
            "ss = set_add(<<'a'>>, <<'b'>>)",
            "The first argument to SET_ADD must equal the assignment value at 1:23:7",
        ),
        (
            "ss = set_add(ss, 'x')",
            "The second argument to SET_ADD must be a value with type SET at 1:31:2",
        ),
        (
            "\"ss\" = set_delete(\"ss\", ['x'])",
            "The second argument to SET_DELETE must be a value with type SET at 1:36:4",
        ),
        ("ss = set_add(ss)", "SET_ADD must have exactly two arguments at 1:23:7"),
        ("ss = set_add(ss, <<1>>)", wrong_type),
        ("s = set_add(s, <<'x'>>)", wrong_type),
        ("ss = set_delete(ss, <<1>>)", wrong_type),
        ("ss = set_add(ss, <<>>)", "Empty bags are not supported"),
        (
            "n = 'a' + 1",
            "Incorrect operand type for operator or function; operator or function: +, operand \
             type: S",
        ),
        (
            "n = n - null",
            "Incorrect operand type for operator or function; operator or function: -, operand \
             type: NULL",
        ),
        (
            "fresh = list_append(fresh, [1])",
            "The provided expression refers to an attribute that does not exist in the item",
        ),
        (
            "m.a = 1, m = 2",
            "Two document paths overlap with each other; must remove or rewrite one of these \
             paths; path one: [m], path two: [m, a]",
        ),
        (
            "id = 'b'",
            "One or more parameter values were invalid: Cannot update attribute id. This attribute \
             is part of the key",
        ),
        ("n = if_not_exists(n, 0)", "Unrecognized function: if_not_exists at 1:22:13"),
    ] {
        let statement = update(action);
        assert_eq!(message(&execute(&world, &statement, "")), expected, "{statement}");
    }
}

#[test]
fn writes_name_one_item() {
    let mismatch = "Key attribute's data type should match its data type in table's schema: Key SK";
    check_messages(
        &league(),
        &[
            ("UPDATE league SET a = 1 WHERE PK = 'T'", KEY_MISSING),
            ("UPDATE league SET a = 1 WHERE PK = 'T' AND SK > '1'", KEY_MISSING),
            ("UPDATE league SET a = 1 WHERE PK IN ['T'] AND SK = '1'", KEY_MISSING),
            ("UPDATE league SET a = 1 WHERE PK = 'T' OR SK = '1'", KEY_MISSING),
            ("DELETE FROM league WHERE name = 'x'", KEY_MISSING),
            ("FROM plain SET c = 1", KEY_MISSING),
            ("FROM plain REMOVE a", KEY_MISSING),
            ("FROM plain WHERE a = 1 SET c = 1", KEY_MISSING),
            (
                "UPDATE league SET a = 1 WHERE PK = 'T' AND SK = '1' AND PK = 'U'",
                "Multiple conditions on same key PK. Only single item Update/Insert/Delete are \
                 supported",
            ),
            ("DELETE FROM league WHERE PK = 'T' AND SK = 1", mismatch),
            ("INSERT INTO league VALUE {'PK': 'T', 'SK': 1}", mismatch),
            (
                "INSERT INTO league VALUE {'PK': 'T'}",
                "Key attribute should be present in the item: Key SK",
            ),
            (
                "DELETE FROM plain WHERE id = 'x' RETURNING MODIFIED OLD *",
                "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is \
                 allowed in DELETE statements.",
            ),
            (
                "EXISTS(SELECT * FROM plain WHERE id = 'x' AND a = 1)",
                "EXISTS can only be used in ExecuteTransaction write requests.",
            ),
        ],
    );
}

#[test]
fn reads_that_overlap_or_are_too_many_are_refused() {
    let overlap = "Overlapping conditions with range keys are not supported in where clause";
    let pk = "Key attribute's data type should match its data type in table's schema: Key PK";
    let sk = "Key attribute's data type should match its data type in table's schema: Key SK";
    let values =
        |count: usize| (0..count).map(|value| format!("'v{value}'")).collect::<Vec<_>>().join(",");
    let select = |condition: &str| format!("SELECT SK FROM league WHERE {condition}");
    let too_many = "Too many decomposed read operations for a given query.";
    let operands = "The IN operator is provided with too many operands; number of operands: 101";
    let world = league();
    for (condition, expected) in [
        ("PK IN ['T', 'T']".to_owned(), overlap),
        ("PK = 'T' OR PK = 'T'".to_owned(), overlap),
        ("PK = 'T' AND (SK > '0' OR SK < '5')".to_owned(), overlap),
        ("PK = 'T' AND (SK = '1' OR flag = 'two')".to_owned(), overlap),
        ("PK = 'T' AND x <> '1' OR PK = 'T' AND SK = '2'".to_owned(), overlap),
        ("PK = 1 OR PK = 'T'".to_owned(), pk),
        ("PK = 'T' AND SK IN ['1', 2]".to_owned(), sk),
        (
            "PK = true".to_owned(),
            "Key value must be of type S, N, or B. Key name: PK, Key type: BOOL",
        ),
        (format!("PK IN [{}]", values(51)), too_many),
        (format!("PK = 'T' AND SK IN [{}]", values(51)), too_many),
        (format!("PK IN [{}] AND SK IN ['1', '2']", values(26)), too_many),
        (format!("PK = 'T' AND flag IN [{}]", values(101)), operands),
    ] {
        let statement = select(&condition);
        assert_eq!(message(&execute(&world, &statement, "")), expected, "{statement}");
    }
    for condition in [
        format!("PK IN [{}] AND flag IN [{}]", values(50), values(100)),
        format!("PK IN [{}] OR flag = 'one'", values(51)),
    ] {
        let response = execute(&world, &select(&condition), "");
        assert_eq!(response, r#"{"Items":[]}"#, "{condition}");
    }
}

#[test]
fn an_order_needs_the_keys() {
    check_messages(
        &league(),
        &[
            (
                "SELECT SK FROM league ORDER BY SK",
                "Must have WHERE clause in the statement when using ORDER BY clause.",
            ),
            (
                "SELECT SK FROM league WHERE PK = 'T' ORDER BY score DESC",
                "Attribute score in ORDER BY clause must be part of the primary key",
            ),
            (
                "SELECT SK FROM league WHERE PK > 'a' ORDER BY SK",
                "Must have at least one non-optional hash key condition in WHERE clause when using \
                 ORDER BY clause.",
            ),
            (
                "SELECT SK FROM league WHERE PK IN ['T', 'U'] ORDER BY SK DESC",
                "Must have hash key in ORDER BY clause when more than one hash key condition \
                 specified in WHERE clause.",
            ),
        ],
    );
}

#[test]
fn indexes_return_projected_attributes() {
    let unprojected = |names: &str| {
        format!(
            "One or more parameter values were invalid: Secondary index by-name does not project \
             one or more filter attributes: [{names}]"
        )
    };
    let select =
        |condition: &str| format!("SELECT PK FROM \"league\".\"by-name\" WHERE {condition}");
    let world = league();
    for (condition, names) in [
        ("name = 'p' AND score = 1", "score"),
        ("name = 'p' AND score IS MISSING", "score"),
        ("name = 'p' AND NOT (score = 1 OR SK = 'x')", "score"),
        ("name IN ['p', 'q'] AND begins_with(city, 'G')", "city"),
        ("name = 'p' AND b = '1' AND (a = '2' OR SK = '3')", "a, b"),
        ("name = 'p' AND (zz = '1' OR aa = '2' OR mm = '3')", "zz, aa, mm"),
        ("(name = 'q' AND u1 = 1) OR (name = 'b' AND u2 = 1)", "u1"),
        ("(name = 'b' AND u1 = 1) OR (name = 'q' AND u2 = 1)", "u2"),
    ] {
        let statement = select(condition);
        let expected = unprojected(names);
        assert_eq!(message(&execute(&world, &statement, "")), expected, "{statement}");
    }
    for condition in [
        "score = 1",
        "name > 'a' AND score = 1",
        "(name = 'y' AND SK = '1') OR (name = 'z' AND score = 1)",
        "name = 'y' AND (name = 'z' OR score = 1)",
    ] {
        assert_eq!(execute(&world, &select(condition), ""), r#"{"Items":[]}"#, "{condition}");
    }
    check_messages(
        &world,
        &[(
            r#"SELECT city, score FROM "league"."by-name""#,
            "One or more parameter values were invalid: Global secondary index by-name does not \
             project [city, score]",
        )],
    );
    let strong = execute(
        &world,
        r#"SELECT * FROM "league"."by-city" WHERE city = 'Graz'"#,
        r#""ConsistentRead":true"#,
    );
    let expected = "Strongly consistent read is not supported on Global Secondary Indexes";
    assert_eq!(message(&strong), expected);
}

#[test]
fn an_index_with_many_keys_is_not_read() {
    let world = World::new();
    world.answer(
        "CreateTable",
        r#"{"TableName":"many","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},
                {"AttributeName":"h1","AttributeType":"S"},{"AttributeName":"h2","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
            "GlobalSecondaryIndexes":[{"IndexName":"gsi","Projection":{"ProjectionType":"ALL"},
                "KeySchema":[{"AttributeName":"h1","KeyType":"HASH"},
                    {"AttributeName":"h2","KeyType":"HASH"}]}]}"#,
    );
    let refused = "PartiQL statements cannot be executed on tables with multi-attribute HASH keys \
                   or multi-attribute RANGE keys.";
    check_messages(
        &world,
        &[
            ("SELECT * FROM many.gsi WHERE h1 = 'a'", refused),
            ("SELECT * FROM many.gsi WHERE h1 = 5", refused),
            ("SELECT COUNT(*) FROM many.gsi", refused),
            ("SELECT id FROM many.gsi WHERE h1 = 'a' ORDER BY r1 DESC", refused),
            ("SELECT * FROM many WHERE id = 'a'", r#"{"Items":[]}"#),
        ],
    );
}

#[test]
fn requests_are_bounded() {
    let world = World::new();
    let long = format!("SELECT * FROM plain WHERE id = '{}'", "x".repeat(8192));
    assert!(message(&execute(&world, &long, "")).ends_with("length less than or equal to 8192"));
    let refusal = |path: &str, value: &str, rule: &str| {
        format!(
            "1 validation error detected: Value {value} at '{path}' failed to satisfy constraint: \
             Member must {rule}"
        )
    };
    let statement = "SELECT * FROM plain";
    for (rest, expected) in [
        (r#""Limit":0"#, refusal("limit", "'0'", "have value greater than or equal to 1")),
        (r#""NextToken":"""#, refusal("nextToken", "''", "have length greater than or equal to 1")),
        (
            r#""ReturnConsumedCapacity":"x""#,
            refusal(
                "returnConsumedCapacity",
                "'x'",
                "satisfy enum value set: [INDEXES, TOTAL, NONE]",
            ),
        ),
    ] {
        assert_eq!(message(&execute(&world, statement, rest)), expected, "{rest}");
    }
    let empty = execute(&world, "", "");
    assert_eq!(
        message(&empty),
        refusal("statement", "''", "have length greater than or equal to 1")
    );
    let missing = world.call("ExecuteStatement", b"{}");
    assert_eq!(message(&missing), refusal("statement", "null", "not be null"));
}
