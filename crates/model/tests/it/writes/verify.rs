//! Rows beside an entity that other programs damaged.

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
    };
    f.backend.write(write).await.unwrap();
}

fn told(drifts: &[Drift]) -> Vec<String> {
    drifts.iter().map(Drift::to_string).collect()
}

#[tokio::test]
async fn what_is_missing_or_different_is_told_and_repaired() {
    let f = fixture().await;
    let t = red(&f).await;
    assert_eq!(f.db.verify_mirrors(&t).await.unwrap(), []);
    let whole = f.rows().await;
    f.add_raw("NAME#Red", "TEAM", item! { "motto" => "Stop" }).await;
    remove(&f, item! { "PK" => "TEAM#t1", "SK" => "FACET" }).await;
    remove(&f, item! { "PK" => "UNIQUE#TEAM#name#Red", "SK" => "UNIQUE" }).await;
    let drifts = f.db.verify_mirrors(&t).await.unwrap();
    let expected = ["unique name is missing", "mirror Team differs", "mirror TeamFacet is missing"];
    assert_eq!(told(&drifts), expected);
    assert_eq!(f.db.repair_mirrors(&t).await.unwrap(), drifts);
    assert_eq!(f.rows().await, whole);
    assert_eq!(f.db.repair_mirrors(&t).await.unwrap(), []);
}

#[tokio::test]
async fn a_value_that_another_entity_holds_is_not_taken_from_it() {
    let f = fixture().await;
    let t = red(&f).await;
    let owner = map! { "PK" => "TEAM#t2", "SK" => "METADATA" };
    f.add_raw("UNIQUE#TEAM#name#Red", "UNIQUE", item! { "owner" => owner }).await;
    let drifts = f.db.verify_mirrors(&t).await.unwrap();
    assert_eq!(drifts[0].kind, DriftKind::Taken);
    let error = f.db.repair_mirrors(&t).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { constraint: "name", .. }), "{error:?}");
}

#[tokio::test]
async fn the_entity_is_looked_at_as_it_is_stored() {
    let f = fixture().await;
    let t = red(&f).await;
    let newer = f.db.edit(t.clone(), |t| t.name = "Blue".to_owned()).await.unwrap();
    assert_eq!(f.db.verify_mirrors(&t).await.unwrap(), []);
    f.db.delete(&newer).await.unwrap();
    let error = f.db.verify_mirrors(&t).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
}
