//! Unconditional writes of entities.

use monotable_model::Error;
use monotable_types::item;

use super::fixture::{fixture, game, note, session};

#[tokio::test]
async fn a_put_creates_or_replaces_and_keeps_unknown_attributes() {
    let f = fixture().await;
    let mut n = note("n1", "first");
    n.topic = Some("sun".to_owned());
    n.mark = Some(1);
    assert_eq!(f.db.put(&n).await.unwrap(), n);
    f.add_raw("NOTE#n1", "NOTE", item! { "legacy" => 1 }).await;
    n.topic = None;
    n.mark = None;
    n.text = "second".to_owned();
    assert_eq!(f.db.put(&n).await.unwrap(), n);
    let row = f.row("NOTE#n1", "NOTE").await.unwrap();
    let expected = item! {
        "PK" => "NOTE#n1", "SK" => "NOTE", "ItemType" => "Note", "note_id" => "n1",
        "text" => "second", "likes" => 0, "legacy" => 1,
    };
    assert_eq!(row, expected);
}

#[tokio::test]
async fn a_put_of_an_envelope_keeps_unknown_entries_of_its_text() {
    let f = fixture().await;
    assert_eq!(f.db.put(&game("g1", "Bern")).await.unwrap().ver, 1);
    let data = r#"{"gameId":"g1","place":"Bern","weather":1}"#;
    f.add_raw("GAME#g1", "GAME", item! { "data" => data, "legacy" => 1 }).await;
    let g = f.db.put(&game("g1", "Thun")).await.unwrap();
    assert_eq!((g.place.as_str(), g.ver), ("Thun", 2));
    let row = f.row("GAME#g1", "GAME").await.unwrap();
    assert!(row["data"].as_s().unwrap().contains(r#""weather":1"#), "{row:?}");
    assert_eq!((&row["legacy"], &row["ver"]), (&1.into(), &2.into()));
}

#[tokio::test]
async fn a_put_moves_unique_values() {
    let f = fixture().await;
    f.db.put(&session("s1", Some("one"), None)).await.unwrap();
    let s = f.db.put(&session("s1", Some("two"), Some(10))).await.unwrap();
    assert_eq!(s.ver, 2);
    assert_eq!(f.sentinels().await, ["UNIQUE#Session#token#two"]);
    f.db.put(&session("s2", Some("one"), None)).await.unwrap();
    let error = f.db.put(&session("s1", Some("one"), None)).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { constraint: "token", .. }), "{error:?}");
    assert_eq!(f.sentinels().await.len(), 2);
}

#[tokio::test]
async fn nothing_of_an_expired_row_survives() {
    let f = fixture().await;
    f.db.put(&session("s1", Some("one"), Some(10))).await.unwrap();
    f.add_raw("SESSION#s1", "SESSION", item! { "legacy" => 1 }).await;
    f.clock.advance_ms(10_000);
    let s = f.db.put(&session("s1", Some("two"), None)).await.unwrap();
    assert_eq!(s.ver, 1);
    let row = f.row("SESSION#s1", "SESSION").await.unwrap();
    assert!(!row.contains_key("legacy") && !row.contains_key("ttl"), "{row:?}");
}
