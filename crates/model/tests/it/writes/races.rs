//! Two at once: exactly one wins.

use monotable_model::{Error, Result, Settings, create, delete_by_key};
use monotable_testkit::failing::Failing;

use super::fixture::{Fixture, fixture, player, player_key, session, team};
use crate::league::{League, Player, Session, SessionKey};

const WRITERS: usize = 8;

/// Runs one task a writer on the threads of the runtime, and gives their results.
async fn race<T: Send + 'static, F: Future<Output = Result<T>> + Send + 'static>(
    f: &Fixture,
    writer: impl Fn(monotable_model::Store<crate::league::League>, usize) -> F,
) -> Vec<Result<T>> {
    let tasks: Vec<_> =
        (0..WRITERS).map(|number| tokio::spawn(writer(f.db.clone(), number))).collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}

fn winners<T>(results: &[Result<T>]) -> usize {
    results.iter().filter(|result| result.is_ok()).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_unique_value_has_one_winner() {
    let f = fixture().await;
    let results =
        race(&f, |db, number| async move { db.create(&team(&format!("t{number}"), "Red")).await })
            .await;
    assert_eq!(winners(&results), 1);
    assert!(
        results
            .iter()
            .flat_map(|result| result.as_ref().err())
            .all(|error| matches!(error, Error::UniqueTaken { constraint: "name", .. }))
    );
    assert_eq!(f.rows().await.len(), 3, "the team, its name and its mirror");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_edits_of_the_same_version_one_wins() {
    let f = fixture().await;
    let p = f.db.create(&player("t1", "p1")).await.unwrap();
    let results = race(&f, move |db, number| {
        let p = p.clone();
        async move { db.edit(p, |p| p.number = u8::try_from(number).ok()).await }
    })
    .await;
    assert_eq!(winners(&results), 1);
    assert!(
        results
            .iter()
            .flat_map(|result| result.as_ref().err())
            .all(|error| matches!(error, Error::VersionConflict { .. }))
    );
    assert_eq!(f.row("TEAM#t1", "PLAYER#p1").await.unwrap()["ver"], 2.into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_addition_is_lost() {
    let f = fixture().await;
    f.db.create(&player("t1", "p1")).await.unwrap();
    let results = race(&f, |db, _| async move {
        for _ in 0..10 {
            db.update(Player::update(&player_key("t1", "p1")).add_goals(1)).await?;
        }
        Ok(())
    })
    .await;
    assert_eq!(winners(&results), WRITERS);
    let row = f.row("TEAM#t1", "PLAYER#p1").await.unwrap();
    assert_eq!((&row["goals"], &row["ver"]), (&80.into(), &81.into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn puts_that_read_first_leave_one_sentinel() {
    let f = fixture().await;
    let results = race(&f, |db, number| async move {
        db.put(&session("s1", Some(&format!("token{number}")), None)).await
    })
    .await;
    assert!(winners(&results) >= 1);
    assert!(
        results
            .iter()
            .flat_map(|result| result.as_ref().err())
            .all(|error| matches!(error, Error::VersionConflict { .. })),
        "{results:?}"
    );
    let row = f.row("SESSION#s1", "SESSION").await.unwrap();
    let token = row["token"].as_s().unwrap();
    assert_eq!(f.sentinels().await, [format!("UNIQUE#Session#token#{token}")]);
    assert_eq!(row["ver"], winners(&results).into());
}

#[tokio::test]
async fn a_row_deleted_during_a_put_is_created() {
    let f = fixture().await;
    let db = Settings::<League>::new().open(Failing::never(&f.backend).polite()).await.unwrap();
    let key = SessionKey::new("s1".to_owned());
    let again = session("s1", Some("two"), None);
    let visit = || Session::update(&key).add_visits(1).or_create();

    f.db.create(&session("s1", Some("one"), None)).await.unwrap();
    let (gone, put) = tokio::join!(biased; db.delete_by_key(&key), db.put(&again));
    assert_eq!((gone.unwrap(), put.unwrap().ver), (true, 1));

    let (gone, updated) = tokio::join!(biased; db.delete_by_key(&key), db.update(visit()));
    assert_eq!((gone.unwrap(), updated.unwrap().visits), (true, 1));

    f.db.put(&again).await.unwrap();
    let put = db.transact().with(monotable_model::put(again.clone())).commit();
    let (gone, put) = tokio::join!(biased; db.delete_by_key(&key), put);
    assert!(gone.unwrap());
    put.unwrap();
    assert_eq!(f.row("SESSION#s1", "SESSION").await.unwrap()["ver"], 1.into());

    let gone_too =
        db.transact().with(delete_by_key(&key)).with(create(session("s2", None, None))).commit();
    let (gone, transacted) = tokio::join!(biased; db.delete_by_key(&key), gone_too);
    assert!(gone.unwrap());
    transacted.unwrap();
    assert_eq!(f.sentinels().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_expired_row_is_created_once() {
    let f = fixture().await;
    f.db.create(&session("s1", Some("old"), Some(1))).await.unwrap();
    f.clock.advance_ms(1_000);
    let results = race(&f, |db, number| async move {
        db.create(&session("s1", Some(&format!("token{number}")), None)).await
    })
    .await;
    assert_eq!(winners(&results), 1);
    let key = SessionKey::new("s1".to_owned());
    assert_eq!(f.db.update(Session::update(&key).add_visits(1)).await.unwrap().ver, 2);
}
