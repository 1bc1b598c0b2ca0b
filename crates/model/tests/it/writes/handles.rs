//! Handles: what an operation of a transaction left, and why it failed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use expect_test::expect;
use monotable_model::{
    Entity as _, Error, Outcome, check, check_absent, create, delete, delete_by_key, edit, put,
    rekey,
};

use super::fixture::{fixture, note, player, player_key, session, team};
use crate::league::{NoteKey, Player, Session, SessionKey, TeamId, player as player_path};

#[tokio::test]
async fn a_handle_finds_the_result_of_its_operation() {
    let f = fixture().await;
    let p1 = f.db.create(&player("t1", "p1")).await.unwrap();
    let p2 = f.db.create(&player("t1", "p2")).await.unwrap();
    let mut tx = f.db.transact();
    let created = ["t1", "t2", "t3"].map(|id| tx.add(create(team(id, id))));
    let edited = tx.add(edit(&p1, |p| p.number = Some(7)));
    let elsewhere = Player { team_id: TeamId::new("t2").unwrap(), ..p2.clone() };
    let moved = tx.add(rekey(&p2, &elsewhere));
    let done = tx.commit().await.unwrap();
    for (handle, id) in created.into_iter().zip(["t1", "t2", "t3"]) {
        assert_eq!((done[handle].team_id.as_str(), done[handle].ver), (id, 1));
        assert_eq!(f.db.verify(&done[handle]).await.unwrap(), []);
    }
    // A handle is a copy of itself.
    let copy = edited;
    assert_eq!((done[edited].number, done[copy].ver), (Some(7), 2));
    assert_eq!((done[moved].team_id.as_str(), done[moved].ver), ("t2", 2));
    assert_eq!(format!("{:?} {copy:?}", created[1]), "Handle<Team>(1) Handle<Player>(3)");
}

#[tokio::test]
async fn a_handle_is_empty_if_no_backend_returns_the_result() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.create(&player("t1", "p2")).await.unwrap();
    f.db.create(&player("t1", "p3")).await.unwrap();
    f.db.create(&session("s1", Some("one"), None)).await.unwrap();
    let mut tx = f.db.transact();
    let handles = [
        tx.add(put(note("n1", "x"))),
        tx.add(put(session("s1", Some("two"), None))),
        tx.add(delete(&p)),
        tx.add(delete_by_key(&SessionKey::new("s2".to_owned()))),
        tx.add(Player::update(&player_key("t1", "p2")).add_goals(1)),
        tx.add(Session::update(&SessionKey::new("s3".to_owned())).add_visits(1).or_create()),
        tx.add(check(&player_key("t1", "p3"), player_path::goals().eq(0))),
        tx.add(check_absent(&NoteKey::new("n2".to_owned()))),
    ];
    let done = tx.commit().await.unwrap();
    for handle in handles {
        let () = done[handle];
    }
}

/// Returns the message of the panic when an outcome is indexed.
fn panic_of<R>(outcome: &Outcome, index: impl Fn(&Outcome) -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| index(outcome))).map(drop).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

#[tokio::test]
async fn a_handle_of_another_transaction_is_refused() {
    let f = fixture().await;
    let mut first = f.db.transact();
    let of_first = first.add(create(note("n1", "x")));
    let mut second = f.db.transact();
    let of_second = second.add(create(note("n2", "x")));
    let (first, second) = (first.commit().await.unwrap(), second.commit().await.unwrap());
    assert_eq!((&*first[of_first].note_id, &*second[of_second].note_id), ("n1", "n2"));
    expect![[r#"Handle<Note>(0) belongs to another transaction; use the handles that `add` of this transaction returned"#]]
        .assert_eq(&panic_of(&first, |first| first[of_second].clone()));

    // The error of a transaction knows nothing of another one's operations.
    let mut third = f.db.transact();
    let of_third = third.add(create(note("n1", "y")));
    let error = third.commit().await.unwrap_err();
    assert_eq!(error.of(of_third), Some(&Error::Exists { entity: "Note" }));
    assert_eq!(error.of(of_first), None);
}

#[tokio::test]
async fn a_failure_names_operation_entity_and_key() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let stale = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.edit(stale.clone(), |p| p.number = Some(1)).await.unwrap();
    let mut tx = f.db.transact();
    let fine = tx.add(create(note("n1", "x")));
    let taken = tx.add(create(team("t2", "Red")));
    let outdated = tx.add(delete(&stale));
    let missing = tx.add(edit(&player("t1", "p9"), |p| p.number = Some(9)));
    let present = tx.add(check_absent(&red.key()));
    let error = tx.commit().await.unwrap_err();

    let listed: Vec<String> = error.failures().iter().map(ToString::to_string).collect();
    expect![[r#"
        create Team TEAM#t2 / METADATA: Team: another one has the same name
        delete Player TEAM#t1 / PLAYER#p1: Player TEAM#t1 / PLAYER#p1 has changed; read it again and retry
        edit Player TEAM#t1 / PLAYER#p9: the Player does not exist
        check absence of Team TEAM#t1 / METADATA: Team exists already"#]]
    .assert_eq(&listed.join("\n"));
    let [first, ..] = error.failures() else { panic!("{error:?}") };
    assert_eq!((first.label.operation, first.label.entity), ("create", "Team"));
    assert_eq!(first.key, "TEAM#t2 / METADATA");
    assert!(first.is(taken) && !first.is(outdated));

    assert_eq!(error.of(fine), None);
    assert!(matches!(error.of(taken), Some(Error::UniqueTaken { constraint: "name", .. })));
    assert!(error.of(outdated).is_some_and(Error::is_conflict));
    assert_eq!(error.of(missing), Some(&Error::NotFound { entity: "Player" }));
    assert_eq!(error.of(present), Some(&Error::Exists { entity: "Team" }));
    assert!(!error.is_conflict(), "reading again helps only one of them");
}

#[tokio::test]
async fn a_failure_without_a_key_has_none_in_its_text() {
    let f = fixture().await;
    let mut tx = f.db.transact();
    let nameless = tx.add(create(note("", "x")));
    let error = tx.commit().await.unwrap_err();
    assert!(matches!(error.of(nameless), Some(Error::Key { .. })), "{error:?}");
    expect![
        "the transaction did not happen: create Note: Note: a key part is empty; give it a value"
    ]
    .assert_eq(&error.to_string());
    // An operation that runs alone has no transaction to be found in.
    let alone = f.db.run(create(note("", "x"))).await.unwrap_err();
    assert_eq!((alone.of(nameless), alone.failures()), (None, &[][..]));
}

#[tokio::test]
async fn only_conflicts_make_a_conflict() {
    let f = fixture().await;
    let stale = f.db.create(&player("t1", "p1")).await.unwrap();
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    f.db.edit(stale.clone(), |p| p.number = Some(1)).await.unwrap();
    f.db.edit(red.clone(), |t| t.motto = Some("Go".to_owned())).await.unwrap();
    let motto = |t: &mut crate::league::Team| t.motto = None;

    assert!(f.db.run(delete(&stale)).await.unwrap_err().is_conflict());
    assert!(f.db.run(edit(&red, motto)).await.unwrap_err().is_conflict());
    let both = f.db.transact().with(delete(&stale)).with(edit(&red, motto));
    assert!(both.await.unwrap_err().is_conflict());

    let exists = || create(team("t1", "Blue"));
    assert!(!f.db.run(exists()).await.unwrap_err().is_conflict());
    let one = f.db.transact().with(delete(&stale)).with(exists());
    assert!(!one.await.unwrap_err().is_conflict());
}
