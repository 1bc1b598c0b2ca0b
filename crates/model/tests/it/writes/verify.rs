//! Derived rows of an entity that other programs damaged.

use monotable_model::backend::Backend;
use monotable_model::backend::request::{Action, Returns, Write};
use monotable_model::{Drift, DriftKind, Error};
use monotable_types::{Item, item, map};

use super::fixture::{Fixture, fixture, team};
use crate::league::Team;

async fn red(f: &Fixture) -> Team {
    let mut red = team("t1", "Red");
    red.motto = Some("Go".to_owned());
    f.db.create(&red).await.unwrap()
}

async fn remove(f: &Fixture, key: Item) {
    let write = Write {
        table: "league-dev".into(),
        action: Action::Delete(key),
        condition: None,
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    };
    f.backend.write(write).await.unwrap();
}

fn told(drifts: &[Drift]) -> Vec<String> {
    drifts.iter().map(Drift::to_string).collect()
}

#[tokio::test]
async fn missing_and_different_rows_are_reported_and_repaired() {
    let f = fixture().await;
    let t = red(&f).await;
    assert_eq!(f.db.verify(&t).await.unwrap(), []);
    let whole = f.rows().await;
    f.add_raw("NAME#Red", "TEAM", item! { "motto" => "Stop" }).await;
    remove(&f, item! { "PK" => "TEAM#t1", "SK" => "FACET" }).await;
    remove(&f, item! { "PK" => "UNIQUE#TEAM#name#Red", "SK" => "UNIQUE" }).await;
    let drifts = f.db.verify(&t).await.unwrap();
    let expected = ["unique name: missing", "mirror Team: different", "mirror TeamFacet: missing"];
    assert_eq!(told(&drifts), expected);
    assert_eq!(f.db.repair(&t).await.unwrap(), drifts);
    assert_eq!(f.rows().await, whole);
    assert_eq!(f.db.repair(&t).await.unwrap(), []);
}

#[tokio::test]
async fn a_value_that_another_entity_holds_is_not_taken_from_it() {
    let f = fixture().await;
    let t = red(&f).await;
    let owner = map! { "PK" => "TEAM#t2", "SK" => "METADATA" };
    f.add_raw("UNIQUE#TEAM#name#Red", "UNIQUE", item! { "owner" => owner }).await;
    let drifts = f.db.verify(&t).await.unwrap();
    assert_eq!(drifts[0].kind, DriftKind::Taken);
    let error = f.db.repair(&t).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { constraint: "name", .. }), "{error:?}");
}

#[tokio::test]
async fn the_entity_is_looked_at_as_it_is_stored() {
    let f = fixture().await;
    let t = red(&f).await;
    let newer = f.db.edit(t.clone(), |t| t.name = "Blue".to_owned()).await.unwrap();
    assert_eq!(f.db.verify(&t).await.unwrap(), []);
    f.db.delete(&newer).await.unwrap();
    let error = f.db.verify(&t).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
}

#[tokio::test]
async fn index_keys_and_the_type_of_the_own_row_are_made_right() {
    let f = fixture().await;
    let mut p = super::fixture::player("t1", "p1");
    p.user_id = Some(super::fixture::user("u1"));
    let p = f.db.create(&p).await.unwrap();
    let whole = f.rows().await;
    let stale =
        item! { "GSI4PK" => "USER#u9", "GSI3PK" => "TEAM#t1#goal", "GSI3SK" => "NUMBER#001" };
    f.add_raw("TEAM#t1", "PLAYER#p1", stale).await;
    let drifts = f.db.verify(&p).await.unwrap();
    assert_eq!(told(&drifts), ["keys of Player: different"]);
    assert_eq!(f.db.repair(&p).await.unwrap(), drifts);
    assert_eq!(f.rows().await, whole);
    let mut row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    row.remove("ItemType");
    row.remove("GSI4SK");
    f.write_raw(row).await;
    assert_eq!(f.db.repair(&p).await.unwrap().len(), 1);
    assert_eq!(
        f.rows().await,
        whole,
        "the version stays: nothing that the entity says has changed"
    );
}

#[tokio::test]
async fn a_row_that_was_lost_is_restored_from_its_mirror() {
    let f = fixture().await;
    let t = red(&f).await;
    let error = f.db.restore(&t).await.unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error:?}");
    let (whole, own) = (f.rows().await, item! { "PK" => "TEAM#t1", "SK" => "METADATA" });
    remove(&f, own.clone()).await;
    f.db.restore(&t).await.unwrap();
    assert_eq!(f.rows().await, whole, "its index keys are there, too");
    // What the entity does not know stays.
    f.add_raw("NAME#Red", "TEAM", item! { "colour" => "red" }).await;
    remove(&f, own.clone()).await;
    f.db.restore(&t).await.unwrap();
    assert_eq!(f.row("TEAM#t1", "METADATA").await.unwrap()["colour"], "red".into());
    // Without the mirror there is nothing to restore it from.
    remove(&f, own).await;
    remove(&f, item! { "PK" => "NAME#Red", "SK" => "TEAM" }).await;
    let error = f.db.restore(&t).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
}
