//! Several operations at once.

use expect_test::expect;
use monotable_model::{Error, Operation, Plan};
use monotable_types::Item;

use super::fixture::{fixture, note, player, player_key, session, team};
use crate::league::{NoteKey, Player, SessionKey, Team, TeamKey, team as team_path};

#[tokio::test]
async fn everything_happens_and_the_receipt_has_the_entities() {
    let f = fixture().await;
    let p1 = f.db.create(&player("t1", "p1")).await.unwrap();
    let p2 = f.db.create(&player("t1", "p2")).await.unwrap();
    f.db.create(&player("t1", "p3")).await.unwrap();
    let red = team("t1", "Red");
    let receipt =
        f.db.transact()
            .create(&red)
            .edit(&p1, |p| p.number = Some(7))
            .update(Player::update(&player_key("t1", "p3")).add_goals(2))
            .delete(&p2)
            .put(&note("n1", "x"))
            .check_absent(&NoteKey::new("n2".to_owned()))
            .await
            .unwrap();
    assert_eq!(receipt.get::<Team>(0).unwrap().ver, 1);
    assert_eq!(receipt.get::<Player>(1).unwrap().number, Some(7));
    assert!(receipt.get::<Team>(1).is_none(), "another type");
    assert!(receipt.get::<Player>(3).is_none() && receipt.get::<Player>(9).is_none());
    assert_eq!(f.row("TEAM#t1", "PLAYER#p1").await.unwrap()["ver"], 2.into());
    assert!(f.row("TEAM#t1", "PLAYER#p2").await.is_none());
    assert_eq!(f.row("TEAM#t1", "PLAYER#p3").await.unwrap()["goals"], 2.into());
    assert!(f.row("NOTE#n1", "NOTE").await.is_some());
}

#[tokio::test]
async fn each_operation_that_failed_is_told_and_nothing_happens() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.edit(p.clone(), |p| p.number = Some(1)).await.unwrap();
    let rows = f.rows().await;
    let key = TeamKey::new(red.team_id.clone());
    let error =
        f.db.transact()
            .create(&team("t2", "Red"))
            .edit(&p, |p| p.number = Some(2))
            .create(&note("n1", "x"))
            .check(&key, team_path::name().eq("Blue"))
            .update(Player::update(&player_key("t1", "p9")).add_goals(1))
            .await
            .map(drop)
            .unwrap_err();
    expect![[r#"
        the transaction did not happen: 0 (create Team): Team: another one has the same name; 1 (edit Player): Player TEAM#t1 / PLAYER#p1 was changed by somebody else; read it again; 3 (check Team): a condition on Team did not hold; 4 (update Player): there is no such Player"#]]
    .assert_eq(&error.to_string());
    assert_eq!(f.rows().await, rows);
}

#[tokio::test]
async fn what_can_not_be_planned_is_told_by_operation() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let transaction = f.db.transact().create(&note("n1", "x")).edit(&red, |t| t.founded = 1);
    let error = transaction.create(&team("t2", "")).await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert_eq!(failures.iter().map(|failure| failure.operation).collect::<Vec<_>>(), [1, 2]);
    assert!(matches!(failures[0].error, Error::Immutable { .. }));
    assert!(matches!(failures[1].error, Error::Key { .. }));
    assert!(f.row("NOTE#n1", "NOTE").await.is_none());
}

