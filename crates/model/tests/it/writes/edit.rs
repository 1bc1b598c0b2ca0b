//! Changes of entities that were read.

use monotable_model::Error;
use monotable_model::edit;
use monotable_types::item;

use super::fixture::{Fixture, fixture, game, note, player, team, user};
use crate::league::{Badge, Player, Position, TeamId};

#[tokio::test]
async fn an_edit_counts_the_version_and_sets_the_stamp() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.clock.advance_ms(1_000);
    let p = f.db.edit(p, |p| p.number = Some(7)).await.unwrap();
    assert_eq!((p.ver, p.number), (2, Some(7)));
    assert_eq!(p.updated_at.to_string(), "2026-01-01T00:00:01.000Z");
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert_eq!((&row["ver"], &row["number"]), (&2.into(), &7.into()));
    assert_eq!(row["updatedAt"].as_s(), Some("2026-01-01T00:00:01.000Z"));
}

#[tokio::test]
async fn an_edit_that_changes_nothing_writes_nothing() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let before = f.rows().await;
    f.clock.advance_ms(1_000);
    // The version is not the closure's to change.
    let same = f.db.edit(p.clone(), |p| p.ver = 70).await.unwrap();
    assert_eq!(same, p);
    assert_eq!(f.rows().await, before);
}

#[tokio::test]
async fn an_edit_without_changes_still_requires_its_row() {
    let f = fixture().await;
    let error = f.db.edit(player("t1", "p1"), |_| ()).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { entity: "Player" }), "{error:?}");
    let stale = f.db.create(&player("t1", "p1")).await.unwrap();
    let p = f.db.edit(stale.clone(), |p| p.number = Some(1)).await.unwrap();
    let error = f.db.edit(stale, |_| ()).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { entity: "Player", .. }), "{error:?}");
    assert_eq!(f.db.edit(p.clone(), |p| p.number = Some(1)).await.unwrap(), p);
    // The row of a club is read before every edit.
    let error = f.db.edit(team("t1", "Red"), |_| ()).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { entity: "Team" }), "{error:?}");
    // Without a version, what was not changed may be anything.
    let n = f.db.create(&note("n1", "first")).await.unwrap();
    f.db.edit(n.clone(), |n| n.mark = Some(1)).await.unwrap();
    assert_eq!(f.db.edit(n.clone(), |_| ()).await.unwrap(), n);
}

#[tokio::test]
async fn index_keys_follow_the_fields_in_both_directions() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let p =
        f.db.edit(p, |p| {
            p.user_id = Some(user("u1"));
            p.position = Some(Position::Goal);
            p.number = Some(1);
        })
        .await
        .unwrap();
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert_eq!(row["GSI3PK"].as_s(), Some("TEAM#t1#goal"));
    assert_eq!(row["GSI3SK"].as_s(), Some("NUMBER#001"));
    assert_eq!(row["GSI4PK"].as_s(), Some("USER#u1"));
    let p = f.db.edit(p, |p| p.user_id = Some(user("u2"))).await.unwrap();
    assert_eq!(f.query("GSI4", "GSI4PK", "USER#u1").await.len(), 0);
    assert_eq!(f.query("GSI4", "GSI4PK", "USER#u2").await.len(), 1);
    f.db.edit(p, |p| {
        p.user_id = None;
        p.number = None;
    })
    .await
    .unwrap();
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert!(row.keys().all(|attribute| !attribute.starts_with("GSI")), "{row:?}");
    assert_eq!(row["position"].as_s(), Some("goal"));
}

#[tokio::test]
async fn concurrent_changes_are_not_overwritten() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.edit(p.clone(), |p| p.number = Some(1)).await.unwrap();
    let error = f.db.edit(p.clone(), |p| p.number = Some(2)).await.unwrap_err();
    let Error::VersionConflict { entity: "Player", key } = &error else { panic!("{error:?}") };
    assert_eq!(key, "TEAM#t1 / PLAYER#p1");
    assert_eq!(f.row("TEAM#t1", "PLAYER#p1").await.unwrap()["number"], 1.into());
}

#[tokio::test]
async fn a_row_that_is_gone_is_not_created() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.delete(&p).await.unwrap();
    let error = f.db.edit(p, |p| p.number = Some(2)).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { entity: "Player" }), "{error:?}");
    assert!(f.rows().await.is_empty());
}

