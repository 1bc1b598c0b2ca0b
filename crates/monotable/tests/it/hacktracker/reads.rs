//! Every query that the seed prints.

use monotable::dynamodb::{BatchWriteItem, DeleteItem, Query};
use monotable::{Database, Item, item};

use super::{GAME, GAME_ID, MEMBERSHIP, PLAYER, TABLE, TEAM, TEAM_ID, USER, USER_ID};
use super::{game, load, team};
use crate::support::literal::{self, Literal};
use crate::support::reading::{items, put_all, query_all, strings, upper_key};
use crate::support::stores::on_both_stores;
use crate::support::tables::values;

/// "GSI1: User Lookup by Cognito Sub".
fn user_by_cognito_sub(cognito_sub: &str) -> Query {
    let printed = "{
        ':pk': f'COGNITO#{cognito_sub}',
        ':sk': 'USER'
    }";
    Query {
        substitutions: values(Literal::new(printed).bind("cognito_sub", cognito_sub)),
        ..Query::new(TABLE).index("GSI1").key_condition("GSI1PK = :pk AND GSI1SK = :sk")
    }
}

/// "GSI2: Entity Listing": list all teams.
fn all_teams() -> Query {
    let printed = "{
        ':pk': 'ENTITY#TEAM'
    }";
    Query {
        substitutions: values(Literal::new(printed)),
        ..Query::new(TABLE).index("GSI2").key_condition("GSI2PK = :pk").limit(50u32)
    }
}

/// "GSI3: Games by Team": get all games for a team.
fn games_of_team(team_id: &str) -> Query {
    let printed = "{
        ':pk': f'TEAM#{team_id}',
        ':sk_prefix': 'GAME#'
    }";
    Query {
        substitutions: values(Literal::new(printed).bind("team_id", team_id)),
        ..Query::new(TABLE)
            .index("GSI3")
            .key_condition("GSI3PK = :pk AND begins_with(GSI3SK, :sk_prefix)")
    }
}

/// "Direct PK/SK Queries": get all players on a team.
fn roster(team_id: &str) -> Query {
    let printed = "{
        ':pk': f'TEAM#{team_id}',
        ':sk_prefix': 'PLAYER#'
    }";
    Query {
        substitutions: values(Literal::new(printed).bind("team_id", team_id)),
        ..Query::new(TABLE).key_condition("PK = :pk AND begins_with(SK, :sk_prefix)")
    }
}

/// Returns the table's second row: `USER#<id>` and `SK` begins with `TEAM#`.
fn teams_of_user(user_id: &str) -> Query {
    Query::new(TABLE)
        .key_condition("PK = :pk AND begins_with(SK, :sk_prefix)")
        .value(":pk", format!("USER#{user_id}"))
        .value(":sk_prefix", "TEAM#")
}

/// Returns a query of an index with the same shape.
fn partition(index: &str, partition: &str) -> Query {
    Query::new(TABLE)
        .index(index)
        .key_condition("#pk = :pk")
        .name("#pk", format!("{index}PK"))
        .value(":pk", partition)
}

fn put_teams(db: &Database, ids: &[String]) {
    for chunk in ids.chunks(25) {
        let batch =
            chunk.iter().fold(BatchWriteItem::new(), |batch, id| batch.put(TABLE, team(id)));
        db.batch_write_item(batch).unwrap();
    }
}

#[test]
fn gsi1_finds_exactly_the_user_of_a_cognito_sub() {
    on_both_stores(|db| {
        load(db);
        let mut other = literal::item(USER);
        other.extend(item! { "PK" => "USER#other", "GSI1PK" => "COGNITO#other" });
        put_all(db, TABLE, [other]);
        let found = items(db.query(user_by_cognito_sub(USER_ID)).unwrap());
        assert_eq!(found, [literal::item(USER)]);
        assert!(items(db.query(user_by_cognito_sub("nobody")).unwrap()).is_empty());
    });
}

#[test]
fn gsi1_finds_no_row_after_the_user_is_purged() {
    on_both_stores(|db| {
        load(db);
        let key = upper_key(format!("USER#{USER_ID}"), "METADATA");
        db.delete_item(DeleteItem::new(TABLE, key)).unwrap();
        assert_eq!(db.query(user_by_cognito_sub(USER_ID)).unwrap().count, 0);
    });
}

#[test]
fn gsi2_lists_every_live_team_once_in_pages_of_fifty() {
    on_both_stores(|db| {
        load(db);
        let ids: Vec<String> = (0..119).map(|number| format!("t{number:03}")).collect();
        put_teams(db, &ids);
        for gone in ["t003", "t050", "t118"] {
            let key = upper_key(format!("TEAM#{gone}"), "METADATA");
            db.delete_item(DeleteItem::new(TABLE, key)).unwrap();
        }
        let mut sizes = Vec::new();
        let mut listed: Vec<Item> = Vec::new();
        let mut next = Some(all_teams());
        while let Some(query) = next {
            let mut page = db.query(query).unwrap();
            next = page.last_evaluated_key.take().map(|last| all_teams().exclusive_start_key(last));
            sizes.push(page.count);
            listed.extend(items(page));
        }
        assert_eq!(sizes, [50, 50, 17]);
        let mut expected: Vec<String> = ids;
        expected.retain(|id| !["t003", "t050", "t118"].contains(&id.as_str()));
        expected.insert(0, TEAM_ID.to_owned());
        assert_eq!(strings(&listed, "teamId"), expected);
    });
}

