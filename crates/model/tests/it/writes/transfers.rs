//! Unique values that change hands within one transaction.

use expect_test::expect;
use monotable_model::{
    Error, Handle, OperationError, Transact, create, delete, delete_by_key, edit,
};
use monotable_types::{AttributeValue, item};

use super::fixture::{Fixture, fixture, session, team};
use crate::league::{League, SessionKey, Team};

/// Commits a transaction in which only the operation of the handle fails.
async fn only_failure<O>(tx: Transact<League>, handle: Handle<O>) -> OperationError {
    let error = tx.commit().await.unwrap_err();
    let [failure] = error.failures() else { panic!("{error:?}") };
    assert!(failure.is(handle), "{failure}");
    failure.clone()
}

/// Returns the key of the row that owns a token.
async fn owner(f: &Fixture, token: &str) -> Option<String> {
    let row = f.rows().await.into_iter().find(|row| {
        row["PK"].as_s().is_some_and(|key| key == format!("UNIQUE#Session#token#{token}"))
    });
    let owner = row?.remove("owner")?;
    owner.as_m()?.get("PK").and_then(AttributeValue::as_s).map(str::to_owned)
}

#[tokio::test]
async fn two_operations_do_not_take_the_same_value() {
    let f = fixture().await;
    let (first, second) = (session("s1", Some("x"), None), session("s2", Some("x"), None));
    let mut tx = f.db.transact().with(create(first.clone()));
    let late = tx.add(create(second));
    let failure = only_failure(tx, late).await;
    assert!(matches!(failure.error, Error::UniqueTaken { constraint: "token", .. }));
    assert!(f.rows().await.is_empty());
    // The same row twice is another mistake.
    let twice = f.db.transact().with(create(first.clone())).with(create(first));
    let error = twice.await.unwrap_err();
    expect![[r#"the backend refused the request: a transaction writes no row twice, but both "create Session" and "create Session" write SESSION#s1 / SESSION"#]]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn a_value_is_handed_over() {
    let f = fixture().await;
    let old = f.db.create(&session("s1", Some("x"), None)).await.unwrap();
    let new = session("s2", Some("x"), None);
    f.db.transact().with(delete(&old)).with(create(new.clone())).await.unwrap();
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s2"));
    // In whichever order, and by a key as well.
    let key = SessionKey::new("s2".to_owned());
    f.db.transact().with(create(old)).with(delete_by_key(&key)).await.unwrap();
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s1"));
    assert_eq!(f.rows().await.len(), 2);
    // One takes it, the other comes too late.
    let key = SessionKey::new("s1".to_owned());
    let mut tx = f.db.transact().with(delete_by_key(&key)).with(create(new));
    let late = tx.add(create(session("s3", Some("x"), None)));
    only_failure(tx, late).await;
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s1"));
}

#[tokio::test]
async fn a_value_of_another_entity_is_not_transferred() {
    let f = fixture().await;
    let old = f.db.create(&session("s1", Some("x"), None)).await.unwrap();
    let other = item! { "PK" => "SESSION#s9", "SK" => "SESSION" };
    let sentinel = f.rows().await.into_iter().find(|row| row.contains_key("owner")).unwrap();
    let (partition, sort) = (sentinel["PK"].as_s().unwrap(), sentinel["SK"].as_s().unwrap());
    f.add_raw(partition, sort, item! { "owner" => AttributeValue::M(other) }).await;
    let new = session("s2", Some("x"), None);
    let mut tx = f.db.transact().with(delete(&old));
    let taken = tx.add(create(new));
    let failure = only_failure(tx, taken).await;
    assert!(matches!(failure.error, Error::UniqueTaken { .. }));
}

#[tokio::test]
async fn a_value_that_another_operation_keeps_is_not_taken() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let blue = f.db.create(&team("t2", "Blue")).await.unwrap();
    let rename = |t: &mut Team| t.name = "Red".to_owned();
    let motto = |t: &mut Team| t.motto = Some("Go".to_owned());
    let mut tx = f.db.transact().with(edit(&red, motto));
    let late = tx.add(edit(&blue, rename));
    only_failure(tx, late).await;
    let mut tx = f.db.transact();
    let early = tx.add(edit(&blue, rename));
    only_failure(tx.with(edit(&red, motto)), early).await;
}

#[tokio::test]
async fn values_are_swapped_with_their_mirrors() {
    let f = fixture().await;
    let a = f.db.create(&session("s1", Some("x"), None)).await.unwrap();
    let b = f.db.create(&session("s2", Some("y"), None)).await.unwrap();
    let (x, y) = (a.token.clone(), b.token.clone());
    f.db.transact().with(edit(&a, |a| a.token = y)).with(edit(&b, |b| b.token = x)).await.unwrap();
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s2"));
    assert_eq!(owner(&f, "y").await.as_deref(), Some("SESSION#s1"));
    // A club is also identified by its name.
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let blue = f.db.create(&team("t2", "Blue")).await.unwrap();
    let mut tx = f.db.transact();
    let renamed = [
        tx.add(edit(&red, |t| t.name = "Blue".to_owned())),
        tx.add(edit(&blue, |t| t.name = "Red".to_owned())),
    ];
    let done = tx.commit().await.unwrap();
    for team in renamed {
        assert_eq!(f.db.verify(&done[team]).await.unwrap(), []);
    }
    assert_eq!(f.row("NAME#Red", "TEAM").await.unwrap()["teamId"].as_s(), Some("t2"));
}