#[tokio::test]
async fn keys_and_immutable_fields_stay() {
    let f = fixture().await;
    let t = f.db.create(&team("t1", "Red")).await.unwrap();
    let error = f.db.edit(t.clone(), |t| t.team_id = TeamId::new("t2").unwrap()).await.unwrap_err();
    assert!(matches!(error, Error::KeyChanged { entity: "Team" }), "{error:?}");
    let error = f.db.edit(t.clone(), |t| t.founded = 1901).await.unwrap_err();
    assert!(matches!(error, Error::Immutable { field: "founded", .. }), "{error:?}");
    let error = f.db.edit(t, |t| t.created_at = t.created_at + SECOND).await.unwrap_err();
    assert!(matches!(error, Error::Immutable { field: "created_at", .. }), "{error:?}");
}

const SECOND: std::time::Duration = std::time::Duration::from_secs(1);

#[tokio::test]
async fn unique_values_and_mirrors_move_with_the_change() {
    let f = fixture().await;
    let t = f.db.create(&team("t1", "Red")).await.unwrap();
    let t =
        f.db.edit(t, |t| {
            t.name = "Blue".to_owned();
            t.motto = Some("Go".to_owned());
        })
        .await
        .unwrap();
    assert_eq!(f.sentinels().await, ["UNIQUE#TEAM#name#Blue"]);
    assert!(f.row("NAME#Red", "TEAM").await.is_none());
    assert_eq!(f.row("NAME#Blue", "TEAM").await.unwrap()["ver"], 2.into());
    assert_eq!(f.row("TEAM#t1", "FACET").await.unwrap()["motto"].as_s(), Some("Go"));
    // The name is free again.
    f.db.create(&team("t2", "Red")).await.unwrap();
    let error = f.db.edit(t.clone(), |t| t.name = "Red".to_owned()).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { constraint: "name", .. }), "{error:?}");
    let t = f.db.edit(t, |t| t.motto = None).await.unwrap();
    assert!(f.row("TEAM#t1", "FACET").await.is_none());
    assert_eq!(f.row("NAME#Blue", "TEAM").await.unwrap()["ver"], t.ver.into());
}

#[tokio::test]
async fn attributes_that_the_entity_does_not_know_survive() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.add_raw("TEAM#t1", "PLAYER#p1", item! { "legacy" => "kept" }).await;
    f.db.edit(p, |p| p.number = Some(2)).await.unwrap();
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert_eq!((row["legacy"].as_s(), &row["number"]), (Some("kept"), &2.into()));
}

#[tokio::test]
async fn keys_of_an_envelope_that_the_entity_does_not_know_survive() {
    let f = fixture().await;
    let g = f.db.create(&game("g1", "Bern")).await.unwrap();
    let data = r#"{"gameId":"g1","place":"Bern","weather":{"wind":3.10}}"#;
    f.add_raw("GAME#g1", "GAME", item! { "data" => data, "legacy" => 1 }).await;
    let g = f.db.edit(g, |g| g.place = "Thun".to_owned()).await.unwrap();
    let row = f.row("GAME#g1", "GAME").await.unwrap();
    let data = row["data"].as_s().unwrap();
    assert!(data.contains(r#""place":"Thun""#) && data.contains(r#""wind":3.10"#), "{data}");
    assert_eq!((&row["legacy"], &row["ver"]), (&1.into(), &2.into()));
    // Only the attribute next to it changes, and the text stays the same.
    let before = data.to_owned();
    f.db.edit(g.clone(), |g| g.state = "over".to_owned()).await.unwrap();
    let row = f.row("GAME#g1", "GAME").await.unwrap();
    assert_eq!(row["state"].as_s(), Some("over"));
    assert_eq!(row["data"].as_s(), Some(before.as_str()));
    let error = f.db.edit(g, |g| g.state = "late".to_owned()).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { .. }), "{error:?}");
}

#[tokio::test]
async fn a_row_from_before_there_were_versions_gets_one() {
    let f = fixture().await;
    let row = item! {
        "PK" => "GAME#g1", "SK" => "GAME", "ItemType" => "Game", "state" => "planned",
        "data" => r#"{"gameId":"g1","place":"Bern"}"#,
    };
    f.write_raw(row).await;
    let old = game("g1", "Bern");
    let g = f.db.edit(old.clone(), |g| g.state = "over".to_owned()).await.unwrap();
    assert_eq!(g.ver, 1);
    assert_eq!(f.row("GAME#g1", "GAME").await.unwrap()["ver"], 1.into());
    let error = f.db.edit(old, |g| g.state = "late".to_owned()).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { .. }), "{error:?}");
}

#[tokio::test]
async fn without_a_version_the_changed_attributes_are_compared() {
    let f = fixture().await;
    let n = f.db.create(&note("n1", "first")).await.unwrap();
    let theirs = f.db.edit(n.clone(), |n| n.mark = Some(1)).await.unwrap();
    // Another attribute may have changed in the meantime.
    f.db.edit(n.clone(), |n| n.text = "second".to_owned()).await.unwrap();
    let error = f.db.edit(n, |n| n.mark = Some(2)).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { entity: "Note", .. }), "{error:?}");
    f.db.edit(theirs, |n| n.mark = None).await.unwrap();
    let row = f.row("NOTE#n1", "NOTE").await.unwrap();
    assert_eq!((row["text"].as_s(), row.get("mark")), (Some("second"), None));
}