#[test]
fn gsi2_continues_from_the_keys_of_table_and_index() {
    on_both_stores(|db| {
        load(db);
        put_teams(db, &["t1".to_owned()]);
        let first = db.query(all_teams().limit(1u32)).unwrap();
        let last_key = first.last_evaluated_key.clone().unwrap();
        let expected = item! {
            "PK" => format!("TEAM#{TEAM_ID}"),
            "SK" => "METADATA",
            "GSI2PK" => "ENTITY#TEAM",
            "GSI2SK" => format!("METADATA#{TEAM_ID}"),
        };
        assert_eq!(last_key, expected);
        assert_eq!(items(first), [literal::item(TEAM)]);
        let second = db.query(all_teams().exclusive_start_key(last_key)).unwrap();
        assert_eq!(second.last_evaluated_key, None);
        assert_eq!(strings(&items(second), "teamId"), ["t1"]);
    });
}

#[test]
fn gsi2_keeps_users_teams_and_games_apart() {
    on_both_stores(|db| {
        load(db);
        for (entity, example) in [("USER", USER), ("TEAM", TEAM), ("GAME", GAME)] {
            let listed = items(db.query(partition("GSI2", &format!("ENTITY#{entity}"))).unwrap());
            assert_eq!(listed, [literal::item(example)]);
        }
    });
}

#[test]
fn gsi3_finds_the_games_of_a_team_and_nothing_else() {
    on_both_stores(|db| {
        load(db);
        let of_team = format!("TEAM#{TEAM_ID}");
        let others = [
            game("g2", TEAM_ID),
            game("g3", "another-team"),
            item! {
                "PK" => "USER#u2", "SK" => of_team.clone(),
                "GSI3PK" => of_team.clone(), "GSI3SK" => "MEMBER#u2",
            },
            item! {
                "PK" => "INVITE#i1", "SK" => "METADATA",
                "GSI3PK" => of_team, "GSI3SK" => "INVITE#i1",
            },
        ];
        put_all(db, TABLE, others);
        let found = items(db.query(games_of_team(TEAM_ID)).unwrap());
        assert_eq!(strings(&found, "gameId"), [GAME_ID, "g2"]);
        assert_eq!(found[0], literal::item(GAME));
        assert_eq!(db.query(partition("GSI3", &format!("TEAM#{TEAM_ID}"))).unwrap().count, 4);
    });
}

#[test]
fn the_roster_is_the_players_of_the_team() {
    on_both_stores(|db| {
        load(db);
        let of_team = format!("TEAM#{TEAM_ID}");
        let beside = ["ACTIVE_GAME", "AUDIT#2025#1", "NUMBER#12", "PLAYERLINK#p", "SEASON#s"];
        put_all(db, TABLE, beside.map(|sort| upper_key(of_team.clone(), sort)));
        put_all(db, TABLE, [upper_key("TEAM#another-team", "PLAYER#p9")]);
        assert_eq!(items(db.query(roster(TEAM_ID)).unwrap()), [literal::item(PLAYER)]);
    });
}

#[test]
fn memberships_are_the_teams_of_the_user() {
    on_both_stores(|db| {
        load(db);
        put_all(db, TABLE, [upper_key(format!("USER#{USER_ID}"), "PLAYERLINK#p")]);
        let found = items(db.query(teams_of_user(USER_ID)).unwrap());
        assert_eq!(found, [literal::item(MEMBERSHIP)]);
    });
}

#[test]
fn gsi4_and_gsi5_are_empty_until_items_carry_their_keys() {
    on_both_stores(|db| {
        load(db);
        let of_user = || partition("GSI4", &format!("USER#{USER_ID}"));
        let of_player = || partition("GSI5", "PLAYER#b7e38835-8153-5927-a5e4-b3294fg61b1a");
        assert_eq!(db.query(of_user()).unwrap().count, 0);
        assert_eq!(db.query(of_player()).unwrap().count, 0);
        let mut player = literal::item(PLAYER);
        player.insert("GSI4PK".to_owned(), format!("USER#{USER_ID}").into());
        player.insert("GSI4SK".to_owned(), player["SK"].clone());
        let at_bat = item! {
            "PK" => format!("GAME#{GAME_ID}"), "SK" => "ATBAT#a1", "result" => "HR",
            "GSI5PK" => player["SK"].clone(), "GSI5SK" => "ATBAT#a1",
        };
        put_all(db, TABLE, [player.clone(), at_bat.clone()]);
        assert_eq!(items(db.query(of_user()).unwrap()), [player]);
        assert_eq!(items(db.query(of_player()).unwrap()), [at_bat]);
    });
}

#[test]
fn a_partition_larger_than_a_page_is_read_page_by_page() {
    on_both_stores(|db| {
        load(db);
        let of_team = format!("TEAM#{TEAM_ID}");
        let players =
            (0..100).map(|number| upper_key(of_team.clone(), format!("PLAYER#{number:03}")));
        put_all(db, TABLE, players);
        let first = db.query(roster(TEAM_ID).limit(50u32)).unwrap();
        assert_eq!((first.count, first.scanned_count), (50, 50));
        let all = query_all(db, roster(TEAM_ID).limit(50u32));
        let sorted: Vec<String> = (0..100).map(|number| format!("PLAYER#{number:03}")).collect();
        assert_eq!(strings(&all, "SK")[..100], sorted);
        assert_eq!(all.len(), 101);
    });
}
