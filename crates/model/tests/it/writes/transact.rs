//! Several operations at once.

use expect_test::expect;
use monotable_model::{
    Context, Error, Label, Operation, Plan, Planned, Result, Table, check, check_absent, create,
    delete, edit, put,
};
use monotable_types::Item;

use super::fixture::{fixture, note, player, player_key, session, team};
use crate::league::{NoteKey, Player, SessionKey, Team, TeamKey, team as team_path};

#[tokio::test]
async fn everything_happens_and_the_outcome_has_the_entities() {
    let f = fixture().await;
    let p1 = f.db.create(&player("t1", "p1")).await.unwrap();
    let p2 = f.db.create(&player("t1", "p2")).await.unwrap();
    f.db.create(&player("t1", "p3")).await.unwrap();
    let mut tx = f.db.transact();
    let red = tx.add(create(team("t1", "Red")));
    let p1 = tx.add(edit(&p1, |p| p.number = Some(7)));
    tx.add(Player::update(&player_key("t1", "p3")).add_goals(2));
    tx.add(delete(&p2));
    tx.add(put(note("n1", "x")));
    tx.add(check_absent(&NoteKey::new("n2".to_owned())));
    let done = tx.commit().await.unwrap();
    assert_eq!((done[red].ver, done[p1].number), (1, Some(7)));
    assert_eq!(f.row("TEAM#t1", "PLAYER#p1").await.unwrap()["ver"], 2.into());
    assert!(f.row("TEAM#t1", "PLAYER#p2").await.is_none());
    assert_eq!(f.row("TEAM#t1", "PLAYER#p3").await.unwrap()["goals"], 2.into());
    assert!(f.row("NOTE#n1", "NOTE").await.is_some());
}

