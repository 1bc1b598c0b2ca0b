//! A new row where none is.

use expect_test::expect;
use monotable_model::Error;
use monotable_types::{Item, item, map};

use super::fixture::{START_SECONDS, fixture, now, player, team, user};

#[tokio::test]
async fn a_new_entity_has_version_1_its_stamps_and_all_its_rows() {
    let f = fixture().await;
    let mut red = team("t1", "Red Stars #1");
    red.motto = Some("Go".to_owned());
    let created = f.db.create(&red).await.unwrap();
    assert_eq!((created.ver, created.created_at, created.updated_at), (1, now(), now()));
    let fields = item! {
        "teamId" => "t1", "name" => "Red Stars #1", "motto" => "Go", "founded" => 1900, "ver" => 1,
        "createdAt" => "2026-01-01T00:00:00.000Z", "updatedAt" => "2026-01-01T00:00:00.000Z",
        "ItemType" => "TEAM",
    };
    let with = |more: Item| fields.clone().into_iter().chain(more).collect::<Item>();
    assert_eq!(
        f.row("TEAM#t1", "METADATA").await.unwrap(),
        with(item! {
            "PK" => "TEAM#t1", "SK" => "METADATA",
            "GSI2PK" => "ENTITY#TEAM", "GSI2SK" => "METADATA#Red Stars #1",
        })
    );
    // The mirror is in no index, so the index returns the team once.
    assert_eq!(
        f.row("NAME#Red Stars #1", "TEAM").await.unwrap(),
        with(item! { "PK" => "NAME#Red Stars #1", "SK" => "TEAM" })
    );
    assert_eq!(
        f.row("TEAM#t1", "FACET").await.unwrap(),
        item! {
            "PK" => "TEAM#t1", "SK" => "FACET", "ItemType" => "TeamFacet",
            "teamId" => "t1", "motto" => "Go",
        }
    );
    assert_eq!(
        f.row("UNIQUE#TEAM#name#Red%20Stars%20%231", "UNIQUE").await.unwrap(),
        item! {
            "PK" => "UNIQUE#TEAM#name#Red%20Stars%20%231", "SK" => "UNIQUE", "ItemType" => "UNIQUE",
            "owner" => map! { "PK" => "TEAM#t1", "SK" => "METADATA" },
        }
    );
    assert_eq!(f.rows().await.len(), 4);
}

#[tokio::test]
async fn a_key_that_is_taken_is_not_overwritten() {
    let f = fixture().await;
    f.db.create(&player("t1", "p1")).await.unwrap();
    let mut again = player("t1", "p1");
    again.number = Some(7);
    let error = f.db.create(&again).await.unwrap_err();
    assert!(matches!(error, Error::Exists { entity: "Player" }), "{error:?}");
    assert!(!f.row("TEAM#t1", "PLAYER#p1").await.unwrap().contains_key("number"));
}

#[tokio::test]
async fn a_unique_value_is_had_once_and_nothing_is_left_of_the_second() {
    let f = fixture().await;
    f.db.create(&team("t1", "Red")).await.unwrap();
    let rows = f.rows().await;
    let error = f.db.create(&team("t2", "Red")).await.unwrap_err();
    assert!(
        matches!(error, Error::UniqueTaken { entity: "Team", constraint: "name" }),
        "{error:?}"
    );
    assert_eq!(f.rows().await, rows);
    // If both are taken, the error of the key takes precedence.
    let error = f.db.create(&team("t1", "Red")).await.unwrap_err();
    assert!(matches!(error, Error::Exists { entity: "Team" }), "{error:?}");
}

#[tokio::test]
async fn values_that_differ_only_in_encoded_characters_are_different() {
    let f = fixture().await;
    for (position, name) in ["a b", "a%20b", "a#b", "a%23b", "A b"].into_iter().enumerate() {
        f.db.create(&team(&format!("t{position}"), name)).await.unwrap();
    }
    assert_eq!(f.sentinels().await.len(), 5);
}

#[tokio::test]
async fn a_sparse_index_has_all_key_attributes_or_none() {
    let f = fixture().await;
    let mut linked = player("t1", "p1");
    linked.user_id = Some(user("u1"));
    linked.number = Some(7);
    f.db.create(&linked).await.unwrap();
    f.db.create(&player("t1", "p2")).await.unwrap();
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert_eq!(row["GSI4PK"].as_s(), Some("USER#u1"));
    assert_eq!(row["GSI4SK"].as_s(), Some("PLAYER#p1"));
    // The number alone does not make a key: the position is part of it.
    assert!(!row.contains_key("GSI3PK") && !row.contains_key("GSI3SK"));
    let row = f.row("TEAM#t1", "PLAYER#p2").await.unwrap();
    assert!(row.keys().all(|attribute| !attribute.starts_with("GSI")), "{row:?}");
    assert_eq!(f.query("GSI4", "GSI4PK", "USER#u1").await.len(), 1);
}

#[tokio::test]
async fn values_not_valid_in_a_key_are_refused_before_anything_is_written() {
    let f = fixture().await;
    let error = f.db.create(&team("t1", "")).await.unwrap_err();
    expect!["Team: a key part is empty; give it a value"].assert_eq(&error.to_string());
    let error = f.db.create(&team("t1", &"x".repeat(2048))).await.unwrap_err();
    assert!(matches!(error, Error::Key { entity: "Team", .. }), "{error:?}");
    assert!(f.rows().await.is_empty());
}

#[tokio::test]
async fn an_expired_row_is_absent() {
    let f = fixture().await;
    let expiring = super::fixture::session("s1", Some("secret"), Some(10));
    f.db.create(&expiring).await.unwrap();
    let other = super::fixture::session("s2", Some("secret"), None);
    assert!(matches!(f.db.create(&expiring).await, Err(Error::Exists { .. })));
    assert!(matches!(f.db.create(&other).await, Err(Error::UniqueTaken { .. })));
    f.clock.advance_ms(9_999);
    assert!(matches!(f.db.create(&other).await, Err(Error::UniqueTaken { .. })));
    f.clock.advance_ms(1);
    f.db.create(&other).await.unwrap();
    let mut again = expiring.clone();
    again.token = None;
    again.ttl = None;
    let again = f.db.create(&again).await.unwrap();
    assert_eq!(again.ver, 1);
    let row = f.row("UNIQUE#Session#token#secret", "UNIQUE").await.unwrap();
    assert_eq!(row["owner"].as_m().unwrap()["PK"].as_s(), Some("SESSION#s2"));
    assert!(!row.contains_key("ttl"), "the new owner never expires: {START_SECONDS}");
}
