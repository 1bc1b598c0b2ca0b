//! Plans by example, for a table with the keys `pk` and `sk`.

use expect_test::{Expect, expect};
use monotable_engine::{CreateTable, Database};

use super::*;
use crate::partiql::bind::Bound;
use crate::partiql::parser::parse;

/// Compares the plan for a table with the keys `pk` and `sk`, both strings.
fn check(statement: &str, expected: Expect) {
    let database = Database::memory();
    let table = CreateTable::new("teams").partition_key("pk", "S").unwrap();
    database.create_table(table.sort_key("sk", "S").unwrap()).unwrap();
    let keys = database.key_schema("teams", None).unwrap();
    let Bound::Select(select) = parse(statement).unwrap().bind(&[]).unwrap() else {
        panic!("{statement} is a SELECT");
    };
    let shown = match PlanKeys::of(&keys).unwrap().plan(&select, &keys) {
        Err(failure) => failure.message().unwrap_or_default(),
        Ok(Plan::Scan) => "scan".to_owned(),
        Ok(Plan::Ranges(ranges, direction)) => {
            let ranges: Vec<String> = ranges
                .iter()
                .map(|range| format!("{:?} {:?}", range.partition, range.test))
                .collect();
            format!("{direction:?}\n{}", ranges.join("\n"))
        }
    };
    expected.assert_eq(&shown);
}

#[test]
fn one_partition_is_read_with_its_narrowest_range() {
    check(
        "SELECT * FROM teams WHERE pk = 'a'",
        expect![[r#"
        Forward
        S("a") None"#]],
    );
    check(
        "SELECT * FROM teams WHERE x = 1 AND sk > '1' AND sk = '2' AND pk = 'a'",
        expect![[r#"
        Forward
        S("a") Some(Eq(S("2")))"#]],
    );
    check(
        "SELECT * FROM teams WHERE pk = 'a' AND sk <> '2'",
        expect![[r#"
        Forward
        S("a") None"#]],
    );
}

#[test]
fn one_range_for_each_branch() {
    check(
        "SELECT * FROM teams WHERE pk IN ['b', 'a'] AND sk IN ['2', '1']",
        expect![[r#"
        Forward
        S("b") Some(Eq(S("1")))
        S("b") Some(Eq(S("2")))
        S("a") Some(Eq(S("1")))
        S("a") Some(Eq(S("2")))"#]],
    );
    check(
        "SELECT * FROM teams WHERE pk = 'b' AND sk < '2' OR pk = 'a' AND (sk = '1' OR sk > '5')",
        expect![[r#"
            Forward
            S("b") Some(Lt(S("2")))
            S("a") Some(Eq(S("1")))
            S("a") Some(Gt(S("5")))"#]],
    );
    check(
        "SELECT * FROM teams WHERE pk = 'a' OR pk = 'a' AND NOT sk = '1'",
        expect![[r#"
        Forward
        S("a") None"#]],
    );
}

#[test]
fn branches_that_overlap_are_read_once() {
    check(
        "SELECT * FROM teams WHERE pk = 'a' AND sk <> '2' OR pk = 'b' OR pk = 'b' AND sk > '1'",
        expect![[r#"
            Forward
            S("a") None
            S("b") None"#]],
    );
    check(
        "SELECT * FROM teams WHERE pk = 'a' AND sk <> '2' OR pk = 'b' AND sk IN ['1', '3']",
        expect![[r#"
            Forward
            S("a") None
            S("b") Some(Eq(S("1")))
            S("b") Some(Eq(S("3")))"#]],
    );
}

#[test]
fn conditions_without_a_partition_scan() {
    check("SELECT * FROM teams", expect!["scan"]);
    check("SELECT * FROM teams WHERE pk > 'a'", expect!["scan"]);
    check("SELECT * FROM teams WHERE pk = 'a' OR x = 1", expect!["scan"]);
    check("SELECT * FROM teams WHERE NOT pk = 'a'", expect!["scan"]);
    check("SELECT * FROM teams WHERE pk = 'a' AND pk = 'b'", expect!["scan"]);
}

#[test]
fn ranges_follow_the_requested_order() {
    check(
        "SELECT * FROM teams WHERE pk IN ['a', 'b'] AND sk IN ['1', '2'] ORDER BY pk DESC, sk DESC",
        expect![[r#"
            Backward
            S("b") Some(Eq(S("2")))
            S("b") Some(Eq(S("1")))
            S("a") Some(Eq(S("2")))
            S("a") Some(Eq(S("1")))"#]],
    );
}
