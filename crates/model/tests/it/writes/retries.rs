//! What is tried again, and what never is.

use monotable_expression::Printer;
use monotable_model::Error;
use monotable_model::backend::request::{Action, Write};
use monotable_model::backend::{BackendError, Reason};

use super::fixture::{player, team};
use super::scripted::{Request, Step, scripted};

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

#[tokio::test]
async fn it_ends_after_five_attempts_with_the_error() {
    let (db, backend) = scripted().await;
    backend.then((0..9).map(|_| Step::Fail(BackendError::Conflict)));
    let error = db.create(&player("t1", "p1")).await.unwrap_err();
    assert!(matches!(error, Error::Backend(BackendError::Conflict)), "{error:?}");
    assert_eq!(backend.take_seen().len(), 5);
}

#[tokio::test]
async fn what_may_have_happened_is_not_sent_again() {
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
async fn one_row_is_one_write_and_only_what_changed_is_sent() {
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
async fn an_edit_of_nothing_is_no_write_and_no_transaction() {
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
    let p = db.transact().edit(&p, |p| p.number = Some(1)).await.unwrap();
    assert!(p.get::<crate::league::Player>(0).is_some());
    backend.take_seen();
    let error = db.create(&team("t1", "Red")).await.unwrap_err();
    assert!(matches!(error, Error::Unsupported { rule: "R01", .. }), "{error:?}");
    assert!(backend.take_seen().is_empty());
}
