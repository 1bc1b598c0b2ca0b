//! Rows that go, with those that exist because of them.

use monotable_model::Error;
use monotable_types::item;

use super::fixture::{fixture, note, player, player_key, session, team};
use crate::league::{NoteKey, Session, SessionKey, TeamKey};

#[tokio::test]
async fn all_rows_of_an_entity_are_deleted_and_its_values_are_released() {
    let f = fixture().await;
    let mut red = team("t1", "Red");
    red.motto = Some("Go".to_owned());
    let red = f.db.create(&red).await.unwrap();
    f.db.delete(&red).await.unwrap();
    assert!(f.rows().await.is_empty());
    f.db.create(&team("t2", "Red")).await.unwrap();
}

#[tokio::test]
async fn a_changed_row_is_not_deleted() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    f.db.edit(red.clone(), |t| t.name = "Blue".to_owned()).await.unwrap();
    let rows = f.rows().await;
    let error = f.db.delete(&red).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { entity: "Team", .. }), "{error:?}");
    assert_eq!(f.rows().await, rows);
}

#[tokio::test]
async fn a_missing_row_is_reported() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.delete(&p).await.unwrap();
    let error = f.db.delete(&p).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { entity: "Player" }), "{error:?}");
}

#[tokio::test]
async fn deleting_by_key_returns_whether_there_was_a_row() {
    let f = fixture().await;
    f.db.create(&player("t1", "p1")).await.unwrap();
    let mut red = team("t1", "Red");
    red.motto = Some("Go".to_owned());
    f.db.create(&red).await.unwrap();
    assert!(f.db.delete_by_key(&player_key("t1", "p1")).await.unwrap());
    assert!(!f.db.delete_by_key(&player_key("t1", "p1")).await.unwrap());
    let key = TeamKey::new(red.team_id.clone());
    assert!(f.db.delete_by_key(&key).await.unwrap());
    assert!(!f.db.delete_by_key(&key).await.unwrap());
    assert!(f.rows().await.is_empty());
}

#[tokio::test]
async fn an_expired_row_is_gone_already() {
    let f = fixture().await;
    let s = f.db.create(&session("s1", Some("secret"), Some(10))).await.unwrap();
    f.clock.advance_ms(10_000);
    let error = f.db.delete(&s).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
    assert!(!f.db.delete_by_key(&SessionKey::new("s1".to_owned())).await.unwrap());
    // The value belongs to another session now, and stays there.
    let s2 = f.db.create(&session("s2", Some("secret"), None)).await.unwrap();
    assert!(!f.db.delete_by_key(&SessionKey::new("s1".to_owned())).await.unwrap());
    let error = f.db.create(&session("s3", Some("secret"), None)).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { .. }), "{error:?}");
    f.db.delete(&s2).await.unwrap();
    assert!(f.sentinels().await.is_empty());
}

#[tokio::test]
async fn without_a_version_any_row_is_deleted() {
    let f = fixture().await;
    let n = f.db.create(&note("n1", "x")).await.unwrap();
    f.db.edit(n.clone(), |n| n.text = "y".to_owned()).await.unwrap();
    f.db.delete(&n).await.unwrap();
    assert!(!f.db.delete_by_key(&NoteKey::new("n1".to_owned())).await.unwrap());
}

#[tokio::test]
async fn an_expiry_with_fractions_of_seconds_is_compared() {
    let f = fixture().await;
    f.db.create(&session("s1", None, None)).await.unwrap();
    let key = SessionKey::new("s1".to_owned());
    let half = monotable_types::number!("1767225600.5");
    f.add_raw("SESSION#s1", "SESSION", item! { "ttl" => half }).await;
    let visit = || Session::update(&key).add_visits(1);
    assert!(f.db.update(visit()).await.is_err(), "there, and no session");
    f.clock.advance_ms(1_000);
    assert!(!f.db.delete_by_key(&key).await.unwrap(), "expired");
    assert_eq!(f.db.update(visit().or_create()).await.unwrap().visits, 1);
}
