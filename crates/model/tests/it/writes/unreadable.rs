//! Rows of other programs that can't be read are named by their keys.

use expect_test::{Expect, expect};
use monotable_model::{Error, Result, delete_by_key, put};
use monotable_types::{Item, item};

use super::fixture::{fixture, game, note, session};
use crate::league::{Badge, BadgeKey, League, Note, NoteKey, Session, SessionKey, TeamId, TeamKey};

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
    assert!(f.db.delete_by_key(&key).await.unwrap());
    assert!(!f.db.delete_by_key(&key).await.unwrap());
    assert!(f.rows().await.is_empty());
    let badge = Badge { badge_id: "b1".to_owned(), series: 1, number: Some(7), ver: 0 };
    f.db.create(&badge).await.unwrap();
    f.add_raw("BADGE#b1", "BADGE", item! { "ver" => "x" }).await;
    f.db.transact().with(delete_by_key(&BadgeKey::new("b1".to_owned()))).await.unwrap();
    assert_eq!(f.rows().await.len(), 1, "a number that is never given to another");
}

#[tokio::test]
async fn a_row_that_can_not_be_read_is_written_over() {
    let f = fixture().await;
    f.db.create(&session("s1", Some("old"), None)).await.unwrap();
    let damage = item! { "visits" => "many", "ver" => 7, "legacy" => 1 };
    f.add_raw("SESSION#s1", "SESSION", damage.clone()).await;
    let s = f.db.put(&session("s1", Some("new"), Some(60))).await.unwrap();
    assert_eq!((s.ver, s.visits), (8, 0));
    assert_eq!(f.sentinels().await, ["UNIQUE#Session#token#new"]);
    assert_eq!(f.row("SESSION#s1", "SESSION").await.unwrap()["legacy"], 1.into());
    assert_eq!(f.db.verify(&s).await.unwrap(), []);

    // The value that it has may stay; one that another has is not taken from it.
    f.add_raw("SESSION#s1", "SESSION", damage.clone()).await;
    let s = f.db.put(&session("s1", Some("new"), None)).await.unwrap();
    assert_eq!(f.db.verify(&s).await.unwrap(), []);
    f.db.create(&session("s2", Some("another"), None)).await.unwrap();
    f.add_raw("SESSION#s1", "SESSION", damage).await;
    let taken = f.db.put(&session("s1", Some("another"), None)).await;
    assert!(matches!(taken, Err(Error::UniqueTaken { .. })), "{taken:?}");
    f.db.transact().with(put(session("s1", None, None))).await.unwrap();
    assert_eq!(f.sentinels().await, ["UNIQUE#Session#token#another"]);

    f.db.put(&game("g1", "Bern")).await.unwrap();
    f.add_raw("GAME#g1", "GAME", item! { "data" => "{", "legacy" => 1 }).await;
    let g = f.db.put(&game("g1", "Thun")).await.unwrap();
    assert_eq!((g.place.as_str(), g.ver), ("Thun", 2));
    assert_eq!(f.row("GAME#g1", "GAME").await.unwrap()["legacy"], 1.into());
}

#[tokio::test]
async fn a_value_that_no_key_can_hold_is_replaced_and_deleted() {
    let f = fixture().await;
    for unfit in ["", "a\u{0}b"] {
        let row = || {
            item! {
                "PK" => "SESSION#s1", "SK" => "SESSION", "ItemType" => "Session",
                "session_id" => "s1", "token" => unfit, "visits" => 0, "ver" => 1,
            }
        };
        let key = SessionKey::new("s1".to_owned());
        let s = Session { ver: 1, ..session("s1", Some(unfit), None) };
        f.write_raw(row()).await;
        let kept = f.db.edit(s.clone(), |s| s.visits = 2).await;
        assert!(matches!(kept, Err(Error::Key { entity: "Session", .. })), "{kept:?}");
        f.db.edit(s.clone(), |s| s.token = Some("fit".to_owned())).await.unwrap();
        assert_eq!(f.sentinels().await, ["UNIQUE#Session#token#fit"]);
        f.db.put(&session("s1", None, None)).await.unwrap();
        f.write_raw(row()).await;
        f.db.put(&session("s1", Some("fit"), None)).await.unwrap();
        assert_eq!(f.sentinels().await.len(), 1);
        f.db.delete_by_key(&key).await.unwrap();
        f.write_raw(row()).await;
        f.db.delete(&s).await.unwrap();
        f.write_raw(row()).await;
        assert!(f.db.delete_by_key(&key).await.unwrap());
        assert!(f.rows().await.is_empty());
    }
}

#[tokio::test]
async fn a_value_that_no_index_can_hold_is_replaced() {
    let f = fixture().await;
    let row = item! {
        "PK" => "NOTE#n1", "SK" => "NOTE", "ItemType" => "Note", "note_id" => "n1", "topic" => "",
        "text" => "x", "likes" => 0,
    };
    f.write_raw(row).await;
    let n = Note { topic: Some(String::new()), ..note("n1", "x") };
    f.db.edit(n, |n| n.topic = Some("sun".to_owned())).await.unwrap();
    assert_eq!(f.query("GSI2", "GSI2PK", "NOTES").await.len(), 1);
}

#[tokio::test]
async fn a_row_with_the_fields_of_another_leaves_that_one_alone() {
    let f = fixture().await;
    f.db.create(&session("s1", Some("one"), None)).await.unwrap();
    let mut copy = f.row("SESSION#s1", "SESSION").await.unwrap();
    copy.insert("PK".to_owned(), "SESSION#s2".into());
    let before = f.rows().await;
    f.write_raw(copy.clone()).await;
    let key = SessionKey::new("s2".to_owned());
    check(
        f.db.update(Session::update(&key).add_visits(1).or_create()).await,
        expect![
            "a row of Session can't be read: `SESSION#s2 / SESSION`: its fields render another key, `SESSION#s1 / SESSION`"
        ],
    );
    assert!(f.db.delete_by_key(&key).await.unwrap());
    assert_eq!(f.rows().await, before);
    f.write_raw(copy).await;
    f.db.transact().with(delete_by_key(&key)).await.unwrap();
    assert_eq!(f.rows().await, before);
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
