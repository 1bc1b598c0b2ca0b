//! 3FC, seed 003: leagues, seasons, sessions and three-thirds football games.
//!
//! The seed prints no items but the key pattern of every entity and an envelope around its data.

use monotable::dynamodb::{
    Consistency, Error, GetItem, PutItem, Query, Result, TransactWriteItems, UpdateItem,
};
use monotable::{Database, Item, item};

use crate::support::reading::{get, items, lower_key, prefix_query, put_all, strings};
use crate::support::stores::on_both_stores;
use crate::support::tables::create_table;

const TABLE: &str = "3fc-test-app";

/// "Core Key Patterns", as printed.
const PATTERNS: [(&str, &str, &str); 12] = [
    ("league", "LEAGUE#{leagueId}", "METADATA"),
    ("season", "LEAGUE#{leagueId}", "SEASON#{seasonId}"),
    ("season mirror", "SEASON#{seasonId}", "METADATA"),
    ("team", "SEASON#{seasonId}", "TEAM#{teamId}"),
    ("session", "SEASON#{seasonId}", "SESSION#{sessionId}"),
    ("session mirror", "SESSION#{sessionId}", "METADATA"),
    ("game", "GAME#{gameId}", "METADATA"),
    ("goal", "GAME#{gameId}", "GOAL#{third}#{gameMinuteSortable}#{eventId}"),
    ("roster", "GAME#{gameId}", "ROSTER#{teamId}#{playerId}"),
    ("sessionGame", "SESSION#{sessionId}", "GAME#{gameStartTs}#{gameId}"),
    ("acl", "LEAGUE#{leagueId}", "ACL#USER#{userId}"),
    ("player", "PLAYER#{playerId}", "PROFILE"),
];

/// Returns the key of an entity, from its pattern.
fn key(entity: &str, values: &[(&str, &str)]) -> Item {
    let (_, partition, sort) = PATTERNS.iter().find(|(known, ..)| *known == entity).unwrap();
    let fill = |pattern: &str| {
        values.iter().fold(pattern.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        })
    };
    lower_key(fill(partition), fill(sort))
}

/// "Item Envelope": an entity in its row, its data as a JSON string.
fn envelope(entity: &str, values: &[(&str, &str)]) -> Item {
    let members: Vec<String> =
        values.iter().map(|(name, value)| format!("\"{name}\":\"{value}\"")).collect();
    let mut row = key(entity, values);
    row.extend(item! {
        "entityType" => entity.split(' ').next().unwrap(),
        "createdAt" => "2026-02-23T09:00:00.000Z",
        "updatedAt" => "2026-02-23T09:00:00.000Z",
        "data" => format!("{{{}}}", members.join(",")),
    });
    row
}

fn create(entity: &str, values: &[(&str, &str)]) -> PutItem {
    PutItem::new(TABLE, envelope(entity, values)).condition("attribute_not_exists(pk)")
}

/// An entity and its lookup mirror, both or neither.
fn create_with_mirror(db: &Database, entity: &str, values: &[(&str, &str)]) -> Result<()> {
    let transaction = TransactWriteItems::new()
        .action(create(entity, values))
        .action(create(&format!("{entity} mirror"), values));
    db.transact_write_items(transaction).map(drop)
}

fn list(partition: &str, prefix: &str) -> Query {
    prefix_query(TABLE, ["pk", "sk"], partition, prefix)
}

fn sorts(db: &Database, partition: &str, prefix: &str) -> Vec<String> {
    strings(&items(db.query(list(partition, prefix)).unwrap()), "sk")
}

/// League l1 with two seasons, grants, teams, sessions, and a game.
fn load(db: &Database) {
    create_table(db, TABLE, ["pk", "sk"], 0);
    let put = |entity, values: &[(&str, &str)]| db.put_item(create(entity, values)).map(drop);
    put("league", &[("leagueId", "l1")]).unwrap();
    for season in ["s1", "s2"] {
        create_with_mirror(db, "season", &[("leagueId", "l1"), ("seasonId", season)]).unwrap();
    }
    for user in ["u1", "u2"] {
        put("acl", &[("leagueId", "l1"), ("userId", user)]).unwrap();
    }
    for team in ["red", "blue", "yellow"] {
        put("team", &[("seasonId", "s1"), ("teamId", team)]).unwrap();
    }
    for session in ["20260301", "20260308"] {
        let values = [("seasonId", "s1"), ("sessionId", session)];
        create_with_mirror(db, "session", &values).unwrap();
    }
    put("game", &[("gameId", "g1")]).unwrap();
    put("player", &[("playerId", "p1")]).unwrap();
}