#[tokio::test]
async fn a_default_that_was_never_stored_is_not_a_concurrent_change() {
    let f = fixture().await;
    f.write_raw(
        item! { "PK" => "NOTE#n1", "SK" => "NOTE", "ItemType" => "Note", "note_id" => "n1" },
    )
    .await;
    let n = f.db.edit(note("n1", ""), |n| n.text = "new".to_owned()).await.unwrap();
    assert_eq!(n.text, "new");
    expect_text(&f, "new").await;
}

async fn expect_text(f: &Fixture, text: &str) {
    assert_eq!(f.row("NOTE#n1", "NOTE").await.unwrap()["text"].as_s(), Some(text));
}

#[tokio::test]
async fn an_edit_of_a_previous_incarnation_leaves_no_key() {
    let f = fixture().await;
    let mut p = player("t1", "p1");
    p.position = Some(Position::Goal);
    let first = f.db.create(&p).await.unwrap();
    f.db.delete(&first).await.unwrap();
    f.db.create(&player("t1", "p1")).await.unwrap();
    // Both have version 1, and the new one has no position.
    let error = f.db.edit(first, |p| p.number = Some(1)).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { .. }), "{error:?}");
    let t = f.db.create(&team("t1", "Red")).await.unwrap();
    f.db.delete(&t).await.unwrap();
    f.db.create(&team("t1", "Blue")).await.unwrap();
    let error = f.db.delete(&t).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { .. }), "{error:?}");
    assert_eq!(f.sentinels().await, ["UNIQUE#TEAM#name#Blue"]);
}

#[tokio::test]
async fn attributes_in_another_form_are_not_a_concurrent_change() {
    let f = fixture().await;
    f.db.create(&team("t1", "Red")).await.unwrap();
    let other_form = item! { "createdAt" => "2026-01-01T00:00:00Z" };
    f.add_raw("TEAM#t1", "METADATA", other_form).await;
    let mut t = team("t1", "Red");
    (t.ver, t.created_at, t.updated_at) = (1, super::fixture::now(), super::fixture::now());
    let t = f.db.edit(t, |t| t.motto = Some("Go".to_owned())).await.unwrap();
    assert_eq!(f.row("NAME#Red", "TEAM").await.unwrap()["ver"], 2.into());
    f.add_raw("TEAM#t1", "METADATA", item! { "updatedAt" => "2026-01-01T00:00:00Z" }).await;
    f.db.transact().with(edit(&t, |t| t.motto = None)).await.unwrap();
}

#[tokio::test]
async fn a_value_that_is_never_released_stays_with_its_owner() {
    let f = fixture().await;
    let badge = |id: &str, number| Badge { badge_id: id.to_owned(), series: 1, number, ver: 0 };
    let b = f.db.create(&badge("b1", Some(10))).await.unwrap();
    let b = f.db.edit(b, |b| b.number = Some(11)).await.unwrap();
    for number in [10, 11] {
        let error = f.db.create(&badge("b2", Some(number))).await.unwrap_err();
        assert!(matches!(error, Error::UniqueTaken { constraint: "shirt", .. }), "{error:?}");
    }
    assert!(f.row("SERIES#1", "NUMBER#00010").await.is_some());
    let b = f.db.edit(b, |b| b.number = Some(10)).await.unwrap();
    let b = f.db.edit(b, |b| b.number = None).await.unwrap();
    f.db.delete(&b).await.unwrap();
    let error = f.db.create(&badge("b2", Some(10))).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { .. }), "{error:?}");
    f.db.create(&badge("b1", Some(10))).await.unwrap();
    f.db.create(&badge("b2", None)).await.unwrap();
    f.db.create(&badge("b3", None)).await.unwrap();
}

/// A row that was deleted and created again starts with version 1 again. A caller with its previous
/// incarnation must not leave index keys that lack a field.
#[tokio::test]
async fn a_field_of_an_index_is_protected_by_the_other_fields_of_the_index() {
    let f = fixture().await;
    let old = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.delete(&old).await.unwrap();
    f.db.create(&Player { number: Some(7), ..player("t1", "p1") }).await.unwrap();
    let stale = f.db.edit(old, |player| player.position = Some(Position::Goal)).await;
    assert!(matches!(stale, Err(Error::VersionConflict { .. })), "{stale:?}");
}
