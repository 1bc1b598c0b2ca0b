//! What a `SELECT` finds and returns.

use expect_test::{Expect, expect};

use super::{execute, items, league, players};
use crate::fixture::World;

#[track_caller]
fn check(statement: &str, expected: Expect) {
    expected.assert_eq(&items(&league(), statement));
}

#[test]
fn a_star_returns_whole_items_and_a_list_returns_parts_by_their_last_name() {
    check(
        r#"SELECT * FROM "league" WHERE PK = 'T' AND SK = '1'"#,
        expect![[
            r#"[{"PK":{"S":"T"},"SK":{"S":"1"},"city":{"S":"Graz"},"info":{"M":{"bits":{"L":[{"S":"x"}]},"rank":{"N":"1"}}},"name":{"S":"p1"},"score":{"N":"10"}}]"#
        ]],
    );
    check(
        r#"select SK, info.rank, "info".bits[0], nothing from league where PK = 'T' and SK < '2'"#,
        expect![[r#"[{"SK":{"S":"1"},"bits[0]":{"S":"x"},"rank":{"N":"1"}}]"#]],
    );
}

#[test]
fn keys_narrow_what_is_read() {
    let world = league();
    for (condition, expected) in [
        ("PK = 'T'", "[1,2,3]"),
        ("'T' = PK AND '2' <= SK", "[2,3]"),
        ("PK = 'T' AND SK = '2'", "[2]"),
        ("PK = 'T' AND SK BETWEEN '2' AND '3'", "[2,3]"),
        ("PK = 'T' AND begins_with(SK, '3')", "[3]"),
        ("PK = 'T' AND SK > '1' AND SK < '3'", "[2]"),
        ("PK = 'T' AND (SK = '3' OR SK = '1')", "[1,3]"),
        ("PK = 'T' AND SK IN ['3', '1']", "[1,3]"),
        ("PK IN ('T', 'U') AND SK > '1'", "[2,3]"),
        ("PK IN ['T']", "[1,2,3]"),
        ("PK = 'T' AND SK = '1' OR PK = 'T' AND SK = '3'", "[1,3]"),
        ("PK = 'T' AND PK = 'U'", "[]"),
        ("PK = 'T' AND SK = '1' AND SK > '1'", "[]"),
        ("PK > 1", "[]"),
        ("PK = 'T' OR SK = '9'", "[1,2,3]"),
    ] {
        assert_eq!(players(&world, condition), expected, "{condition}");
    }
}

#[test]
fn branches_that_exclude_sort_keys_may_overlap() {
    let world = league();
    for (condition, expected) in [
        ("PK = 'T' AND NOT SK = '1' OR PK = 'T' AND SK = '2'", "[2,3]"),
        ("PK = 'T' AND SK <> '1' OR PK = 'T' AND SK = '2'", "[2,3]"),
        ("PK = 'T' AND NOT begins_with(SK, 'x') OR PK = 'T' AND SK = '2'", "[1,2,3]"),
        ("PK = 'T' AND NOT SK IN ['1', '3'] OR PK = 'T' AND SK = '2'", "[2]"),
        ("PK = 'T' OR PK = 'T' AND NOT SK = '1'", "[1,2,3]"),
    ] {
        assert_eq!(players(&world, condition), expected, "{condition}");
    }
}

#[test]
fn conditions_mean_what_expressions_mean() {
    let world = league();
    for (condition, expected) in [
        ("score > 10", "[2,3]"),
        ("NOT score > 10", "[1]"),
        ("score <> 10 AND score != 30", "[2]"),
        ("score BETWEEN 1e1 AND +20.0", "[1,2]"),
        ("score NOT BETWEEN 10 AND 20", "[3]"),
        ("score IN [10, 30]", "[1,3]"),
        ("score NOT IN <<10, 30>>", "[2]"),
        ("score IN (10)", "[1]"),
        ("info.rank = 3 OR info.bits[0] = 'y'", "[3]"),
        ("info['rank'] = 3", "[3]"),
        ("nothing IS MISSING AND name IS NOT MISSING", "[1,2,3]"),
        ("name IS STRING AND score IS NUMERIC AND info IS STRUCT", "[1,2,3]"),
        ("name IS NULL", "[]"),
        ("nothing IS NOT NULL", "[1,2,3]"),
        ("attribute_exists(info.rank) AND attribute_not_exists(info.x)", "[1,2,3]"),
        ("attribute_type(name, 'S') AND SIZE(name) = 2", "[1,2,3]"),
        ("contains(name, '2')", "[2]"),
        ("NOT contains(name, '2') = true", "[1,3]"),
        ("(score = 10 OR score = 20) = false", "[3]"),
        ("attribute_exists(nothing) = attribute_exists(never)", "[1,2,3]"),
        ("attribute_exists(name) <> 1", "[1,2,3]"),
        ("attribute_exists(name) = 1", "[]"),
        ("attribute_exists(name) IN [true, false]", "[1,2,3]"),
        ("score = - - 10", "[1]"),
        ("info = {'rank': 1, 'bits': ['x']}", "[1]"),
        ("score = name", "[]"),
    ] {
        let condition = format!("PK = 'T' AND ({condition})");
        assert_eq!(players(&world, &condition), expected, "{condition}");
    }
}

#[test]
fn results_are_ordered_by_key() {
    let world = league();
    world.put("league", r#"{"PK":{"S":"U"},"SK":{"S":"8"}}"#);
    world.put("league", r#"{"PK":{"S":"U"},"SK":{"S":"9"}}"#);
    for (condition, expected) in [
        ("PK = 'T' ORDER BY SK DESC", "[3,2,1]"),
        ("PK = 'T' ORDER BY SK", "[1,2,3]"),
        ("PK = 'T' AND SK IN ['1', '3'] ORDER BY SK DESC", "[3,1]"),
        ("PK IN ['T', 'U'] ORDER BY PK DESC, SK ASC", "[8,9,1,2,3]"),
        // AWS reads backward where an `ORDER BY` leaves out the sort key.
        ("PK = 'T' ORDER BY PK ASC", "[3,2,1]"),
    ] {
        assert_eq!(players(&world, condition), expected, "{condition}");
    }
}

#[test]
fn indexes_are_read_by_their_keys_or_scanned() {
    check(
        r#"SELECT SK FROM "league"."by-city" WHERE city = 'Graz' AND score = 20"#,
        expect![[r#"[{"SK":{"S":"2"}}]"#]],
    );
    check(
        r#"SELECT SK FROM "league"."by-city" WHERE SK = '3'"#,
        expect![[r#"[{"SK":{"S":"3"}}]"#]],
    );
    check(
        r#"SELECT * FROM "league"."by-name" WHERE name = 'p1'"#,
        expect![[r#"[{"PK":{"S":"T"},"SK":{"S":"1"},"name":{"S":"p1"}}]"#]],
    );
    check(
        r#"SELECT SK FROM "league"."by-score" WHERE PK = 'T' AND score > 10 ORDER BY score DESC"#,
        expect![[r#"[{"SK":{"S":"3"}},{"SK":{"S":"2"}}]"#]],
    );
    // An attribute that the index lacks is missing for the condition.
    check(
        r#"SELECT SK FROM "league"."by-name" WHERE NOT score = 10"#,
        expect![[r#"[{"SK":{"S":"2"}},{"SK":{"S":"1"}},{"SK":{"S":"3"}}]"#]],
    );
    check(
        r#"SELECT SK FROM "league"."by-name" WHERE (name = 'p1' AND score = 10) OR (name = 'p2')"#,
        expect![[r#"[{"SK":{"S":"2"}}]"#]],
    );
}

#[test]
fn capacity_is_reported_for_the_whole_statement() {
    let world = league();
    let capacity = |statement, rest| {
        let rest = format!(r#""ReturnConsumedCapacity":"INDEXES"{rest}"#);
        let response = execute(&world, statement, &rest);
        response.split_once(r#""ConsumedCapacity":"#).unwrap().1.to_owned()
    };
    let table = "SELECT SK FROM league WHERE PK IN ['T', 'U']";
    expect![[r#"{"TableName":"league","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}}"#]]
        .assert_eq(&capacity(table, ""));
    expect![[r#"{"TableName":"league","CapacityUnits":2.0,"Table":{"CapacityUnits":2.0}}}"#]]
        .assert_eq(&capacity(table, r#","ConsistentRead":true"#));
    let index = r#"SELECT SK FROM league."by-city" WHERE city = 'Graz'"#;
    expect![[r#"{"TableName":"league","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},"GlobalSecondaryIndexes":{"by-city":{"CapacityUnits":0.5}}}}"#]].assert_eq(&capacity(index, ""));
}

#[test]
fn comments_and_a_semicolon_change_nothing() {
    let world = league();
    for statement in [
        "-- first\nSELECT/**/SK FROM league -- table\nWHERE PK/* key */= 'T' AND SK = '1' --",
        "SELECT SK FROM league WHERE PK = 'T' AND SK = '1'; -- done",
    ] {
        assert_eq!(items(&world, statement), r#"[{"SK":{"S":"1"}}]"#, "{statement}");
    }
}

#[test]
fn parameters_stand_for_values() {
    let response = execute(
        &league(),
        "SELECT SK FROM league WHERE PK = ? AND score IN [?, 30] AND name <> '?'",
        r#""Parameters":[{"S":"T"},{"N":"10"}]"#,
    );
    expect![[r#"{"Items":[{"SK":{"S":"1"}},{"SK":{"S":"3"}}]}"#]].assert_eq(&response);
}

#[test]
fn a_local_index_fetches_attributes_it_lacks() {
    let world = World::new();
    world.answer(
        "CreateTable",
        r#"{"TableName":"shelf","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"}],
            "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                {"AttributeName":"sk","KeyType":"RANGE"}],
            "LocalSecondaryIndexes":[{"IndexName":"by-at","Projection":{"ProjectionType":"KEYS_ONLY"},
                "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                    {"AttributeName":"at","KeyType":"RANGE"}]}]}"#,
    );
    for at in [1, 2, 3] {
        items(
            &world,
            &format!("INSERT INTO shelf VALUE {{'pk': 'p', 'sk': 's{at}', 'at': {at}, 'x': {at}}}"),
        );
    }
    let capacity = r#""ReturnConsumedCapacity":"INDEXES""#;
    let select = |columns: &str| {
        let statement =
            format!(r#"SELECT {columns} FROM "shelf"."by-at" WHERE pk = 'p' AND "at" > 1"#);
        execute(&world, &statement, capacity)
    };
    expect![[r#"{"Items":[{"at":{"N":"2"},"pk":{"S":"p"},"sk":{"S":"s2"}},{"at":{"N":"3"},"pk":{"S":"p"},"sk":{"S":"s3"}}],"ConsumedCapacity":{"TableName":"shelf","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},"LocalSecondaryIndexes":{"by-at":{"CapacityUnits":0.5}}}}"#]].assert_eq(&select("*"));
    expect![[r#"{"Items":[{"x":{"N":"2"}},{"x":{"N":"3"}}],"ConsumedCapacity":{"TableName":"shelf","CapacityUnits":1.5,"Table":{"CapacityUnits":1.0},"LocalSecondaryIndexes":{"by-at":{"CapacityUnits":0.5}}}}"#]].assert_eq(&select("x"));
    expect![[r#"{"Items":[{"sk":{"S":"s2"}},{"sk":{"S":"s3"}}],"ConsumedCapacity":{"TableName":"shelf","CapacityUnits":0.5,"Table":{"CapacityUnits":0.0},"LocalSecondaryIndexes":{"by-at":{"CapacityUnits":0.5}}}}"#]].assert_eq(&select("sk"));
    assert_eq!(items(&world, r#"SELECT sk FROM "shelf"."by-at" WHERE x = 1"#), "[]");
}
