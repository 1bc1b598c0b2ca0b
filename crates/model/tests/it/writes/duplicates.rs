//! Rows of other programs with a unique value that another row already has: they do not own the
//! value, but can be renamed, moved and deleted.

use monotable_model::{Entity as _, Error, create, delete, edit};
use monotable_types::{Item, item};

use super::fixture::{Fixture, fixture, now, team};
use crate::league::{Team, TeamId};

/// Returns a team that holds a name, and a row of another program with the same name.
async fn duplicate(f: &Fixture) -> (Team, Team) {
    let held = f.db.create(&team("t1", "Red")).await.unwrap();
    let mut row: Item = f.row("TEAM#t1", "METADATA").await.unwrap();
    row.extend(item! { "PK" => "TEAM#t2", "teamId" => "t2" });
    f.write_raw(row).await;
    let second = Team { team_id: TeamId::new("t2").unwrap(), ..held.clone() };
    (held, second)
}

/// Returns the rows of the team that holds the name.
async fn held(f: &Fixture) -> Vec<Item> {
    let mut rows = f.rows().await;
    rows.retain(|row| row["PK"].as_s() != Some("TEAM#t2") && row["PK"].as_s() != Some("NAME#Blue"));
    rows
}

#[tokio::test]
async fn a_duplicate_can_be_deleted() {
    let f = fixture().await;
    let (_, second) = duplicate(&f).await;
    let before = held(&f).await;
    f.db.delete(&second).await.unwrap();
    assert_eq!(f.rows().await, before);

    duplicate_again(&f).await;
    assert!(f.db.delete_by_key(&second.key()).await.unwrap());
    assert_eq!(f.rows().await, before);

    duplicate_again(&f).await;
    f.db.transact().with(delete(&second)).await.unwrap();
    assert_eq!(f.rows().await, before);
}

/// The row of the other program once more.
async fn duplicate_again(f: &Fixture) {
    let mut row: Item = f.row("TEAM#t1", "METADATA").await.unwrap();
    row.extend(item! { "PK" => "TEAM#t2", "teamId" => "t2" });
    f.write_raw(row).await;
}

#[tokio::test]
async fn a_duplicate_can_be_renamed() {
    let f = fixture().await;
    let (first, second) = duplicate(&f).await;
    let renamed = f.db.edit(second, |team| team.name = "Blue".to_owned()).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.updated_at), ("Blue", now()));
    assert_eq!(f.sentinels().await, ["UNIQUE#TEAM#name#Blue", "UNIQUE#TEAM#name#Red"]);
    assert_eq!(f.db.verify(&renamed).await.unwrap(), []);
    assert_eq!(f.db.verify(&first).await.unwrap(), []);

    // The value that it had stays taken.
    let taken = f.db.create(&team("t3", "Red")).await;
    assert!(matches!(taken, Err(Error::UniqueTaken { constraint: "name", .. })), "{taken:?}");
}

#[tokio::test]
async fn a_duplicate_can_be_renamed_in_a_transaction_and_moved() {
    let f = fixture().await;
    let (first, second) = duplicate(&f).await;
    let rename = |team: &mut Team| team.name = "Blue".to_owned();
    f.db.transact().with(edit(&second, rename)).with(create(team("t3", "Green"))).await.unwrap();
    assert_eq!(f.db.verify(&first).await.unwrap(), []);

    duplicate_again(&f).await;
    let moved =
        Team { team_id: TeamId::new("t4").unwrap(), name: "Grey".to_owned(), ..second.clone() };
    f.db.rekey(&second, &moved).await.unwrap();
    assert_eq!(f.db.verify(&first).await.unwrap(), []);
}

#[tokio::test]
async fn a_value_is_not_released_by_a_duplicate() {
    let f = fixture().await;
    let (_, second) = duplicate(&f).await;
    let rows = f.rows().await;
    let mut tx = f.db.transact();
    tx.add(delete(&second));
    let taken = tx.add(create(team("t3", "Red")));
    let error = tx.commit().await.unwrap_err();
    assert_eq!(error.failures().len(), 1);
    assert!(matches!(error.of(taken), Some(Error::UniqueTaken { constraint: "name", .. })));
    assert_eq!(f.rows().await, rows);
}
