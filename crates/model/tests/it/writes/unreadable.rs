//! Rows of other programs that can't be read are named by their keys.

use expect_test::{Expect, expect};
use monotable_model::{Error, Result};
use monotable_types::{Item, item};

use super::fixture::{fixture, session};
use crate::league::{Badge, BadgeKey, League, Note, NoteKey, SessionKey, TeamId, TeamKey};

fn check<T: std::fmt::Debug>(result: Result<T>, expected: Expect) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error:?}");
    expected.assert_eq(&error.to_string());
}

fn team() -> Item {
    item! { "PK" => "TEAM#t1", "SK" => "METADATA", "ItemType" => "TEAM", "teamId" => "t1" }
}

#[tokio::test]
async fn a_row_that_can_not_be_read_is_named() {
    check(
        League::decode(team()),
        expect!["a row of Team can't be read: `TEAM#t1 / METADATA`: missing field `name`"],
    );
    let game = item! { "PK" => "GAME#g1", "SK" => "GAME", "ItemType" => "Game", "data" => "{" };
    check(
        League::decode(game),
        expect![
            "a row of Game can't be read: `GAME#g1 / GAME`: data: EOF while parsing an object at line 1 column 1"
        ],
    );
}

#[tokio::test]
async fn a_row_that_can_not_be_read_is_deleted_with_its_values() {
    let f = fixture().await;
    f.db.create(&session("s1", Some("my secret #1"), None)).await.unwrap();
    f.add_raw("SESSION#s1", "SESSION", item! { "visits" => -5 }).await;
    let key = SessionKey::new("s1".to_owned());
    assert!(f.db.put(&session("s1", None, None)).await.is_err(), "it can't be read");
    assert!(f.db.delete_by_key(&key).await.unwrap());
    assert!(!f.db.delete_by_key(&key).await.unwrap());
    assert!(f.rows().await.is_empty());
    let badge = Badge { badge_id: "b1".to_owned(), series: 1, number: Some(7), ver: 0 };
    f.db.create(&badge).await.unwrap();
    f.add_raw("BADGE#b1", "BADGE", item! { "ver" => "x" }).await;
    f.db.transact().delete_by_key(&BadgeKey::new("b1".to_owned())).await.unwrap();
    assert_eq!(f.rows().await.len(), 1, "a number that is never given to another");
}

#[tokio::test]
async fn a_row_that_can_not_be_changed_is_named() {
    let f = fixture().await;
    f.write_raw(team()).await;
    let key = TeamKey::new(TeamId::new("t1").unwrap());
    check(
        f.db.delete_by_key(&key).await,
        expect!["a row of Team can't be read: `TEAM#t1 / METADATA`: missing field `name`"],
    );
    let row = item! {
        "PK" => "NOTE#n1", "SK" => "NOTE", "ItemType" => "Note", "note_id" => "n1", "text" => 7,
    };
    f.write_raw(row).await;
    let update = Note::update(&NoteKey::new("n1".to_owned())).add_likes(1);
    check(
        f.db.update(update).await,
        expect![
            "a row of Note can't be read: `NOTE#n1 / NOTE`: text: expected a string, found a number"
        ],
    );
}