#[test]
fn a_row_of_every_key_pattern_loads_verbatim() {
    on_both_stores(|db| {
        create_table(db, TABLE, ["pk", "sk"], 0);
        for (entity, ..) in PATTERNS {
            // The patterns themselves are valid keys.
            let row = envelope(entity, &[]);
            put_all(db, TABLE, [row.clone()]);
            assert_eq!(get(db, TABLE, key(entity, &[])), Some(row));
        }
    });
}

#[test]
fn a_league_is_created_once_and_read() {
    on_both_stores(|db| {
        load(db);
        let league = [("leagueId", "l1")];
        assert_eq!(get(db, TABLE, key("league", &league)), Some(envelope("league", &league)));
        let again = db.put_item(create("league", &league)).unwrap_err();
        assert_eq!(again.code(), "ConditionalCheckFailedException");
    });
}

#[test]
fn seasons_of_a_league_are_listed_without_its_metadata_and_grants() {
    on_both_stores(|db| {
        load(db);
        assert_eq!(sorts(db, "LEAGUE#l1", "SEASON#"), ["SEASON#s1", "SEASON#s2"]);
        assert!(sorts(db, "LEAGUE#l2", "SEASON#").is_empty());
    });
}

#[test]
fn a_season_is_found_by_its_id_through_the_mirror() {
    on_both_stores(|db| {
        load(db);
        let mirror = get(db, TABLE, key("season mirror", &[("seasonId", "s1")])).unwrap();
        assert_eq!(mirror["data"], r#"{"leagueId":"l1","seasonId":"s1"}"#.into());
        assert_eq!(mirror["entityType"], "season".into());
    });
}

#[test]
fn a_season_id_of_another_league_leaves_neither_season_nor_mirror() {
    on_both_stores(|db| {
        load(db);
        let taken = [("leagueId", "l2"), ("seasonId", "s1")];
        let Err(Error::TransactionCanceled { reasons }) = create_with_mirror(db, "season", &taken)
        else {
            panic!("the season belongs to league l1");
        };
        let codes: Vec<&str> = reasons.iter().map(|reason| reason.code()).collect();
        assert_eq!(codes, ["None", "ConditionalCheckFailed"]);
        assert!(sorts(db, "LEAGUE#l2", "SEASON#").is_empty());
        let mirror = get(db, TABLE, key("season mirror", &[("seasonId", "s1")])).unwrap();
        assert_eq!(mirror["data"], r#"{"leagueId":"l1","seasonId":"s1"}"#.into());
    });
}

#[test]
fn teams_and_sessions_of_a_season_are_listed_apart() {
    on_both_stores(|db| {
        load(db);
        assert_eq!(sorts(db, "SEASON#s1", "TEAM#"), ["TEAM#blue", "TEAM#red", "TEAM#yellow"]);
        let sessions = sorts(db, "SEASON#s1", "SESSION#");
        assert_eq!(sessions, ["SESSION#20260301", "SESSION#20260308"]);
        assert!(sorts(db, "SEASON#s2", "TEAM#").is_empty());
    });
}

#[test]
fn a_session_is_found_by_its_id_through_the_mirror() {
    on_both_stores(|db| {
        load(db);
        let mirror = get(db, TABLE, key("session mirror", &[("sessionId", "20260308")])).unwrap();
        assert_eq!(mirror["data"], r#"{"seasonId":"s1","sessionId":"20260308"}"#.into());
    });
}

#[test]
fn game_metadata_is_created_and_read() {
    on_both_stores(|db| {
        load(db);
        let game = [("gameId", "g1")];
        assert_eq!(get(db, TABLE, key("game", &game)), Some(envelope("game", &game)));
        assert_eq!(get(db, TABLE, key("game", &[("gameId", "g2")])), None);
    });
}

#[test]
fn games_of_a_session_come_in_the_order_of_their_start() {
    on_both_stores(|db| {
        load(db);
        let games = [
            ("2026-03-01T11:30:00.000Z", "g3"),
            ("2026-03-01T09:00:00.000Z", "g2"),
            ("2026-03-01T09:00:00.000Z", "g1"),
        ];
        for (start, game) in games {
            let values = [("sessionId", "20260301"), ("gameStartTs", start), ("gameId", game)];
            db.put_item(create("sessionGame", &values)).unwrap();
        }
        let expected = [
            "GAME#2026-03-01T09:00:00.000Z#g1",
            "GAME#2026-03-01T09:00:00.000Z#g2",
            "GAME#2026-03-01T11:30:00.000Z#g3",
        ];
        assert_eq!(sorts(db, "SESSION#20260301", "GAME#"), expected);
        assert!(sorts(db, "SESSION#20260308", "GAME#").is_empty());
    });
}

#[test]
fn a_player_profile_is_created_once_and_read() {
    on_both_stores(|db| {
        load(db);
        let player = [("playerId", "p1")];
        assert_eq!(get(db, TABLE, key("player", &player)), Some(envelope("player", &player)));
        assert!(db.put_item(create("player", &player)).is_err());
    });
}

#[test]
fn grants_of_a_league_are_listed_and_one_is_read_strongly() {
    on_both_stores(|db| {
        load(db);
        assert_eq!(sorts(db, "LEAGUE#l1", "ACL#USER#"), ["ACL#USER#u1", "ACL#USER#u2"]);
        let grant = GetItem::new(TABLE, key("acl", &[("leagueId", "l1"), ("userId", "u2")]));
        let grant = db.get_item(grant.consistency(Consistency::Strong)).unwrap();
        assert_eq!(grant.item.unwrap().get("entityType"), Some("acl".into()));
    });
}

#[test]
fn the_roster_of_a_game_is_listed_whole_or_by_team() {
    on_both_stores(|db| {
        load(db);
        for (team, player) in [("red", "p1"), ("blue", "p2"), ("red", "p3"), ("redux", "p4")] {
            let values = [("gameId", "g1"), ("teamId", team), ("playerId", player)];
            db.put_item(create("roster", &values)).unwrap();
        }
        put_all(db, TABLE, [lower_key("GAME#g1", "SLOT#p1")]);
        assert_eq!(sorts(db, "GAME#g1", "ROSTER#").len(), 4);
        let red = sorts(db, "GAME#g1", "ROSTER#red#");
        assert_eq!(red, ["ROSTER#red#p1", "ROSTER#red#p3"]);
    });
}

#[test]
fn goals_come_in_the_order_of_third_minute_and_event() {
    on_both_stores(|db| {
        load(db);
        let goals =
            [("2", 21, "e4"), ("1", 9, "e2"), ("1", 19, "e3"), ("1", 9, "e1"), ("3", 105, "e5")];
        for (third, minute, event) in goals {
            let minute = format!("{minute:04}");
            let values = [
                ("gameId", "g1"),
                ("third", third),
                ("gameMinuteSortable", &minute),
                ("eventId", event),
            ];
            db.put_item(create("goal", &values)).unwrap();
        }
        put_all(db, TABLE, [lower_key("GAME#g1", "GOALID#e1")]);
        let timeline = sorts(db, "GAME#g1", "GOAL#");
        let expected = [
            "GOAL#1#0009#e1",
            "GOAL#1#0009#e2",
            "GOAL#1#0019#e3",
            "GOAL#2#0021#e4",
            "GOAL#3#0105#e5",
        ];
        assert_eq!(timeline, expected);
    });
}

#[test]
fn data_is_one_string_that_conditions_cannot_access() {
    on_both_stores(|db| {
        load(db);
        let update = UpdateItem::new(TABLE, key("league", &[("leagueId", "l1")]))
            .update("SET #data = :data")
            .name("#data", "data")
            .value(":data", r#"{"leagueId":"l1","naïve":"☕"}"#);
        let inside = update.clone().condition("#data.leagueId = :l1").value(":l1", "l1");
        assert!(matches!(db.update_item(inside), Err(Error::ConditionalCheckFailed { .. })));
        db.update_item(update).unwrap();
        let league = get(db, TABLE, key("league", &[("leagueId", "l1")])).unwrap();
        assert_eq!(league["data"], r#"{"leagueId":"l1","naïve":"☕"}"#.into());
    });
}
