//! What is tried again, and what never is.

use std::time::Duration;

use monotable_expression::Printer;
use monotable_model::backend::request::{Action, Write};
use monotable_model::backend::{BackendError, Reason};
use monotable_model::{Entity as _, Error, Store, create, delete, edit};

use super::fixture::{player, team};
use super::scripted::{Request, Step, scripted};
use crate::league::{League, Player};
use crate::reads::throttled::is_back_off;
use crate::rows::keys::{match_lock, record, slot, tokens};

fn throttled() -> Step {
    Step::Fail(BackendError::Throttled("too much".to_owned()))
}

fn only_write(requests: &[Request]) -> &Write {
    match requests {
        [Request::Write(write)] => write,
        other => panic!("one write was expected: {other:?}"),
    }
}

#[tokio::test]
async fn conflicts_and_throttling_pass() {
    let (db, backend) = scripted().await;
    backend.then([throttled(), Step::Fail(BackendError::Conflict)]);
    db.create(&player("t1", "p1")).await.unwrap();
    assert_eq!(backend.take_seen().len(), 3);
    let reasons = vec![Reason::Fine, Reason::Conflict, Reason::Throttled];
    backend.then([Step::Fail(BackendError::Cancelled { reasons })]);
    db.create(&team("t1", "Red")).await.unwrap();
    assert_eq!(backend.take_seen().len(), 2);
    assert_eq!(backend.take_pauses().len(), 3);
}

/// Returns every way to write something.
async fn write(db: &Store<League>, p1: Player, way: usize) -> Option<Result<(), Error>> {
    let key = p1.key();
    Some(match way {
        0 => db.create(&player("t1", "p2")).await.map(drop),
        1 => db.create(&team("t2", "Blue")).await.map(drop),
        2 => db.edit(p1, |p| p.number = Some(3)).await.map(drop),
        3 => db.update(Player::update(&key).nick_name(Some("Ada".to_owned()))).await.map(drop),
        4 => db.delete(&p1).await,
        5 => db.delete_by_key(&key).await.map(drop),
        6 => db.transact().with(edit(&p1, |p| p.number = Some(5))).await.map(drop),
        7 => db.transact().with(create(team("t3", "Green"))).with(delete(&p1)).await.map(drop),
        8 => db.batch().delete(&key).await.map_err(Error::from),
        9 => db.run(tokens("c").add(1)).await.map(drop),
        10 => db.run(record("c", "r").put(7)).await.map(drop),
        11 => db.run(slot("c").hold("x")).await.map(drop),
        12 => db.run(match_lock().acquire(Duration::from_secs(1))).await.map(drop),
        13 => db.run(record::<u8>("c", "r").delete()).await.map(drop),
        _ => return None,
    })
}

#[tokio::test]
async fn every_write_that_is_throttled_waits_and_is_sent_again() {
    for way in 0.. {
        let (db, backend) = scripted().await;
        let p1 = db.create(&player("t1", "p1")).await.unwrap();
        backend.take_seen();
        backend.then((0..3).map(|_| throttled()));
        match write(&db, p1, way).await {
            None => break,
            Some(result) => result.unwrap_or_else(|error| panic!("{way}: {error}")),
        }
        assert_eq!(backend.take_seen().len(), 4, "{way}");
        let pauses = backend.take_pauses();
        assert!(is_back_off(&pauses), "{way}: {pauses:?}");
    }
}

#[tokio::test]
async fn a_write_fails_after_three_retries() {
    for way in (0..14).filter(|way| *way != 8) {
        let (db, backend) = scripted().await;
        let p1 = db.create(&player("t1", "p1")).await.unwrap();
        backend.take_seen();
        backend.then((0..100).map(|_| throttled()));
        let error = write(&db, p1, way).await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Backend(BackendError::Throttled(_))), "{way}: {error}");
        assert_eq!(backend.take_seen().len(), 4, "{way}");
    }
}

