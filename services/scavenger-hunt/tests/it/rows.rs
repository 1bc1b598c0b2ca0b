//! The rows of the service under plain calls of DynamoDB: every GET and every QUERY of the original design finds them.

use monotable::dynamodb::{GetItem, Query};
use monotable::{AttributeValue, Item, item};
use monotable_scavenger_hunt::table::ScavengerHuntReads as _;

use crate::world::{Hunt, done};

/// The keys of the original design, and how many rows there are below each in a hunt of two teams and three levels: one player
/// has found a level, photographed it, talked twice and reported two positions.
const QUERIES: [(&str, &str, &str, &str, usize); 18] = [
    ("", "GAME#{game_id}", "LEVEL#", "LEVEL", 3),
    ("", "GAME#{game_id}", "TEAM#", "TEAM", 2),
    ("", "TEAM#{team_id}", "USER#", "USER", 1),
    ("GSI1", "USER#{user_id}", "", "USER", 1),
    ("", "TEAM#{team_id}", "LEVEL#", "TEAM_LEVEL", 3),
    ("GSI1", "LEVEL#{level_id}", "", "LEVEL TEAM_LEVEL TEAM_LEVEL", 3),
    ("", "USER#{user_id}", "MESSAGE#", "MESSAGE", 4),
    ("GSI1", "TEAM#{team_id}", "MESSAGE#", "MESSAGE", 4),
    ("GSI2", "GAME#{game_id}", "MESSAGE#", "MESSAGE", 4),
    ("GSI3", "LEVEL#{level_id}", "MESSAGE#", "MESSAGE", 4),
    ("", "USER#{user_id}", "PHOTO#", "PHOTO", 1),
    ("GSI1", "TEAM#{team_id}", "PHOTO#", "PHOTO", 1),
    ("GSI2", "GAME#{game_id}", "PHOTO#", "PHOTO", 1),
    ("GSI3", "LEVEL#{found_id}", "PHOTO#", "PHOTO", 1),
    ("", "USER#{user_id}", "COORDINATE_SNAPSHOT#", "COORDINATE_SNAPSHOT", 2),
    ("GSI1", "TEAM#{team_id}", "COORDINATE_SNAPSHOT#", "COORDINATE_SNAPSHOT", 2),
    ("GSI1", "CHECKPOINT_EVENTS", "", "CHECKPOINT_EVENT", 2),
    ("GSI1", "GAMES", "", "GAME", 1),
];

async fn hunt() -> (Hunt, [(&'static str, String); 5]) {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    hunt.clear(&token, 0).await;
    for _ in 0..2 {
        done(hunt.say(&token, "Hello?").await, 200);
        done(hunt.ping(&token, 1.0, 2.0).await, 200);
        hunt.world.clock.advance_ms(5_000);
    }
    let user = hunt.world.app.db.users(&hunt.team_id(0)).first().await.unwrap().unwrap();
    let ids = [
        ("{game_id}", hunt.game_id.clone()),
        ("{team_id}", hunt.teams[0].0.clone()),
        ("{level_id}", hunt.levels[1].0.clone()),
        ("{found_id}", hunt.levels[0].0.clone()),
        ("{user_id}", user.id.to_string()),
    ];
    (hunt, ids)
}

fn key(template: &str, ids: &[(&str, String)]) -> String {
    ids.iter().fold(template.to_owned(), |key, (name, id)| key.replace(name, id))
}

fn text<'a>(row: &'a Item, name: &str) -> &'a str {
    row.get(name).and_then(AttributeValue::as_s).unwrap_or_default()
}

#[tokio::test]
async fn every_query_of_the_design_finds_its_rows() {
    let (hunt, ids) = hunt().await;
    for (index, partition, prefix, kinds, count) in QUERIES {
        let (partition, names) = (key(partition, &ids), index.to_owned());
        let mut query = Query::new(&hunt.world.table).value(":pk", partition.as_str());
        if !index.is_empty() {
            query = query.index(index);
        }
        let condition = match prefix {
            "" => format!("{names}PK = :pk"),
            prefix => {
                query = query.value(":sk", prefix);
                format!("{names}PK = :pk AND begins_with({names}SK, :sk)")
            }
        };
        let found = hunt.world.database.query(query.key_condition(condition.as_str())).unwrap();
        let rows: Vec<Item> = found.items.iter().map(|row| row.to_item()).collect();
        assert_eq!(rows.len(), count, "{index} {partition} {prefix}");
        let mut found: Vec<&str> = rows.iter().map(|row| text(row, "ItemType")).collect();
        found.sort_unstable();
        let mut expected: Vec<&str> = kinds.split(' ').collect();
        if expected.len() == 1 {
            expected = expected.repeat(count);
        }
        assert_eq!(found, expected, "{index} {partition} {prefix}");
    }
}

#[tokio::test]
async fn every_get_of_the_design_finds_its_row() {
    let (hunt, ids) = hunt().await;
    for (partition, sort, kind) in [
        ("GAME#{game_id}", "#METADATA", "GAME"),
        ("GAME#{game_id}", "LEVEL#{level_id}", "LEVEL"),
        ("GAME#{game_id}", "TEAM#{team_id}", "TEAM"),
        ("GAME#{game_id}", "DASHBOARD#CONTROL", "DASHBOARD_CONTROL"),
        ("USER#{user_id}", "MEMBER#{game_id}", "GAME_MEMBERSHIP"),
    ] {
        let key = item! { "PK" => key(partition, &ids), "SK" => key(sort, &ids) };
        let found = hunt.world.database.get_item(GetItem::new(&hunt.world.table, key)).unwrap();
        assert_eq!(text(&found.item.unwrap().to_item(), "ItemType"), kind, "{partition} {sort}");
    }
}

/// Attributes have the names and the forms of the design.
#[tokio::test]
async fn rows_have_the_attributes_of_the_design() {
    let (hunt, _) = hunt().await;
    for row in hunt.world.rows() {
        let kind = text(&row, "ItemType").to_owned();
        let names: &[&str] = match kind.as_str() {
            "GAME" => &["name"],
            "LEVEL" => {
                &["game_id", "levelName", "character", "location", "clues", "easyClues", "mapLink"]
            }
            "TEAM" => &["name", "game_id"],
            "USER" => &["team_id"],
            "TEAM_LEVEL" => &["team_id", "level_id", "index"],
            "MESSAGE" => &["user_id", "team_id", "game_id", "level_id", "role", "text"],
            "PHOTO" => &["user_id", "team_id", "game_id", "level_id", "url"],
            "COORDINATE_SNAPSHOT" => &["user_id", "team_id", "latitude", "longitude", "deleted_at"],
            _ => continue,
        };
        for name in ["id", "created_at", "updated_at"].iter().chain(names) {
            assert!(row.contains_key(*name), "{kind} has no {name}: {row:?}");
        }
        for name in ["created_at", "updated_at"] {
            let time = text(&row, name);
            assert!(time.len() == 24 && time.ends_with('Z'), "{kind} {name}: {time}");
        }
        let sort = text(&row, "SK");
        if let Some((_, rest)) = sort.split_once("MESSAGE#").or(sort.split_once("PHOTO#")) {
            let (ts, _) = rest.split_once('#').unwrap();
            assert!(ts.len() == 10 && ts.bytes().all(|one| one.is_ascii_digit()), "{sort}");
        }
    }
}