#[tokio::test]
async fn each_operation_that_failed_is_reported_and_nothing_happens() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    f.db.edit(p.clone(), |p| p.number = Some(1)).await.unwrap();
    let rows = f.rows().await;
    let key = TeamKey::new(red.team_id.clone());
    let error =
        f.db.transact()
            .with(create(team("t2", "Red")))
            .with(edit(&p, |p| p.number = Some(2)))
            .with(create(note("n1", "x")))
            .with(check(&key, team_path::name().eq("Blue")))
            .with(Player::update(&player_key("t1", "p9")).add_goals(1))
            .await
            .unwrap_err();
    expect![[r#"
        the transaction did not happen: create Team TEAM#t2 / METADATA: Team: another one has the same name; edit Player TEAM#t1 / PLAYER#p1: Player TEAM#t1 / PLAYER#p1 has changed; read it again and retry; check Team TEAM#t1 / METADATA: a condition on Team did not hold; update Player TEAM#t1 / PLAYER#p9: the Player does not exist"#]]
    .assert_eq(&error.to_string());
    assert_eq!(f.rows().await, rows);
}

#[tokio::test]
async fn planning_errors_are_reported_by_operation() {
    let f = fixture().await;
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let mut tx = f.db.transact();
    let fine = tx.add(create(note("n1", "x")));
    let founded = tx.add(edit(&red, |t| t.founded = 1));
    let nameless = tx.add(create(team("t2", "")));
    let error = tx.commit().await.unwrap_err();
    assert_eq!((error.failures().len(), error.of(fine)), (2, None));
    assert!(matches!(error.of(founded), Some(Error::Immutable { .. })));
    assert!(matches!(error.of(nameless), Some(Error::Key { .. })));
    assert!(f.row("NOTE#n1", "NOTE").await.is_none());
}

#[tokio::test]
async fn no_row_is_written_twice() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let transaction =
        f.db.transact().with(create(note("n1", "x"))).with(edit(&p, |p| p.number = Some(1)));
    let error = transaction.with(delete(&p)).await.unwrap_err();
    expect![[r#"the backend refused the request: a transaction writes no row twice, but both "edit Player" and "delete Player" write TEAM#t1 / PLAYER#p1"#]]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn more_than_a_hundred_rows_are_refused_before() {
    let f = fixture().await;
    // A team has three rows: its own, the one of its name, and its mirror.
    let many = |count: usize| {
        (0..count).fold(f.db.transact(), |transaction, position| {
            transaction.with(create(team(&format!("t{position}"), &format!("Team {position}"))))
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
    let mut tx = f.db.transact().idempotent("token");
    let edited = tx.add(edit(&p, |_| ()));
    assert_eq!(tx.commit().await.unwrap()[edited], p);
}

#[tokio::test]
async fn checks_treat_expired_rows_as_absent() {
    let f = fixture().await;
    f.db.create(&session("s1", None, Some(10))).await.unwrap();
    let key = SessionKey::new("s1".to_owned());
    let is_there = || f.db.transact().with(check(&key, crate::league::session::visits().eq(0)));
    is_there().await.unwrap();
    let error = f.db.transact().with(check_absent(&key)).await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert!(matches!(failures[0].error, Error::Exists { entity: "Session" }));
    f.clock.advance_ms(10_000);
    f.db.transact().with(check_absent(&key)).await.unwrap();
    let error = is_there().await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert!(matches!(failures[0].error, Error::NotFound { entity: "Session" }));
}

#[tokio::test]
async fn a_token_makes_a_repeat_harmless_and_belongs_to_one_transaction() {
    let f = fixture().await;
    let key = NoteKey::new("n1".to_owned());
    f.db.create(&note("n1", "x")).await.unwrap();
    let like = |by| f.db.transact().with(crate::league::Note::update(&key).add_likes(by));
    like(1).idempotent("one").await.unwrap();
    like(1).idempotent("one").await.unwrap();
    assert_eq!(f.row("NOTE#n1", "NOTE").await.unwrap()["likes"], 1.into());
    let error = like(2).idempotent("one").await.map(drop).unwrap_err();
    assert!(matches!(error, Error::IdempotencyReused), "{error:?}");
    let error = like(2).idempotent("x".repeat(37)).await.map(drop).unwrap_err();
    assert!(error.to_string().contains("1 to 36 characters"), "{error}");
}

#[tokio::test]
async fn operations_of_rules_can_be_added() {
    /// Reads a row and leaves it.
    struct ReadRow(Item);
    impl<T: Table> Operation<T> for ReadRow {
        type Output = Item;
        fn into_planned(self) -> Box<dyn Planned> {
            Box::new(self)
        }
    }
    impl Planned for ReadRow {
        fn label(&self) -> Label {
            Label::new("read", "row")
        }
        fn reads(&self, _: &Context) -> Result<Option<Item>> {
            Ok(Some(self.0.clone()))
        }
        fn plan(&mut self, _: &Context, row: Option<Item>) -> Result<Plan> {
            row.map(|row| Plan::default().of(row)).ok_or(Error::NotFound { entity: "row" })
        }
    }
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let at = |sort: &str| monotable_types::item! { "PK" => "TEAM#t1", "SK" => sort };
    let mut tx = f.db.transact().with(edit(&p, |p| p.number = Some(1)));
    let rows = [tx.add(ReadRow(at("PLAYER#p1"))), tx.add(ReadRow(at("PLAYER#p1")))];
    let done = tx.commit().await.unwrap();
    for row in rows {
        assert_eq!(done[row]["ver"], 1.into(), "read before the edit");
    }
    let both = f.db.transact().with(ReadRow(at("PLAYER#p1"))).with(ReadRow(at("PLAYER#p2")));
    let error = both.await.unwrap_err();
    expect!["the transaction did not happen: read row TEAM#t1 / PLAYER#p2: the row does not exist"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn an_update_without_changes_requires_its_row() {
    let f = fixture().await;
    let key = NoteKey::new("n1".to_owned());
    let nothing = || crate::league::Note::update(&key);
    let both = || f.db.transact().with(nothing()).with(create(note("n2", "x")));
    let error = both().await.map(drop).unwrap_err();
    let Error::Transaction { failures } = error else { panic!("{error:?}") };
    assert!(matches!(failures[0].error, Error::NotFound { entity: "Note" }));
    f.db.create(&note("n1", "x")).await.unwrap();
    both().await.unwrap();
    assert_eq!(f.db.update(nothing()).await.unwrap(), note("n1", "x"));
}

#[tokio::test]
async fn an_edit_without_changes_requires_the_row_that_was_read() {
    let f = fixture().await;
    let stale = f.db.create(&player("t1", "p1")).await.unwrap();
    let red = f.db.create(&team("t1", "Red")).await.unwrap();
    let p = f.db.edit(stale.clone(), |p| p.number = Some(1)).await.unwrap();
    let stale_red = red.clone();
    let red = f.db.edit(red, |t| t.motto = Some("Go".to_owned())).await.unwrap();
    let both = |p: &Player, red: &Team| {
        let mut tx = f.db.transact().with(create(note("n1", "x")));
        let (p, red) = (tx.add(edit(p, |_| ())), tx.add(edit(red, |_| ())));
        (tx, p, red)
    };
    let (tx, stale, stale_red) = both(&stale, &stale_red);
    let error = tx.commit().await.unwrap_err();
    assert_eq!(error.failures().len(), 2);
    let is_conflict = |error: Option<&Error>, of: &str| matches!(error, Some(Error::VersionConflict { entity, .. }) if *entity == of);
    assert!(is_conflict(error.of(stale), "Player") && is_conflict(error.of(stale_red), "Team"));
    let (tx, edited, edited_red) = both(&p, &red);
    let done = tx.commit().await.unwrap();
    assert_eq!((&done[edited], &done[edited_red]), (&p, &red));
}