#[tokio::test]
async fn throttled_and_contended_repeats_are_counted_apart() {
    let (db, backend) = scripted().await;
    let conflicts = (0..4).map(|_| Step::Fail(BackendError::Conflict));
    backend.then(conflicts.chain((0..3).map(|_| throttled())));
    db.create(&player("t1", "p1")).await.unwrap();
    assert_eq!(backend.take_pauses().len(), 7);
}

#[tokio::test]
async fn it_ends_after_five_attempts_with_the_error() {
    let (db, backend) = scripted().await;
    backend.then((0..9).map(|_| Step::Fail(BackendError::Conflict)));
    let error = db.create(&player("t1", "p1")).await.unwrap_err();
    assert!(matches!(error, Error::Backend(BackendError::Conflict)), "{error:?}");
    assert_eq!(backend.take_seen().len(), 5);
}

#[tokio::test]
async fn a_write_that_may_have_taken_effect_is_not_repeated() {
    let (db, backend) = scripted().await;
    backend.then([Step::Lose]);
    let error = db.create(&player("t1", "p1")).await.unwrap_err();
    assert!(matches!(error, Error::Backend(BackendError::Failed(_))), "{error:?}");
    assert_eq!(backend.take_seen().len(), 1);
    backend.then([Step::Lose]);
    let error = db.create(&team("t1", "Red")).await.unwrap_err();
    assert!(matches!(error, Error::Backend(BackendError::Failed(_))), "{error:?}");
    assert_eq!(backend.take_seen().len(), 1);
}

#[tokio::test]
async fn a_condition_that_failed_is_not_tried_again_although_something_else_may_pass() {
    let (db, backend) = scripted().await;
    let failed = Reason::ConditionFailed { row: None };
    let reasons = vec![Reason::Conflict, failed, Reason::Fine];
    backend.then([Step::Fail(BackendError::Cancelled { reasons })]);
    let error = db.create(&team("t1", "Red")).await.unwrap_err();
    assert!(matches!(error, Error::UniqueTaken { .. }), "{error:?}");
    assert_eq!(backend.take_seen().len(), 1);
}

#[tokio::test]
async fn one_row_is_one_write_of_only_the_changes() {
    let (db, backend) = scripted().await;
    let p = db.create(&player("t1", "p1")).await.unwrap();
    assert!(matches!(only_write(&backend.take_seen()).action, Action::Put(_)));
    backend.clock.advance_ms(1);
    db.edit(p, |p| p.nick_name = Some("Ada".to_owned())).await.unwrap();
    let seen = backend.take_seen();
    let write = only_write(&seen);
    let Action::Update(_, update) = &write.action else { panic!("{write:?}") };
    let mut changed: Vec<&str> = update.paths().map(|path| path.root.as_str()).collect();
    changed.sort_unstable();
    assert_eq!(changed, ["nickName", "updatedAt", "ver"]);
    let mut printer = Printer::new();
    let condition = printer.condition(write.condition.as_ref().unwrap());
    assert_eq!(condition.matches(" AND ").count(), 7, "presence, version, six values: {condition}");
}

#[tokio::test]
async fn an_edit_without_changes_sends_no_write() {
    let (db, backend) = scripted().await;
    backend.forget_transactions();
    let p = db.create(&player("t1", "p1")).await.unwrap();
    backend.take_seen();
    assert_eq!(db.edit(p.clone(), |_| ()).await.unwrap(), p);
    assert!(backend.take_seen().is_empty());
}

#[tokio::test]
async fn without_transactions_one_row_is_written_and_several_are_refused() {
    let (db, backend) = scripted().await;
    backend.forget_transactions();
    let p = db.create(&player("t1", "p1")).await.unwrap();
    let mut tx = db.transact();
    let edited = tx.add(edit(&p, |p| p.number = Some(1)));
    assert_eq!(tx.commit().await.unwrap()[edited].number, Some(1));
    backend.take_seen();
    let error = db.create(&team("t1", "Red")).await.unwrap_err();
    assert!(matches!(error, Error::Unsupported { rule: "R01", .. }), "{error:?}");
    assert!(backend.take_seen().is_empty());
}
