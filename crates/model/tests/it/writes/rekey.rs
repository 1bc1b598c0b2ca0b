//! Entities that move to another key, with everything that belongs to them.

use monotable_model::Error;
use monotable_model::rekey;
use monotable_types::{item, map};

use super::fixture::{Fixture, fixture, game, note, player, player_key, session, team, user};
use crate::league::{Badge, Player, Session, Team, TeamId};

/// Returns a team with all the rows that one can have.
async fn red(f: &Fixture) -> Team {
    let motto = Some("Go".to_owned());
    f.db.create(&Team { motto, ..team("t1", "Red") }).await.unwrap()
}

fn moved(team: &Team) -> Team {
    Team { team_id: TeamId::new("t9").unwrap(), ..team.clone() }
}

#[tokio::test]
async fn rows_with_the_same_key_change_in_place_and_the_others_move() {
    let f = fixture().await;
    let red = red(&f).await;
    f.add_raw("TEAM#t1", "METADATA", item! { "extra" => "kept" }).await;
    f.clock.advance_ms(1_000);
    let new = f.db.rekey(&red, &moved(&red)).await.unwrap();
    assert_eq!((new.ver, new.created_at), (2, red.created_at));
    assert!(new.updated_at > red.updated_at);
    assert_eq!(f.db.verify(&new).await.unwrap(), []);
    assert_eq!(f.rows().await.len(), 4, "the row, its sentinel and two mirrors");
    assert_eq!(f.row("TEAM#t1", "METADATA").await, None);
    assert_eq!(f.row("TEAM#t1", "FACET").await, None);
    let row = f.row("TEAM#t9", "METADATA").await.unwrap();
    assert_eq!(row["extra"], "kept".into());
    let [sentinel] = f.sentinels().await.try_into().unwrap();
    let owner = f.rows().await.into_iter().find(|row| row["PK"] == sentinel.as_str().into());
    let key = map! { "PK" => "TEAM#t9", "SK" => "METADATA" };
    assert_eq!(owner.unwrap()["owner"], key);
    // The value is still taken, and free when the team goes.
    let taken = f.db.create(&team("t2", "Red")).await.unwrap_err();
    assert!(matches!(taken, Error::UniqueTaken { .. }), "{taken:?}");
    f.db.delete(&new).await.unwrap();
    assert!(f.rows().await.is_empty());
}

#[tokio::test]
async fn everything_else_may_change_with_the_key() {
    let f = fixture().await;
    let red = red(&f).await;
    let blue = Team { name: "Blue".to_owned(), motto: None, ..moved(&red) };
    let blue = f.db.rekey(&red, &blue).await.unwrap();
    assert_eq!(f.db.verify(&blue).await.unwrap(), []);
    assert_eq!(f.rows().await.len(), 3, "no motto, no facet");
    f.db.create(&team("t1", "Red")).await.unwrap();
}

#[tokio::test]
async fn index_keys_follow() {
    let f = fixture().await;
    let linked = Player { user_id: Some(user("u1")), ..player("t1", "p1") };
    let p = f.db.create(&linked).await.unwrap();
    let to = Player { team_id: TeamId::new("t2").unwrap(), ..p.clone() };
    let mut tx = f.db.transact();
    let moved = tx.add(rekey(&p, &to));
    assert_eq!(tx.commit().await.unwrap()[moved].ver, 2);
    let found = f.query("GSI4", "GSI4PK", "USER#u1").await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["PK"], "TEAM#t2".into());
    assert!(!f.db.delete_by_key(&player_key("t1", "p1")).await.unwrap());
}

