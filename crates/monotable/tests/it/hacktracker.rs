//! HackTracker, seed 000: softball teams, rosters and games in a table with five GSIs.

mod reads;
mod writes;

use monotable::dynamodb::{BillingMode, DescribeTable, PutItem};
use monotable::{Database, Item, item, list};

use crate::support::literal;
use crate::support::reading::{get, put_all};
use crate::support::stores::on_both_stores;
use crate::support::tables::create_table;

const TABLE: &str = "hacktracker-test";
const USER_ID: &str = "12345678-1234-1234-1234-123456789012";
const TEAM_ID: &str = "a6f27724-7042-4816-94d3-a2183ef50a09";
const GAME_ID: &str = "c8d39946-9264-6038-c6f5-d4405gh72c2b";

const USER: &str = r#"
{
  "PK": "USER#12345678-1234-1234-1234-123456789012",
  "SK": "METADATA",
  "userId": "12345678-1234-1234-1234-123456789012",
  "email": "john.doe@example.com",
  "firstName": "John",
  "lastName": "Doe",
  "phoneNumber": "+15555551234",
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z",
  "GSI1PK": "COGNITO#12345678-1234-1234-1234-123456789012",
  "GSI1SK": "USER",
  "GSI2PK": "ENTITY#USER",
  "GSI2SK": "METADATA#12345678-1234-1234-1234-123456789012"
}
"#;

const TEAM: &str = r#"
{
  "PK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "SK": "METADATA",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "name": "Seattle Sluggers",
  "description": "Best team in Seattle",
  "ownerId": "12345678-1234-1234-1234-123456789012",
  "team_type": "MANAGED",
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z",
  "GSI2PK": "ENTITY#TEAM",
  "GSI2SK": "METADATA#a6f27724-7042-4816-94d3-a2183ef50a09"
}
"#;

const MEMBERSHIP: &str = r#"
{
  "PK": "USER#12345678-1234-1234-1234-123456789012",
  "SK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "userId": "12345678-1234-1234-1234-123456789012",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "role": "owner",
  "status": "active",
  "joinedAt": "2025-10-25T12:00:00.000Z",
  "invitedBy": null
}
"#;

const PLAYER: &str = r#"
{
  "PK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "SK": "PLAYER#b7e38835-8153-5927-a5e4-b3294fg61b1a",
  "playerId": "b7e38835-8153-5927-a5e4-b3294fg61b1a",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "firstName": "John",
  "lastName": "Doe",
  "playerNumber": 12,
  "positions": ["SS", "2B"],
  "status": "active",
  "isGhost": false,
  "userId": "12345678-1234-1234-1234-123456789012",
  "linkedAt": "2025-10-25T12:00:00.000Z",
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z"
}
"#;

const GAME: &str = r#"
{
  "PK": "GAME#c8d39946-9264-6038-c6f5-d4405gh72c2b",
  "SK": "METADATA",
  "gameId": "c8d39946-9264-6038-c6f5-d4405gh72c2b",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "status": "SCHEDULED",
  "scheduledStart": "2025-11-01T19:30:00.000Z",
  "opponentName": "Portland Pioneers",
  "location": "Lincoln Park Field 3",
  "teamScore": 0,
  "opponentScore": 0,
  "lineup": [],
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z",
  "GSI2PK": "ENTITY#GAME",
  "GSI2SK": "METADATA#c8d39946-9264-6038-c6f5-d4405gh72c2b",
  "GSI3PK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "GSI3SK": "GAME#c8d39946-9264-6038-c6f5-d4405gh72c2b"
}
"#;

/// "Consistent Field Ordering" prints an item too.
const FIELD_ORDER: &str = r#"
{
  "PK": "...",
  "SK": "...",
  "userId": "...",
  "email": "...",
  "firstName": "...",
  "GSI1PK": "...",
  "GSI1SK": "..."
}
"#;

const EXAMPLES: [&str; 6] = [USER, TEAM, MEMBERSHIP, PLAYER, GAME, FIELD_ORDER];

/// The table with the five examples.
fn load(db: &Database) {
    create_table(db, TABLE, ["PK", "SK"], 5);
    put_all(db, TABLE, [USER, TEAM, MEMBERSHIP, PLAYER, GAME].map(literal::item));
}

fn primary_key(item: &Item) -> Item {
    item! { "PK" => item["PK"].clone(), "SK" => item["SK"].clone() }
}

/// Another team, as the example is one.
fn team(id: &str) -> Item {
    let mut team = literal::item(TEAM);
    team.insert("PK".to_owned(), format!("TEAM#{id}").into());
    team.insert("teamId".to_owned(), id.into());
    team.insert("GSI2SK".to_owned(), format!("METADATA#{id}").into());
    team
}

/// Another game of a team, as the example is one.
fn game(id: &str, team_id: &str) -> Item {
    let mut game = literal::item(GAME);
    game.insert("PK".to_owned(), format!("GAME#{id}").into());
    game.insert("gameId".to_owned(), id.into());
    game.insert("teamId".to_owned(), team_id.into());
    game.insert("GSI2SK".to_owned(), format!("METADATA#{id}").into());
    game.insert("GSI3PK".to_owned(), format!("TEAM#{team_id}").into());
    game.insert("GSI3SK".to_owned(), format!("GAME#{id}").into());
    game
}

#[test]
fn the_table_is_on_demand_with_five_indexes() {
    on_both_stores(|db| {
        load(db);
        let table = db.describe_table(DescribeTable::new(TABLE)).unwrap().table;
        assert_eq!(table.billing_mode, BillingMode::PayPerRequest);
        assert_eq!(table.item_count, 5);
        let indexes: Vec<(&str, u64)> = table
            .global_secondary_indexes
            .iter()
            .map(|index| (index.index_name.as_str(), index.item_count))
            .collect();
        assert_eq!(indexes, [("GSI1", 1), ("GSI2", 3), ("GSI3", 1), ("GSI4", 0), ("GSI5", 0)]);
    });
}

#[test]
fn every_item_example_loads_verbatim() {
    on_both_stores(|db| {
        create_table(db, TABLE, ["PK", "SK"], 5);
        for example in EXAMPLES.map(literal::item) {
            db.put_item(PutItem::new(TABLE, example.clone())).unwrap();
            assert_eq!(get(db, TABLE, primary_key(&example)), Some(example));
        }
    });
}

#[test]
fn printed_values_have_the_types_of_json() {
    on_both_stores(|db| {
        load(db);
        let stored = |example| get(db, TABLE, primary_key(&literal::item(example))).unwrap();
        let player = stored(PLAYER);
        assert_eq!(player["playerNumber"], 12.into());
        assert_eq!(player["positions"], list!["SS", "2B"]);
        assert_eq!(player["isGhost"], false.into());
        assert!(stored(MEMBERSHIP)["invitedBy"].is_null());
        assert_eq!(stored(GAME)["lineup"], list![]);
    });
}
