//! An entity of a previous incarnation can neither change nor delete the row of the next one.

use monotable_model::Error;
use monotable_model::{create, delete, edit};
use monotable_types::{Item, item};

use super::fixture::{Fixture, fixture, note, player, player_key, session};
use crate::league::{League, LeagueRow, Note, NoteKey, Player, Session, SessionKey};

fn is_conflict(error: &Error) -> bool {
    match error {
        Error::VersionConflict { .. } => true,
        Error::Transaction { failures } => failures.iter().all(|one| is_conflict(&one.error)),
        _ => false,
    }
}

/// Returns the player of a row.
fn read(row: Item) -> Player {
    match League::decode(row).unwrap() {
        Some(LeagueRow::Player(player)) => player,
        other => panic!("no player: {other:?}"),
    }
}

/// Returns a player of a previous incarnation, and the current one, which has the same version.
async fn earlier(f: &Fixture) -> (Player, Player) {
    let old = Player { nick_name: Some("old".to_owned()), ..player("t1", "p1") };
    let old = f.db.create(&old).await.unwrap();
    assert!(f.db.delete_by_key(&player_key("t1", "p1")).await.unwrap());
    let new = Player { nick_name: Some("new".to_owned()), ..player("t1", "p1") };
    let new = f.db.create(&new).await.unwrap();
    assert_eq!((old.ver, old.updated_at), (new.ver, new.updated_at));
    (old, new)
}

#[tokio::test]
async fn a_row_that_was_created_again_is_another_incarnation() {
    let f = fixture().await;
    let (old, new) = earlier(&f).await;
    let rows = f.rows().await;
    let goals = |p: &mut Player| p.goals = 3;
    let errors = [
        f.db.edit(old.clone(), goals).await.map(drop).unwrap_err(),
        f.db.edit(old.clone(), |_| ()).await.map(drop).unwrap_err(),
        f.db.delete(&old).await.unwrap_err(),
        f.db.transact().with(edit(&old, goals)).await.map(drop).unwrap_err(),
        f.db.transact().with(edit(&old, |_| ())).await.map(drop).unwrap_err(),
        f.db.transact().with(delete(&old)).await.map(drop).unwrap_err(),
    ];
    for error in errors {
        assert!(is_conflict(&error), "{error:?}");
    }
    assert_eq!(f.rows().await, rows);
    f.db.edit(new, goals).await.unwrap();
}

#[tokio::test]
async fn a_row_after_an_expired_one_is_another_incarnation() {
    let f = fixture().await;
    let old = f.db.create(&session("s1", None, Some(5))).await.unwrap();
    f.clock.advance_ms(5_000);
    let new = f.db.create(&session("s1", None, Some(60))).await.unwrap();
    assert_eq!((old.ver, new.ver), (1, 1));
    let error = f.db.delete(&old).await.unwrap_err();
    assert!(is_conflict(&error), "{error:?}");
    let error = f.db.edit(old, |s| s.visits = 9).await.unwrap_err();
    assert!(is_conflict(&error), "{error:?}");
    let key = SessionKey::new("s1".to_owned());
    assert_eq!(f.db.update(Session::update(&key).add_visits(1)).await.unwrap().visits, 1);
}

#[tokio::test]
async fn without_a_version_only_what_an_edit_replaces_is_compared() {
    let f = fixture().await;
    let n = f.db.create(&note("n1", "x")).await.unwrap();
    f.db.update(Note::update(&NoteKey::new("n1".to_owned())).add_likes(1)).await.unwrap();
    let n = f.db.edit(n, |n| n.text = "y".to_owned()).await.unwrap();
    f.db.delete(&n).await.unwrap();
}

#[tokio::test]
async fn rows_from_before_the_model_are_still_changed_and_deleted() {
    let f = fixture().await;
    let row = || {
        item! {
            "PK" => "TEAM#t1", "SK" => "PLAYER#p1", "ItemType" => "PLAYER", "teamId" => "t1",
            "playerId" => "p1", "ver" => 7, "updatedAt" => "2026-01-01T00:00:00Z", "number" => 4,
        }
    };
    f.write_raw(row()).await;
    let mut p = read(row());
    assert_eq!((p.ver, p.goals), (7, 0));
    p = f.db.edit(p, |p| p.nick_name = Some("Lefty".to_owned())).await.unwrap();
    assert_eq!(p.ver, 8);
    f.db.delete(&p).await.unwrap();
    f.write_raw(row()).await;
    let p = read(row());
    f.db.delete(&p).await.unwrap();
    assert!(f.rows().await.is_empty());
}

#[tokio::test]
async fn a_transaction_reads_rows_that_are_stored_in_another_form() {
    let f = fixture().await;
    let row = |id: &str| {
        item! {
            "PK" => "TEAM#t1", "SK" => format!("PLAYER#{id}"), "ItemType" => "PLAYER",
            "teamId" => "t1", "playerId" => id, "ver" => 7, "updatedAt" => "2026-01-01T00:00:00Z",
        }
    };
    for id in ["p1", "p2", "p3"] {
        f.write_raw(row(id)).await;
    }
    let mut tx = f.db.transact().with(create(player("t1", "p4")));
    let edited = tx.add(edit(&read(row("p1")), |p| p.number = Some(9)));
    tx.add(delete(&read(row("p2"))));
    tx.add(edit(&read(row("p3")), |_| ()));
    let done = tx.commit().await.unwrap();
    assert_eq!((done[edited].ver, done[edited].number), (8, Some(9)));
    assert_eq!(f.rows().await.len(), 3);
    // A change of the row is still reported.
    let stale = read(row("p1"));
    let error = f.db.transact().with(edit(&stale, |p| p.number = None)).await.unwrap_err();
    assert!(is_conflict(&error), "{error:?}");
}