#[tokio::test]
async fn a_taken_key_or_a_changed_row_is_reported_and_nothing_moves() {
    let f = fixture().await;
    let red = red(&f).await;
    f.db.create(&team("t9", "Nine")).await.unwrap();
    let rows = f.rows().await;
    let error = f.db.rekey(&red, &moved(&red)).await.unwrap_err();
    assert!(matches!(error, Error::Exists { entity: "Team" }), "{error:?}");
    assert_eq!(f.rows().await, rows);
    let to = Team { team_id: TeamId::new("t8").unwrap(), ..red.clone() };
    let new = f.db.edit(red.clone(), |t| t.motto = None).await.unwrap();
    let error = f.db.rekey(&red, &to).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { .. }), "{error:?}");
    let error = f.db.transact().with(rekey(&red, &to)).await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert_eq!((failures[0].label.operation, failures[0].label.entity), ("rekey", "Team"));
    assert!(matches!(failures[0].error, Error::VersionConflict { .. }), "{failures:?}");
    f.db.delete(&new).await.unwrap();
    let error = f.db.rekey(&new, &to).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { entity: "Team" }), "{error:?}");
}

#[tokio::test]
async fn fields_outside_the_key_stay_immutable() {
    let f = fixture().await;
    let red = red(&f).await;
    let older = Team { founded: 1800, ..moved(&red) };
    let error = f.db.rekey(&red, &older).await.unwrap_err();
    assert!(matches!(error, Error::Immutable { field: "founded", .. }), "{error:?}");
    let badge = Badge { badge_id: "b1".to_owned(), series: 1, number: Some(7), ver: 0 };
    let badge = f.db.create(&badge).await.unwrap();
    let to = Badge { badge_id: "b2".to_owned(), ..badge.clone() };
    let to = f.db.rekey(&badge, &to).await.unwrap();
    assert_eq!(f.db.verify(&to).await.unwrap(), []);
    assert_eq!(f.rows().await.len(), 4 + 2, "its number moved with it");
}

#[tokio::test]
async fn without_a_change_of_the_key_it_is_an_edit() {
    let f = fixture().await;
    let red = red(&f).await;
    let renamed = Team { name: "Blue".to_owned(), ..red.clone() };
    let blue = f.db.rekey(&red, &renamed).await.unwrap();
    assert_eq!((blue.ver, blue.name.as_str()), (2, "Blue"));
    assert_eq!(f.db.rekey(&blue, &blue).await.unwrap(), blue, "and of nothing, nothing");
    assert_eq!(f.db.verify(&blue).await.unwrap(), []);
}

#[tokio::test]
async fn envelopes_and_entities_without_a_version_move_whole() {
    let f = fixture().await;
    let g = f.db.create(&game("g1", "Here")).await.unwrap();
    let mut to = g.clone();
    to.game_id = "g2".to_owned();
    let to = f.db.rekey(&g, &to).await.unwrap();
    assert_eq!((to.ver, f.rows().await.len()), (2, 1));
    let n = f.db.create(&note("n1", "x")).await.unwrap();
    let mut to = n.clone();
    to.note_id = "n2".to_owned();
    f.db.edit(n.clone(), |n| n.text = "y".to_owned()).await.unwrap();
    let error = f.db.rekey(&n, &to).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { .. }), "{error:?}");
}

#[tokio::test]
async fn an_expired_row_does_not_block_a_key_and_cannot_move() {
    let f = fixture().await;
    f.db.create(&session("s2", None, Some(5))).await.unwrap();
    let s1 = f.db.create(&session("s1", Some("secret"), Some(50))).await.unwrap();
    let to = Session { session_id: "s2".to_owned(), ..s1.clone() };
    let error = f.db.rekey(&s1, &to).await.unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error:?}");
    f.clock.advance_ms(5_000);
    let s2 = f.db.rekey(&s1, &to).await.unwrap();
    assert_eq!((s2.ver, f.sentinels().await.len()), (2, 1));
    f.clock.advance_ms(45_000);
    let error = f.db.rekey(&s2, &s1).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
}

#[tokio::test]
async fn one_moves_out_and_another_moves_in() {
    let f = fixture().await;
    let red = red(&f).await;
    let blue = f.db.create(&team("t2", "Blue")).await.unwrap();
    // From then on the second entity has the value that the first one releases.
    let gone = Team { name: "Green".to_owned(), ..moved(&red) };
    let heir = Team { name: "Red".to_owned(), ..blue.clone() };
    f.db.transact().with(rekey(&red, &gone)).with(rekey(&blue, &heir)).await.map(drop).unwrap();
    assert_eq!(f.sentinels().await.len(), 2);
}