#[tokio::test]
async fn no_row_is_written_twice() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let transaction = f.db.transact().create(&note("n1", "x")).edit(&p, |p| p.number = Some(1));
    let error = transaction.delete(&p).await.map(drop).unwrap_err();
    expect!["the backend refused the request: a transaction writes no row twice: operation 1 (edit Player) and operation 2 (delete Player) both write TEAM#t1 / PLAYER#p1"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn more_than_a_hundred_rows_are_refused_before() {
    let f = fixture().await;
    // A team has three rows: its own, the one of its name, and its mirror.
    let many = |count: usize| {
        (0..count).fold(f.db.transact(), |transaction, position| {
            transaction.create(&team(&format!("t{position}"), &format!("Team {position}")))
        })
    };
    let error = many(34).await.map(drop).unwrap_err();
    assert!(error.to_string().contains("at most 100 rows"), "{error}");
    assert!(error.to_string().contains("102"), "{error}");
    many(33).await.unwrap();
    assert_eq!(f.rows().await.len(), 99);
}

#[tokio::test]
async fn a_transaction_of_nothing_is_nothing() {
    let f = fixture().await;
    f.db.transact().await.unwrap();
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let receipt = f.db.transact().edit(&p, |_| ()).idempotent("token").await.unwrap();
    assert_eq!(receipt.get::<Player>(0), Some(&p));
}

#[tokio::test]
async fn checks_treat_expired_rows_as_absent() {
    let f = fixture().await;
    f.db.create(&session("s1", None, Some(10))).await.unwrap();
    let key = SessionKey::new("s1".to_owned());
    let is_there = || f.db.transact().check(&key, crate::league::session::visits().eq(0));
    is_there().await.unwrap();
    let error = f.db.transact().check_absent(&key).await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert!(matches!(failures[0].error, Error::Exists { entity: "Session" }));
    f.clock.advance_ms(10_000);
    f.db.transact().check_absent(&key).await.unwrap();
    let error = is_there().await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert!(matches!(failures[0].error, Error::NotFound { entity: "Session" }));
}

#[tokio::test]
async fn a_token_makes_a_repeat_harmless_and_belongs_to_one_transaction() {
    let f = fixture().await;
    let key = NoteKey::new("n1".to_owned());
    f.db.create(&note("n1", "x")).await.unwrap();
    let like = |by| f.db.transact().update(crate::league::Note::update(&key).add_likes(by));
    like(1).idempotent("one").await.unwrap();
    like(1).idempotent("one").await.unwrap();
    assert_eq!(f.row("NOTE#n1", "NOTE").await.unwrap()["likes"], 1.into());
    let error = like(2).idempotent("one").await.map(drop).unwrap_err();
    assert!(matches!(error, Error::IdempotencyReused), "{error:?}");
    let error = like(2).idempotent("x".repeat(37)).await.map(drop).unwrap_err();
    assert!(error.to_string().contains("1 to 36 characters"), "{error}");
}

#[tokio::test]
async fn operations_of_others_join_in() {
    /// Looks at a row and says what it saw.
    struct Look(Item);
    impl Operation for Look {
        fn label(&self) -> String {
            "look".to_owned()
        }
        fn reads(&self, _: &monotable_model::Context) -> monotable_model::Result<Option<Item>> {
            Ok(Some(self.0.clone()))
        }
        fn plan(
            &self,
            _: &monotable_model::Context,
            row: Option<Item>,
        ) -> monotable_model::Result<Plan> {
            match row {
                Some(row) => Ok(Plan::default().of(row)),
                None => Err(Error::NotFound { entity: "look" }),
            }
        }
    }
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let at = |sort: &str| monotable_types::item! { "PK" => "TEAM#t1", "SK" => sort };
    let transaction = f.db.transact().add(Look(at("PLAYER#p1"))).add(Look(at("PLAYER#p1")));
    transaction.edit(&p, |p| p.number = Some(1)).await.unwrap();
    let error =
        f.db.transact()
            .add(Look(at("PLAYER#p1")))
            .add(Look(at("PLAYER#p2")))
            .await
            .map(drop)
            .unwrap_err();
    expect!["the transaction did not happen: 1 (look): there is no such look"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn an_update_of_nothing_asks_for_its_row() {
    let f = fixture().await;
    let key = NoteKey::new("n1".to_owned());
    let nothing = || crate::league::Note::update(&key);
    let both = || f.db.transact().update(nothing()).create(&note("n2", "x"));
    let error = both().await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert!(matches!(failures[0].error, Error::NotFound { entity: "Note" }));
    f.db.create(&note("n1", "x")).await.unwrap();
    both().await.unwrap();
    assert_eq!(f.db.update(nothing()).await.unwrap(), note("n1", "x"));
}

#[tokio::test]
async fn an_edit_of_nothing_asks_for_the_row_that_was_read() {
    let f = fixture().await;
    let stale = f.db.create(&player("t1", "p1")).await.unwrap();
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let p = f.db.edit(stale.clone(), |p| p.number = Some(1)).await.unwrap();
    let stale_red = red.clone();
    let red = f.db.edit(red, |t| t.motto = Some("Go".to_owned())).await.unwrap();
    let both = |p: &Player, red: &Team| {
        f.db.transact().edit(p, |_| ()).edit(red, |_| ()).create(&note("n1", "x"))
    };
    let error = both(&stale, &stale_red).await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert_eq!(failures.iter().map(|failure| failure.operation).collect::<Vec<_>>(), [0, 1]);
    assert!(matches!(failures[0].error, Error::VersionConflict { entity: "Player", .. }));
    assert!(matches!(failures[1].error, Error::VersionConflict { entity: "Team", .. }));
    let receipt = both(&p, &red).await.unwrap();
    assert_eq!((receipt.get::<Player>(0), receipt.get::<Team>(1)), (Some(&p), Some(&red)));
}
