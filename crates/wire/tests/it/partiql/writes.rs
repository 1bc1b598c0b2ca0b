//! What INSERT, UPDATE and DELETE change and return.

use expect_test::{Expect, expect};

use super::{execute, items, league, message};
use crate::fixture::World;

/// Runs statements in order, then shows the item with id `a`.
#[track_caller]
fn check(statements: &[&str], expected: Expect) {
    let world = World::new();
    for statement in statements {
        assert_eq!(items(&world, statement), "[]", "{statement}");
    }
    expected.assert_eq(&stored(&world));
}

fn stored(world: &World) -> String {
    world.answer("GetItem", r#"{"TableName":"plain","Key":{"id":{"S":"a"}}}"#)
}

#[test]
fn an_insert_takes_literals_of_every_kind() {
    check(
        &["INSERT INTO plain VALUE {'id': 'a', 'n': -1.50e1, 'm': {'x': {'y': []}}, 'l': [1, 'it''s'],
           's': <<'b', 'a'>>, 'ns': <<10, 2.5>>, 't': true, 'f': FALSE, 'z': null, 'e': ''}"],
        expect![[r#"{"Item":{"e":{"S":""},"f":{"BOOL":false},"id":{"S":"a"},"l":{"L":[{"N":"1"},{"S":"it's"}]},"m":{"M":{"x":{"M":{"y":{"L":[]}}}}},"n":{"N":"-15"},"ns":{"NS":["2.5","10"]},"s":{"SS":["a","b"]},"t":{"BOOL":true},"z":{"NULL":true}}}"#]],
    );
}

#[test]
fn a_number_keeps_all_its_digits() {
    check(
        &["INSERT INTO plain VALUE {'id': 'a', 'n': 12345678901234567890123456789012345678,
           'small': .1e-129}"],
        expect![[
            r#"{"Item":{"id":{"S":"a"},"n":{"N":"12345678901234567890123456789012345678"},"small":{"N":"0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"}}}"#
        ]],
    );
}

#[test]
fn a_second_insert_is_a_duplicate_until_the_item_is_gone() {
    let world = World::new();
    let insert = "INSERT INTO plain VALUE {'id': 'a'}";
    assert_eq!(items(&world, insert), "[]");
    expect![[r#"{"__type":"com.amazonaws.dynamodb.v20120810#DuplicateItemException","message":"Duplicate primary key exists in table"}"#]].assert_eq(&execute(&world, insert, ""));
    assert_eq!(items(&world, "DELETE FROM plain WHERE id = 'a'"), "[]");
    assert_eq!(items(&world, insert), "[]");
}

#[test]
fn an_update_sets_removes_adds_and_appends() {
    check(
        &[
            "INSERT INTO plain VALUE {'id': 'a', 'n': 5, 'l': [1], 'm': {}, 's': <<'x', 'y'>>,
             'gone': 1, 'all': <<1>>}",
            "UPDATE plain SET n = n + 100, m.k = [2020, <<'s'>>] SET l = list_append(l, [4])
             SET s = set_add(s, <<'z', 'x'>>) REMOVE gone SET fresh = SET_ADD(fresh, <<1>>)
             SET \"all\" = set_delete(\"all\", <<1>>), c = l WHERE id = 'a'",
            "UPDATE plain SET n=n-1, m.k[0] = 'first' SET s = set_delete(s, <<'y', 'q'>>) WHERE id='a'",
            "FROM plain WHERE id = 'a' AND n = 104 SET done = true REMOVE l[0], c[0]",
        ],
        expect![[
            r#"{"Item":{"c":{"L":[]},"done":{"BOOL":true},"fresh":{"NS":["1"]},"id":{"S":"a"},"l":{"L":[{"N":"4"}]},"m":{"M":{"k":{"L":[{"S":"first"},{"SS":["s"]}]}}},"n":{"N":"104"},"s":{"SS":["x","z"]}}}"#
        ]],
    );
}

#[test]
fn an_update_changes_only_existing_items_that_meet_its_condition() {
    let world = World::new();
    let failed = "The conditional request failed";
    let missing = execute(&world, "UPDATE plain SET n = 1 WHERE id = 'a'", "");
    assert_eq!(message(&missing), failed);
    items(&world, "INSERT INTO plain VALUE {'id': 'a', 'n': 1}");
    for condition in ["n = 2", "attribute_exists(x)", "attribute_not_exists(id)"] {
        let statement = format!("UPDATE plain SET n = 9 WHERE (id = 'a') AND {condition}");
        assert_eq!(message(&execute(&world, &statement, "")), failed, "{condition}");
    }
    let all_old = r#""ReturnValuesOnConditionCheckFailure":"ALL_OLD""#;
    let statement = "UPDATE plain SET n = 9 WHERE id = 'a' AND n = 2";
    expect![[r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"id":{"S":"a"},"n":{"N":"1"}}}"#]].assert_eq(&execute(&world, statement, all_old));
    expect![[r#"{"Item":{"id":{"S":"a"},"n":{"N":"1"}}}"#]].assert_eq(&stored(&world));
}

#[test]
fn a_delete_of_a_missing_item_succeeds_and_with_a_false_condition_fails() {
    let world = World::new();
    assert_eq!(items(&world, "DELETE FROM plain WHERE id = 'a' AND n = 1"), "[]");
    items(&world, "INSERT INTO plain VALUE {'id': 'a', 'n': 1}");
    let response = execute(&world, "DELETE FROM plain WHERE id = 'a' AND n = 2", "");
    assert_eq!(message(&response), "The conditional request failed");
    assert_eq!(items(&world, "DELETE FROM plain WHERE id = 'a' AND n = 1"), "[]");
    assert_eq!(stored(&world), "{}");
}

#[test]
fn returning_gives_the_item_or_what_changed_of_it() {
    let world = league();
    let update = "UPDATE league SET score = score + 1 WHERE PK = 'T' AND SK = '1' RETURNING";
    expect![[r#"[{"score":{"N":"10"}}]"#]]
        .assert_eq(&items(&world, &format!("{update} MODIFIED OLD *")));
    expect![[r#"[{"score":{"N":"12"}}]"#]]
        .assert_eq(&items(&world, &format!("{update} modified new *")));
    expect![[r#"[{"PK":{"S":"T"},"SK":{"S":"1"},"city":{"S":"Graz"},"info":{"M":{"bits":{"L":[{"S":"x"}]},"rank":{"N":"1"}}},"name":{"S":"p1"},"score":{"N":"12"}}]"#]].assert_eq(&items(&world, &format!("{update} ALL OLD *")));
    expect![[r#"[{"PK":{"S":"T"},"SK":{"S":"1"},"city":{"S":"Graz"},"info":{"M":{"bits":{"L":[{"S":"x"}]},"rank":{"N":"1"}}},"name":{"S":"p1"},"score":{"N":"14"}}]"#]].assert_eq(&items(&world, &format!("{update} ALL NEW *")));
    let remove = "UPDATE league REMOVE name WHERE PK = 'T' AND SK = '1' RETURNING MODIFIED NEW *";
    assert_eq!(items(&world, remove), "[]");
    let delete = "DELETE FROM league WHERE PK = 'T' AND SK = '2' RETURNING ALL OLD *";
    expect![[r#"[{"PK":{"S":"T"},"SK":{"S":"2"},"city":{"S":"Graz"},"info":{"M":{"bits":{"L":[{"S":"x"}]},"rank":{"N":"2"}}},"name":{"S":"p2"},"score":{"N":"20"}}]"#]].assert_eq(&items(&world, delete));
    assert_eq!(items(&world, delete), "[]");
}

#[test]
fn parameters_stand_for_whole_values() {
    let world = World::new();
    execute(
        &world,
        "INSERT INTO plain VALUE {'id': ?, 'b': ?}",
        r#""Parameters":[{"S":"a"},{"BS":["AQ=="]}]"#,
    );
    execute(
        &world,
        "UPDATE plain SET b = set_add(b, ?) SET m = ? WHERE id = ?",
        r#""Parameters":[{"BS":["Ag=="]},{"M":{"x":{"NULL":true}}},{"S":"a"}]"#,
    );
    expect![[
        r#"{"Item":{"b":{"BS":["AQ==","Ag=="]},"id":{"S":"a"},"m":{"M":{"x":{"NULL":true}}}}}"#
    ]]
    .assert_eq(&stored(&world));
    let insert = r#""Parameters":[{"M":{"id":{"S":"b"}}}]"#;
    assert_eq!(execute(&world, "INSERT INTO plain VALUE ?", insert), r#"{"Items":[]}"#);
}

#[test]
fn capacity_is_that_of_the_write() {
    let world = World::new();
    let insert = "INSERT INTO league VALUE {'PK': 'T', 'SK': '1', 'city': 'Graz', 'name': 'n'}";
    expect![[r#"{"Items":[],"ConsumedCapacity":{"TableName":"league","CapacityUnits":3.0,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"by-city":{"CapacityUnits":1.0},"by-name":{"CapacityUnits":1.0}}}}"#]].assert_eq(&execute(&world, insert, r#""ReturnConsumedCapacity":"INDEXES""#));
}
