//! Many rows, each on its own.

use monotable_model::backend::BackendError;
use monotable_model::{Error, Result};

use super::fixture::{fixture, note, player_key};
use super::scripted::{Request, Step, scripted};
use crate::league::NoteKey;

fn key(id: &str) -> NoteKey {
    NoteKey::new(id.to_owned())
}

#[tokio::test]
async fn rows_are_put_and_deleted_and_the_last_write_of_a_row_counts() -> Result<()> {
    let f = fixture().await;
    let mut batch = f.db.batch();
    for position in 0..60 {
        batch = batch.put(&note(&format!("n{position}"), "x"));
    }
    batch = batch.put(&note("n1", "later")).delete(&key("n2")).delete(&player_key("t1", "p1"));
    assert_eq!(batch.len(), 63);
    batch.await?;
    assert_eq!(f.rows().await.len(), 59);
    assert_eq!(f.row("NOTE#n1", "NOTE").await.unwrap()["text"].as_s(), Some("later"));
    f.db.batch().await?;
    Ok(())
}

#[tokio::test]
async fn unprocessed_writes_are_retried() {
    let (db, backend) = scripted().await;
    let batch =
        (0..30).fold(db.batch(), |batch, position| batch.put(&note(&format!("n{position}"), "x")));
    backend.then([Step::Leave(20), Step::Fail(BackendError::Throttled("too much".to_owned()))]);
    batch.await.unwrap();
    let sizes: Vec<usize> = backend
        .take_seen()
        .iter()
        .map(|request| match request {
            Request::Batch(batch) => batch.writes.len(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(sizes, [25, 25, 25], "20 left and 5 not sent yet go together");
    assert_eq!(backend.take_pauses().len(), 2);
}

#[tokio::test]
async fn an_incomplete_batch_can_be_awaited_again() {
    let (db, backend) = scripted().await;
    backend.then((0..5).map(|_| Step::Leave(2)));
    let incomplete = db.batch().put(&note("n1", "x")).put(&note("n2", "x")).await.unwrap_err();
    assert!(matches!(incomplete.cause, Error::Incomplete { unprocessed: 2 }));
    assert_eq!(incomplete.left.len(), 2);
    assert_eq!(
        Error::from(db.batch().put(&note("", "x")).await.unwrap_err()).to_string(),
        "Note: a key part is empty; give it a value"
    );
    incomplete.left.await.unwrap();
    // A row that can't be written is never taken for one that was.
    let incomplete = db.batch().put(&note("n3", "x")).put(&note("", "x")).await.unwrap_err();
    let incomplete = incomplete.left.await.unwrap_err();
    assert!(matches!(incomplete.cause, Error::Key { entity: "Note", .. }));
    backend.then([Step::Lose]);
    let incomplete = db.batch().delete(&key("n1")).await.unwrap_err();
    assert!(matches!(incomplete.cause, Error::Backend(BackendError::Failed(_))));
    assert_eq!(incomplete.left.len(), 1);
}
