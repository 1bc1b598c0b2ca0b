//! Guards: at most one holder.

use monotable_model::Error;
use monotable_model::rows::{Guard, GuardKey as _};
use monotable_types::item;

use super::keys::{ActiveGame, FlatGuard, GameLockGuard, NamedGuard, RuleTable};
use super::tables::{Club, ClubRow, Flat, GameLock, KeyValue};
use super::world::{START_SECONDS, World, at, on_every_table};

on_every_table!(
    a_guard_has_one_holder,
    an_expired_guard_is_free_at_once,
    only_the_holder_can_release,
    a_transaction_with_a_held_guard_does_nothing,
);

fn guard() -> Guard<ActiveGame> {
    guard_of("t1")
}

fn guard_of(team_id: &str) -> Guard<ActiveGame> {
    ActiveGame { team_id: team_id.to_owned() }.guard()
}

async fn a_guard_has_one_holder<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    assert_eq!(db.run(guard().holder()).await.unwrap(), None);
    db.run(guard().hold("g1")).await.unwrap();
    assert_eq!(db.run(guard().holder()).await.unwrap().as_deref(), Some("g1"));
    let error = db.run(guard().hold("g2")).await.unwrap_err();
    assert_eq!(error.to_string(), "TEAM#t1 / ACTIVE_GAME is held by g1");
    assert!(matches!(error, Error::Held { holder: Some(holder), .. } if holder == "g1"));
    db.run(guard().release("g1")).await.unwrap();
    let error = db.run(guard().release("g1")).await.unwrap_err();
    assert_eq!(error.to_string(), "TEAM#t1 / ACTIVE_GAME is not held");
    db.run(guard().hold("g2")).await.unwrap();
}

async fn an_expired_guard_is_free_at_once<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(guard().hold("g1").expires(at(10))).await.unwrap();
    world.pass(9);
    assert!(db.run(guard().hold("g2")).await.is_err());
    world.pass(1);
    assert_eq!(db.run(guard().holder()).await.unwrap(), None);
    assert!(matches!(db.run(guard().release("g1")).await, Err(Error::NotHeld { .. })));
    db.run(guard().hold("g2")).await.unwrap();
    world.pass(1_000_000);
    assert_eq!(db.run(guard().holder()).await.unwrap().as_deref(), Some("g2"));
}

async fn only_the_holder_can_release<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(guard().hold("g1").expires(at(10))).await.unwrap();
    let error = db.run(guard().release("g2")).await.unwrap_err();
    assert!(matches!(error, Error::Held { holder: Some(holder), .. } if holder == "g1"));
    assert_eq!(db.run(guard().holder()).await.unwrap().as_deref(), Some("g1"));
}

async fn a_transaction_with_a_held_guard_does_nothing<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(guard().hold("g1")).await.unwrap();
    let other = guard_of("t2");
    let mut tx = db.transact().with(other.hold("g2"));
    let held = tx.add(guard().hold("g2"));
    let both = tx.await;
    let Err(Error::Transaction { failures }) = both else { panic!("the guard is held") };
    assert_eq!(failures.len(), 1);
    assert!(failures[0].is(held));
    assert_eq!(failures[0].label.to_string(), "hold guard");
    assert_eq!(failures[0].key, "TEAM#t1 / ACTIVE_GAME");
    assert!(
        matches!(&failures[0].error, Error::Held { holder: Some(holder), .. } if holder == "g1")
    );
    assert_eq!(db.run(other.holder()).await.unwrap(), None);

    db.transact().with(other.hold("g2")).with(guard().release("g1")).await.unwrap();
    assert_eq!(db.run(other.holder()).await.unwrap().as_deref(), Some("g2"));
    assert_eq!(db.run(guard().holder()).await.unwrap(), None);
}

#[tokio::test]
async fn a_guard_is_stored_under_the_declared_key() {
    let world = World::<Club>::new().await;
    world.db.run(guard().hold("g1").expires(at(60))).await.unwrap();
    assert_eq!(
        world.rows().await,
        [item! {
            "PK" => "TEAM#t1", "SK" => "ACTIVE_GAME", "ItemType" => "GUARD",
            "v" => "g1", "expires_at" => START_SECONDS + 60,
        }]
    );

    world.db.run(guard().release("g1")).await.unwrap();
    let named = NamedGuard { team_id: "t1".to_owned() }.guard();
    world.db.run(named.hold("g2").expires(at(60))).await.unwrap();
    assert_eq!(
        world.rows().await,
        [item! {
            "PK" => "TEAM#t1", "SK" => "NAMED", "ItemType" => "ACTIVE",
            "owner" => "g2", "until" => START_SECONDS + 60,
        }]
    );

    let world = World::<KeyValue>::new().await;
    world.db.run(guard().hold("g1")).await.unwrap();
    let expected = item! { "pk" => "TEAM#t1", "sk" => "ACTIVE_GAME", "v" => "g1" };
    assert_eq!(world.rows().await, [expected]);
}

#[tokio::test]
async fn an_entity_reads_the_row_of_its_guard() {
    let world = World::<Club>::new().await;
    let guard = GameLockGuard { game_id: "g1".to_owned() }.guard();
    world.db.run(guard.hold("u1")).await.unwrap();
    let lock = GameLock { game_id: "g1".to_owned(), owner: "u1".to_owned() };
    let row = world.row("GAME#g1", "LOCK").await.unwrap();
    assert!(matches!(Club::decode(row), Ok(Some(ClubRow::GameLock(read))) if read == lock));
    assert!(matches!(world.db.create(&lock).await, Err(Error::Exists { .. })));
    world.db.delete(&lock).await.unwrap();
    assert_eq!(world.db.run(guard.holder()).await.unwrap(), None);
}

#[tokio::test]
async fn values_that_are_not_valid_in_a_key_are_refused() {
    let flat = World::<Flat>::new().await;
    flat.db.run(FlatGuard { team_id: "t1".to_owned() }.guard().hold("g1")).await.unwrap();
    assert_eq!(flat.rows().await, [item! { "id" => "TEAM#t1", "v" => "g1" }]);

    let club = World::<Club>::new().await;
    for wrong in [String::new(), "a\nb".to_owned(), "y".repeat(2048)] {
        let guard = guard_of(&wrong);
        let refused = club.db.run(guard.hold("g1")).await.unwrap_err();
        assert!(matches!(refused, Error::Key { entity: "guard", .. }), "{refused}");
        assert!(matches!(club.db.run(guard.holder()).await, Err(Error::Key { .. })));
        let refused = club.db.transact().with(guard.hold("g1")).await;
        let Err(Error::Transaction { failures }) = refused else { panic!("it has no key") };
        assert_eq!(failures[0].label.to_string(), "hold guard");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_at_once_one_holds() {
    let world = World::<Club>::new().await;
    // One that has expired is as free as none.
    world.db.run(guard().hold("old").expires(at(1))).await.unwrap();
    world.pass(5);
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let db = world.db.clone();
            tokio::spawn(async move { db.run(guard().hold(format!("g{number}"))).await })
        })
        .collect();
    let mut held = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(()) => held += 1,
            Err(error) => assert!(matches!(error, Error::Held { .. }), "{error}"),
        }
    }
    assert_eq!(held, 1);
}
