//! ScavengerHunt, seed 001: teams hunt through levels, with messages, photos and coordinates.
//!
//! The seed prints no items but a table of key formats and access patterns. Both are kept here as
//! printed: formats make the rows, cells are the queries.

mod cells;

use monotable::dynamodb::{Consistency, Direction, GetItem, UpdateTimeToLive};
use monotable::{AttributeValue, Database, Item, item, number};

use self::cells::{check, query_of};
use crate::support::reading::{get, items, put_all, query_all, strings, upper_key};
use crate::support::stores::{START_SECONDS, TestDatabase, on_both_stores};
use crate::support::tables::create_table;

const TABLE: &str = "ScavengerHuntData-test";

/// The columns from `PK Format` to `GSI3SK Format`.
const FORMATS: [(&str, [&str; 8]); 8] = [
    ("GAME", ["GAME#{game_id}", "#METADATA", "-", "-", "-", "-", "-", "-"]),
    (
        "LEVEL",
        [
            "GAME#{game_id}",
            "LEVEL#{level_id}",
            "LEVEL#{level_id}",
            "GAME#{game_id}",
            "-",
            "-",
            "-",
            "-",
        ],
    ),
    ("TEAM", ["GAME#{game_id}", "TEAM#{team_id}", "-", "-", "-", "-", "-", "-"]),
    (
        "USER",
        ["TEAM#{team_id}", "USER#{user_id}", "USER#{user_id}", "#METADATA", "-", "-", "-", "-"],
    ),
    (
        "TEAM_LEVEL",
        [
            "TEAM#{team_id}",
            "LEVEL#{level_id}",
            "LEVEL#{level_id}",
            "TEAM#{team_id}",
            "-",
            "-",
            "-",
            "-",
        ],
    ),
    (
        "MESSAGE",
        [
            "USER#{user_id}",
            "MESSAGE#{ts}#{id}",
            "TEAM#{team_id}",
            "MESSAGE#{ts}#{id}",
            "GAME#{game_id}",
            "MESSAGE#{ts}#{id}",
            "LEVEL#{level_id}",
            "MESSAGE#{ts}#{id}",
        ],
    ),
    (
        "PHOTO",
        [
            "USER#{user_id}",
            "PHOTO#{ts}#{id}",
            "TEAM#{team_id}",
            "PHOTO#{ts}#{id}",
            "GAME#{game_id}",
            "PHOTO#{ts}#{id}",
            "LEVEL#{level_id}",
            "PHOTO#{ts}#{id}",
        ],
    ),
    (
        "COORDINATE_SNAPSHOT",
        [
            "USER#{user_id}",
            "COORDINATE_SNAPSHOT#{ts}#{id}",
            "TEAM#{team_id}",
            "COORDINATE_SNAPSHOT#{ts}#{id}",
            "-",
            "-",
            "-",
            "-",
        ],
    ),
];

const KEY_ATTRIBUTES: [&str; 8] =
    ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK"];

