//! The cells of the column "Primary Access Patterns", as printed, and what they return of the hunt.
//!
//! The seed prints nineteen; the spec counts "level by id alone", which the index formats of LEVEL
//! promise, as the twentieth.

use monotable::Database;
use monotable::dynamodb::Query;

use super::{TABLE, fill, load};
use crate::support::reading::{get, items, strings, upper_key};
use crate::support::stores::on_both_stores;

/// The subjects of the queries in the cells.
const BINDINGS: [(&str, &str); 4] =
    [("game_id", "g1"), ("level_id", "l1"), ("team_id", "t1"), ("user_id", "u1")];

/// A cell taken apart: `QUERY_GSI1(GSI1PK=TEAM#{team_id}, SK.begins_with(MESSAGE#))`.
struct Cell {
    operation: String,
    partition: String,
    sort: Option<String>,
}

impl Cell {
    fn parse(cell: &str) -> Self {
        let filled = fill(cell, &BINDINGS);
        let (operation, arguments) = filled.split_once('(').unwrap();
        let arguments = arguments.strip_suffix(')').unwrap();
        let (partition, sort) = match arguments.split_once(", ") {
            Some((partition, sort)) => (partition, Some(sort)),
            None => (arguments, None),
        };
        Self {
            operation: operation.to_owned(),
            partition: partition.split_once('=').unwrap().1.to_owned(),
            sort: sort.map(str::to_owned),
        }
    }
}

/// Returns the query that a cell describes.
pub(super) fn query_of(cell: &str) -> Query {
    let Cell { operation, partition, sort } = Cell::parse(cell);
    let index = operation.strip_prefix("QUERY").unwrap().strip_prefix('_');
    let [partition_key, sort_key] =
        ["PK", "SK"].map(|key| format!("{}{key}", index.unwrap_or_default()));
    let mut query = match index {
        Some(index) => Query::new(TABLE).index(index),
        None => Query::new(TABLE),
    };
    query = query.value(":pk", partition);
    let Some(sort) = sort else {
        return query.key_condition(format!("{partition_key} = :pk"));
    };
    let prefix = sort.strip_prefix("SK.begins_with(").unwrap().strip_suffix(')').unwrap();
    query
        .key_condition(format!("{partition_key} = :pk AND begins_with({sort_key}, :sk)"))
        .value(":sk", prefix)
}

/// Runs a cell; the rows it returns have these ids, in this order.
pub(super) fn check(db: &Database, cell: &str, ids: &[&str]) {
    let found = match Cell::parse(cell) {
        Cell { operation, partition, sort } if operation == "GET_ITEM" => {
            let sort = sort.unwrap().strip_prefix("SK=").unwrap().to_owned();
            get(db, TABLE, upper_key(partition, sort)).into_iter().collect()
        }
        _ => items(db.query(query_of(cell)).unwrap()),
    };
    assert_eq!(strings(&found, "id"), ids, "{cell}");
}

/// Runs the cells of one line of the seed's table; every row is of the line's type.
fn check_line(item_type: &str, cells: &[(&str, &[&str])]) {
    on_both_stores(|db| {
        load(db);
        for (cell, ids) in cells {
            check(db, cell, ids);
            if cell.starts_with("QUERY") {
                let types = strings(&items(db.query(query_of(cell)).unwrap()), "ItemType");
                assert!(types.iter().all(|found| found == item_type), "{cell}: {types:?}");
            }
        }
    });
}

#[test]
fn game_is_got_by_its_key() {
    check_line("GAME", &[("GET_ITEM(PK=GAME#{game_id}, SK=#METADATA)", &["g1"])]);
}

#[test]
fn levels_are_those_of_the_game() {
    check_line(
        "LEVEL",
        &[
            ("QUERY(PK=GAME#{game_id}, SK.begins_with(LEVEL#))", &["l1", "l2"]),
            ("GET_ITEM(PK=GAME#{game_id}, SK=LEVEL#{level_id})", &["l1"]),
        ],
    );
}

#[test]
fn teams_are_those_of_the_game() {
    check_line(
        "TEAM",
        &[
            ("QUERY(PK=GAME#{game_id}, SK.begins_with(TEAM#))", &["t1", "t2"]),
            ("GET_ITEM(PK=GAME#{game_id}, SK=TEAM#{team_id})", &["t1"]),
        ],
    );
}

#[test]
fn users_are_those_of_the_team_or_the_one_with_the_id() {
    check_line(
        "USER",
        &[
            ("QUERY(PK=TEAM#{team_id}, SK.begins_with(USER#))", &["u1", "u2"]),
            ("QUERY_GSI1(GSI1PK=USER#{user_id})", &["u1"]),
        ],
    );
}

#[test]
fn team_levels_are_the_route_of_the_team() {
    check_line(
        "TEAM_LEVEL",
        &[("QUERY(PK=TEAM#{team_id}, SK.begins_with(LEVEL#))", &["tl1", "tl2"])],
    );
}

#[test]
fn a_level_without_a_prefix_returns_the_level_and_the_teams_on_it() {
    on_both_stores(|db| {
        load(db);
        let cell = "QUERY_GSI1(GSI1PK=LEVEL#{level_id})";
        check(db, cell, &["l1", "tl1", "tl3"]);
        let types = strings(&items(db.query(query_of(cell)).unwrap()), "ItemType");
        assert_eq!(types, ["LEVEL", "TEAM_LEVEL", "TEAM_LEVEL"]);
    });
}

#[test]
fn messages_are_those_of_user_team_game_and_level_in_time_order() {
    check_line(
        "MESSAGE",
        &[
            ("QUERY(PK=USER#{user_id}, SK.begins_with(MESSAGE#))", &["m1", "m4"]),
            ("QUERY_GSI1(GSI1PK=TEAM#{team_id}, SK.begins_with(MESSAGE#))", &["m1", "m2", "m4"]),
            (
                "QUERY_GSI2(GSI2PK=GAME#{game_id}, SK.begins_with(MESSAGE#))",
                &["m1", "m2", "m3", "m4"],
            ),
            ("QUERY_GSI3(GSI3PK=LEVEL#{level_id}, SK.begins_with(MESSAGE#))", &["m1", "m2"]),
        ],
    );
}

#[test]
fn photos_are_those_of_user_team_game_and_level_in_time_order() {
    check_line(
        "PHOTO",
        &[
            ("QUERY(PK=USER#{user_id}, SK.begins_with(PHOTO#))", &["p1"]),
            ("QUERY_GSI1(GSI1PK=TEAM#{team_id}, SK.begins_with(PHOTO#))", &["p1", "p3"]),
            ("QUERY_GSI2(GSI2PK=GAME#{game_id}, SK.begins_with(PHOTO#))", &["p1", "p2", "p3"]),
            ("QUERY_GSI3(GSI3PK=LEVEL#{level_id}, SK.begins_with(PHOTO#))", &["p1", "p3"]),
        ],
    );
}

#[test]
fn coordinates_are_those_of_user_and_team_in_time_order() {
    check_line(
        "COORDINATE_SNAPSHOT",
        &[
            ("QUERY(PK=USER#{user_id}, SK.begins_with(COORDINATE_SNAPSHOT#))", &["c1", "c2"]),
            (
                "QUERY_GSI1(GSI1PK=TEAM#{team_id}, SK.begins_with(COORDINATE_SNAPSHOT#))",
                &["c1", "c3", "c2"],
            ),
        ],
    );
}
