//! PartiQL statements: run or refused.

use monotable_wire::Operation;

use crate::endpoint;

/// The bytes are a statement with three parameters.
pub fn check(bytes: &[u8]) {
    let statement = serde_json::Value::from(String::from_utf8_lossy(bytes));
    let parameters = match bytes.len() % 2 {
        0 => "",
        _ => r#","Parameters":[{"S":"p"},{"N":"1"},{"S":"x"}]"#,
    };
    let body = format!(r#"{{"Statement":{statement}{parameters}}}"#);
    endpoint::call(Operation::ExecuteStatement, body.as_bytes());
}

/// Every form of statement.
pub fn seeds() -> Vec<Vec<u8>> {
    [
        r#"SELECT * FROM "tab" WHERE pk = 'p' AND sk BETWEEN 0 AND 2"#,
        r#"SELECT a, l[1] FROM "tab"."index" WHERE a = ? AND (begins_with(pk, 'p') OR NOT a IN ['x', 'y'])"#,
        r#"INSERT INTO "tab" VALUE {'pk': ?, 'sk': ?, 'm': {'l': [1, true, NULL], 's': <<'a', 'b'>>}}"#,
        r#"UPDATE "tab" SET c = c + 1, l = list_append(l, [?]) REMOVE a WHERE pk = 'p' AND sk = 1 RETURNING ALL NEW *"#,
        r#"DELETE FROM "tab" WHERE pk = 'p' AND sk = 2 AND size(l) > 1 RETURNING ALL OLD *"#,
        r#"SELECT "a" FROM tab WHERE attribute_type(l, 'L') AND contains(l, 'two') AND b IS MISSING ORDER BY sk DESC"#,
    ]
    .map(|statement| statement.as_bytes().to_vec())
    .to_vec()
}
