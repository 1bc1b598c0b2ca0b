//! Unique values that change hands within one transaction.

use expect_test::expect;
use monotable_model::{Error, OperationError};
use monotable_types::{AttributeValue, item};

use super::fixture::{Fixture, fixture, session, team};
use crate::league::{SessionKey, Team};

fn failures<T>(result: monotable_model::Result<T>) -> Vec<OperationError> {
    match result.map(drop) {
        Err(Error::Transaction { failures }) => failures,
        other => panic!("{other:?}"),
    }
}

/// The key of the row that owns a token.
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
    let failures = failures(f.db.transact().create(&first).create(&second).await);
    let [failure] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!(failure.operation, 1);
    assert!(matches!(failure.error, Error::UniqueTaken { constraint: "token", .. }));
    assert!(f.rows().await.is_empty());
    // The same row twice is another mistake.
    let error = f.db.transact().create(&first).create(&first).await.map(drop).unwrap_err();
    expect!["the backend refused the request: a transaction writes no row twice: operation 0 (create Session) and operation 1 (create Session) both write SESSION#s1 / SESSION"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn a_value_is_handed_over() {
    let f = fixture().await;
    let old = f.db.create(&session("s1", Some("x"), None)).await.unwrap();
    let new = session("s2", Some("x"), None);
    f.db.transact().delete(&old).create(&new).await.unwrap();
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s2"));
    // In whichever order, and by a key as well.
    let key = SessionKey::new("s2".to_owned());
    f.db.transact().create(&old).delete_by_key(&key).await.unwrap();
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s1"));
    assert_eq!(f.rows().await.len(), 2);
    // One takes it, the other comes too late.
    let key = SessionKey::new("s1".to_owned());
    let third = session("s3", Some("x"), None);
    let failures = failures(f.db.transact().delete_by_key(&key).create(&new).create(&third).await);
    assert_eq!(failures.iter().map(|failure| failure.operation).collect::<Vec<_>>(), [2]);
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s1"));
}

#[tokio::test]
async fn a_value_of_somebody_else_is_not_handed_over() {
    let f = fixture().await;
    let old = f.db.create(&session("s1", Some("x"), None)).await.unwrap();
    let other = item! { "PK" => "SESSION#s9", "SK" => "SESSION" };
    let sentinel = f.rows().await.into_iter().find(|row| row.contains_key("owner")).unwrap();
    let (partition, sort) = (sentinel["PK"].as_s().unwrap(), sentinel["SK"].as_s().unwrap());
    f.add_raw(partition, sort, item! { "owner" => AttributeValue::M(other) }).await;
    let new = session("s2", Some("x"), None);
    let failures = failures(f.db.transact().delete(&old).create(&new).await);
    let [failure] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!(failure.operation, 1);
    assert!(matches!(failure.error, Error::UniqueTaken { .. }));
}

#[tokio::test]
async fn a_value_that_another_operation_keeps_is_not_taken() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let blue = f.db.create(&team("t2", "Blue")).await.unwrap();
    let rename = |t: &mut Team| t.name = "Red".to_owned();
    let motto = |t: &mut Team| t.motto = Some("Go".to_owned());
    let late = f.db.transact().edit(&red, motto).edit(&blue, rename).await;
    assert_eq!(failures(late)[0].operation, 1);
    let early = f.db.transact().edit(&blue, rename).edit(&red, motto).await;
    assert_eq!(failures(early)[0].operation, 0);
}

#[tokio::test]
async fn values_are_swapped_with_their_mirrors() {
    let f = fixture().await;
    let a = f.db.create(&session("s1", Some("x"), None)).await.unwrap();
    let b = f.db.create(&session("s2", Some("y"), None)).await.unwrap();
    let (x, y) = (a.token.clone(), b.token.clone());
    f.db.transact().edit(&a, |a| a.token = y).edit(&b, |b| b.token = x).await.unwrap();
    assert_eq!(owner(&f, "x").await.as_deref(), Some("SESSION#s2"));
    assert_eq!(owner(&f, "y").await.as_deref(), Some("SESSION#s1"));
    // A club is told by its name, too.
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let blue = f.db.create(&team("t2", "Blue")).await.unwrap();
    let receipt =
        f.db.transact()
            .edit(&red, |t| t.name = "Blue".to_owned())
            .edit(&blue, |t| t.name = "Red".to_owned())
            .await
            .unwrap();
    for operation in [0, 1] {
        let team = receipt.get::<Team>(operation).unwrap();
        assert_eq!(f.db.verify(team).await.unwrap(), []);
    }
    assert_eq!(f.row("NAME#Red", "TEAM").await.unwrap()["teamId"].as_s(), Some("t2"));
}