/// Replaces every `{name}` by its value.
fn fill(format: &str, values: &[(&str, &str)]) -> String {
    values
        .iter()
        .fold(format.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Returns a row of the hunt, with the common attributes and those its keys are made of.
fn row(item_type: &str, id: &str, values: &[(&str, &str)]) -> Item {
    let (_, formats) = FORMATS.iter().find(|(known, _)| *known == item_type).unwrap();
    let mut row = item! {
        "ItemType" => item_type,
        "id" => id,
        "created_at" => "2025-07-23T18:00:00Z",
        "updated_at" => "2025-07-23T18:00:00Z",
    };
    let with_id: Vec<(&str, &str)> = values.iter().copied().chain([("id", id)]).collect();
    for (name, value) in values.iter().filter(|(name, _)| *name != "ts") {
        row.insert((*name).to_owned(), (*value).into());
    }
    for (attribute, format) in KEY_ATTRIBUTES.iter().zip(formats) {
        if *format != "-" {
            row.insert((*attribute).to_owned(), fill(format, &with_id).into());
        }
    }
    row
}

/// Returns an event: who did what, where and when.
fn event(item_type: &str, id: &str, ts: &str, [user, team, level]: [&str; 3]) -> Item {
    let values =
        [("user_id", user), ("team_id", team), ("game_id", "g1"), ("level_id", level), ("ts", ts)];
    row(item_type, id, &values)
}

/// Loads game g1 with levels l1 and l2, teams t1 (users u1, u2) and t2 (user u3); and another game
/// g2.
fn load(db: &Database) {
    create_table(db, TABLE, ["PK", "SK"], 3);
    let game = |game| row("GAME", game, &[("game_id", game)]);
    let level = |game, level| row("LEVEL", level, &[("game_id", game), ("level_id", level)]);
    let team = |game, team| row("TEAM", team, &[("game_id", game), ("team_id", team)]);
    let user = |team, user| row("USER", user, &[("team_id", team), ("user_id", user)]);
    put_all(db, TABLE, [game("g1"), game("g2")]);
    put_all(db, TABLE, [level("g1", "l1"), level("g1", "l2"), level("g2", "l3")]);
    put_all(db, TABLE, [team("g1", "t1"), team("g1", "t2"), team("g2", "t3")]);
    put_all(db, TABLE, [user("t1", "u1"), user("t1", "u2"), user("t2", "u3")]);
    for (id, team, level, index) in
        [("tl1", "t1", "l1", 1), ("tl2", "t1", "l2", 0), ("tl3", "t2", "l1", 0)]
    {
        let mut team_level = row("TEAM_LEVEL", id, &[("team_id", team), ("level_id", level)]);
        team_level.insert("index".to_owned(), index.into());
        put_all(db, TABLE, [team_level]);
    }
    put_all(db, TABLE, events());
}

/// Not in the order of their times.
fn events() -> Vec<Item> {
    let (u1, u2, u3) = (["u1", "t1", "l1"], ["u2", "t1", "l1"], ["u3", "t2", "l2"]);
    vec![
        event("MESSAGE", "m4", "1753293900", ["u1", "t1", "l2"]),
        event("MESSAGE", "m1", "1753293600", u1),
        event("MESSAGE", "m2", "1753293600", u2),
        event("MESSAGE", "m3", "1753293700", u3),
        event("PHOTO", "p2", "1753293800", u3),
        event("PHOTO", "p1", "1753293650", u1),
        event("PHOTO", "p3", "1753293850", u2),
        coordinates("c2", "1753293660", u1, number!("35.30509"), number!("-120.6624960")),
        coordinates("c1", "1753293630", u1, number!("0"), number!("0")),
        coordinates("c3", "1753293640", u2, number!("-33.8567844"), number!("151.2152967")),
    ]
}

fn coordinates(
    id: &str,
    ts: &str,
    place: [&str; 3],
    latitude: impl Into<AttributeValue>,
    longitude: impl Into<AttributeValue>,
) -> Item {
    let mut snapshot = event("COORDINATE_SNAPSHOT", id, ts, place);
    snapshot.insert("latitude".to_owned(), latitude.into());
    snapshot.insert("longitude".to_owned(), longitude.into());
    snapshot
}

fn loaded(db: &TestDatabase) -> &Database {
    load(db);
    db
}

#[test]
fn every_kind_of_row_loads_verbatim() {
    on_both_stores(|db| {
        load(db);
        for row in events() {
            let key = item! { "PK" => row["PK"].clone(), "SK" => row["SK"].clone() };
            assert_eq!(get(db, TABLE, key), Some(row));
        }
    });
}

#[test]
fn coordinates_keep_every_digit() {
    on_both_stores(|db| {
        let key = upper_key("USER#u1", "COORDINATE_SNAPSHOT#1753293660#c2");
        let snapshot = get(loaded(db), TABLE, key).unwrap();
        assert_eq!(snapshot["latitude"].as_n().unwrap().to_string(), "35.30509");
        assert_eq!(snapshot["longitude"].as_n().unwrap().to_string(), "-120.662496");
    });
}

#[test]
fn a_level_alone_is_found_by_the_prefix_of_its_game() {
    on_both_stores(|db| {
        check(loaded(db), "QUERY_GSI1(GSI1PK=LEVEL#{level_id}, SK.begins_with(GAME#))", &["l1"]);
    });
}

#[test]
fn the_teams_of_a_level_are_found_by_their_prefix() {
    on_both_stores(|db| {
        let cell = "QUERY_GSI1(GSI1PK=LEVEL#{level_id}, SK.begins_with(TEAM#))";
        check(loaded(db), cell, &["tl1", "tl3"]);
    });
}

#[test]
fn feeds_read_newest_first_too() {
    on_both_stores(|db| {
        let feed = query_of("QUERY_GSI1(GSI1PK=TEAM#{team_id}, SK.begins_with(MESSAGE#))");
        let newest = query_all(loaded(db), feed.direction(Direction::Backward).limit(2u32));
        assert_eq!(strings(&newest, "id"), ["m4", "m2", "m1"]);
    });
}

#[test]
fn the_time_in_a_sort_key_bounds_a_feed() {
    on_both_stores(|db| {
        let since = query_of("QUERY(PK=USER#{user_id}, SK.begins_with(COORDINATE_SNAPSHOT#))")
            .key_condition("PK = :pk AND SK BETWEEN :sk AND :end")
            .value(":sk", "COORDINATE_SNAPSHOT#1753293650")
            .value(":end", "COORDINATE_SNAPSHOT#~");
        let page = loaded(db).query(since).unwrap();
        assert_eq!(strings(&items(page), "id"), ["c2"]);
    });
}

#[test]
fn base_reads_may_be_strong_and_index_reads_may_not() {
    on_both_stores(|db| {
        load(db);
        let strong =
            GetItem::new(TABLE, upper_key("GAME#g1", "#METADATA")).consistency(Consistency::Strong);
        assert!(db.get_item(strong).unwrap().item.is_some());
        let route = query_of("QUERY(PK=TEAM#{team_id}, SK.begins_with(LEVEL#))");
        assert_eq!(db.query(route.consistency(Consistency::Strong)).unwrap().count, 2);
        let teams = query_of("QUERY_GSI1(GSI1PK=LEVEL#{level_id})");
        let refused = db.query(teams.consistency(Consistency::Strong)).unwrap_err();
        assert_eq!(refused.code(), "ValidationException");
    });
}

#[test]
fn a_row_past_deleted_at_stays_until_it_is_swept_from_table_and_indexes() {
    on_both_stores(|db| {
        load(db);
        db.update_time_to_live(UpdateTimeToLive::enable(TABLE, "deleted_at")).unwrap();
        let mut message = event("MESSAGE", "m1", "1753293600", ["u1", "t1", "l1"]);
        message.insert("deleted_at".to_owned(), (START_SECONDS + 60).into());
        put_all(db, TABLE, [message]);
        let cells = [
            "QUERY(PK=USER#{user_id}, SK.begins_with(MESSAGE#))",
            "QUERY_GSI1(GSI1PK=TEAM#{team_id}, SK.begins_with(MESSAGE#))",
            "QUERY_GSI2(GSI2PK=GAME#{game_id}, SK.begins_with(MESSAGE#))",
            "QUERY_GSI3(GSI3PK=LEVEL#{level_id}, SK.begins_with(MESSAGE#))",
        ];
        let counts = || cells.map(|cell| db.query(query_of(cell)).unwrap().count);
        assert_eq!((db.sweep_expired().unwrap(), counts()), (0, [2, 3, 4, 2]));
        db.advance_seconds(61);
        assert_eq!(counts(), [2, 3, 4, 2]);
        assert_eq!((db.sweep_expired().unwrap(), counts()), (1, [1, 2, 3, 1]));
    });
}
