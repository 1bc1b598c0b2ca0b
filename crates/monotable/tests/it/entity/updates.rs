//! Blind updates on a table: what they set, and that index keys follow.

use monotable::dynamodb::GetItem;
use monotable::model::Entity as _;
use monotable::prelude::*;
use monotable::{AttributeValue, Database, Item, item};

use super::declared::{Player, PlayerKey, Position, Roster, Views, ViewsKey, player};

/// Returns a table with one player in it, and the database below it.
async fn store() -> (Store<Roster>, Database, PlayerKey) {
    let database = Database::memory();
    let store = Roster::open(Embedded::new(database.clone())).await.unwrap();
    store.create(&player()).await.unwrap();
    (store, database, player().key())
}

/// Returns the row of the player, as it is stored.
fn row(database: &Database) -> Item {
    let key = item! { "PK" => "TEAM#t1", "SK" => "PLAYER#p7" };
    database.get_item(GetItem::new("roster", key)).unwrap().item.unwrap().to_item()
}

fn text(row: &Item, attribute: &str) -> Option<String> {
    match row.get(attribute) {
        Some(AttributeValue::S(text)) => Some(text.to_string()),
        _ => None,
    }
}

#[tokio::test]
async fn a_row_has_its_keys_and_those_of_its_indexes() {
    let (_, database, _) = store().await;
    let row = row(&database);
    assert_eq!(text(&row, "ItemType").unwrap(), "PLAYER");
    assert_eq!(text(&row, "GSI1PK"), None, "nobody is linked");
    assert_eq!(text(&row, "GSI1SK"), None, "a row is in an index as a whole or not at all");
    assert_eq!(text(&row, "GSI2PK").unwrap(), "TEAM#t1");
    assert_eq!(text(&row, "GSI2SK").unwrap(), "LEFT_BACK#07");
    assert!(text(&row, "GSI3PK").unwrap().starts_with("PLAYERS#"));
}

#[tokio::test]
async fn setters_change_their_field_and_the_version() {
    let (store, _, key) = store().await;
    let update = Player::update(&key).nick_name(Some("Lefty".into())).add_goals(2).team_name(None);
    let player = store.update(update).await.unwrap();
    assert_eq!((player.nick_name.as_deref(), player.goals), (Some("Lefty"), 2));
    assert_eq!((player.team_name, player.ver), (None, 2));
    let player = store.update(Player::update(&key).nick_name(None).add_goals(-1)).await.unwrap();
    assert_eq!((player.nick_name, player.goals, player.ver), (None, 1, 3));
}

#[tokio::test]
async fn a_setter_writes_serdes_form() {
    let (store, database, key) = store().await;
    let player = store.update(Player::update(&key).badge(0xbeef)).await.unwrap();
    assert_eq!(player.badge, 0xbeef);
    assert_eq!(text(&row(&database), "badge").unwrap(), "beef");
    let update = Player::update(&key).badge(1).when(super::declared::player::badge().exists());
    assert_eq!(store.update(update).await.unwrap().badge, 1);
}

#[tokio::test]
async fn index_keys_follow_an_update() {
    let (store, database, key) = store().await;
    let user = Some("u3".parse().unwrap());
    store.update(Player::update(&key).user_id(user)).await.unwrap();
    assert_eq!(text(&row(&database), "GSI1PK").unwrap(), "USER#u3");
    assert_eq!(text(&row(&database), "GSI1SK").unwrap(), "TEAM#t1");

    store.update(Player::update(&key).user_id(None)).await.unwrap();
    assert_eq!(text(&row(&database), "GSI1PK"), None);
    assert_eq!(text(&row(&database), "GSI1SK"), None);

    let update = Player::update(&key).position_and_number(Position::Striker, 9);
    store.update(update).await.unwrap();
    assert_eq!(text(&row(&database), "GSI2SK").unwrap(), "9#09");
    assert_eq!(text(&row(&database), "position").unwrap(), "9");
}

#[tokio::test]
async fn an_update_happens_only_when_its_condition_holds() {
    let (store, _, key) = store().await;
    let update = || Player::update(&key).nick_name(Some("Lefty".into()));
    let taken = store.update(update().when(super::declared::player::nick_name().exists())).await;
    assert!(matches!(taken, Err(Error::ConditionFailed { .. })), "{taken:?}");
    store.update(update().when(super::declared::player::nick_name().absent())).await.unwrap();
}

#[tokio::test]
async fn an_update_creates_a_row_only_if_requested() {
    let (store, ..) = store().await;
    let key = ViewsKey::new("t1".parse().unwrap());
    let update = || Views::update(&key).add_count(1);
    let missing = store.update(update()).await;
    assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}");
    assert_eq!(store.update(update().or_create()).await.unwrap().count, 1);
    assert_eq!(store.update(update()).await.unwrap().count, 2);
}
