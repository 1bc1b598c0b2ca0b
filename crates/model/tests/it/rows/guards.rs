//! Guards: at most one holder.

use monotable_model::rows::{Guard, Layout, RowKey};
use monotable_model::{Error, Table};
use monotable_types::item;

use super::tables::{Club, Flat, FlatGameKey, KeyValue, PlainGame, PlainGameKey};
use super::world::{START_SECONDS, World, at, on_every_table};

on_every_table!(
    a_guard_has_one_holder,
    an_expired_guard_is_free_at_once,
    somebody_else_can_not_release,
    a_transaction_with_a_held_guard_does_nothing,
);

fn guard() -> Guard {
    Guard::new("TEAM#t1", "ACTIVE_GAME")
}

async fn a_guard_has_one_holder<T: Table>(world: World<T>) {
    let db = &world.db;
    assert_eq!(db.run(guard().holder()).await.unwrap(), None);
    db.run(guard().hold("g1")).await.unwrap();
    assert_eq!(db.run(guard().holder()).await.unwrap().as_deref(), Some("g1"));
    let error = db.run(guard().hold("g2")).await.unwrap_err();
    assert_eq!(error.to_string(), "TEAM#t1 / ACTIVE_GAME is held by g1");
    assert!(matches!(error, Error::Held { holder: Some(holder), .. } if holder == "g1"));
    db.run(guard().release("g1")).await.unwrap();
    let error = db.run(guard().release("g1")).await.unwrap_err();
    assert_eq!(error.to_string(), "nobody holds TEAM#t1 / ACTIVE_GAME");
    db.run(guard().hold("g2")).await.unwrap();
}

async fn an_expired_guard_is_free_at_once<T: Table>(world: World<T>) {
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

async fn somebody_else_can_not_release<T: Table>(world: World<T>) {
    let db = &world.db;
    db.run(guard().hold("g1").expires(at(10))).await.unwrap();
    let error = db.run(guard().release("g2")).await.unwrap_err();
    assert!(matches!(error, Error::Held { holder: Some(holder), .. } if holder == "g1"));
    assert_eq!(db.run(guard().holder()).await.unwrap().as_deref(), Some("g1"));
}

async fn a_transaction_with_a_held_guard_does_nothing<T: Table>(world: World<T>) {
    let db = &world.db;
    db.run(guard().hold("g1")).await.unwrap();
    let other = Guard::new("TEAM#t2", "ACTIVE_GAME");
    let both = db.transact().add(other.hold("g2")).add(guard().hold("g2")).await;
    let Err(Error::Transaction { failures }) = both else { panic!("the guard is held") };
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].operation, 1);
    assert_eq!(failures[0].label, "hold guard TEAM#t1 / ACTIVE_GAME");
    assert!(
        matches!(&failures[0].error, Error::Held { holder: Some(holder), .. } if holder == "g1")
    );
    assert_eq!(db.run(other.holder()).await.unwrap(), None);

    db.transact().add(other.hold("g2")).add(guard().release("g1")).await.unwrap();
    assert_eq!(db.run(other.holder()).await.unwrap().as_deref(), Some("g2"));
    assert_eq!(db.run(guard().holder()).await.unwrap(), None);
}

#[tokio::test]
async fn a_guard_stands_where_and_as_the_caller_says() {
    let world = World::<Club>::new().await;
    world.db.run(guard().hold("g1").expires(at(60))).await.unwrap();
    assert_eq!(
        world.rows().await,
        [item! {
            "PK" => "TEAM#t1", "SK" => "ACTIVE_GAME", "ItemType" => "GUARD",
            "v" => "g1", "expires_at" => START_SECONDS + 60,
        }]
    );

    let layout = Layout::default().value("owner").expiry("until").type_name("ACTIVE");
    world.db.run(guard().layout(layout).release("g1")).await.unwrap_err();
    world.db.run(guard().release("g1")).await.unwrap();
    world.db.run(guard().layout(layout).hold("g2").expires(at(60))).await.unwrap();
    assert_eq!(
        world.rows().await,
        [item! {
            "PK" => "TEAM#t1", "SK" => "ACTIVE_GAME", "ItemType" => "ACTIVE",
            "owner" => "g2", "until" => START_SECONDS + 60,
        }]
    );

    let world = World::<KeyValue>::new().await;
    world.db.run(guard().hold("g1")).await.unwrap();
    let expected = item! { "pk" => "TEAM#t1", "sk" => "ACTIVE_GAME", "v" => "g1" };
    assert_eq!(world.rows().await, [expected]);
}

#[tokio::test]
async fn a_guard_may_stand_under_the_key_of_an_entity() {
    let world = World::<Club>::new().await;
    let key = PlainGameKey::new("g1".to_owned());
    let guard = Guard::at(RowKey::of(&key).unwrap());
    world.db.run(guard.hold("u1")).await.unwrap();
    let taken = world.db.create(&PlainGame { game_id: "g1".to_owned() }).await;
    assert!(matches!(taken, Err(Error::Exists { .. })));

    let world = World::<Flat>::new().await;
    let guard = Guard::at(RowKey::of(&FlatGameKey::new("g1".to_owned())).unwrap());
    world.db.run(guard.hold("u1")).await.unwrap();
    assert_eq!(world.rows().await, [item! { "id" => "GAME#g1", "v" => "u1" }]);
}

#[tokio::test]
async fn keys_that_do_not_fit_the_table_are_refused() {
    let flat = World::<Flat>::new().await;
    let error = flat.db.run(guard().hold("g1")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "guard `TEAM#t1 / ACTIVE_GAME` has a sort key, which the table has not: use `RowKey::partition`"
    );
    flat.db.run(Guard::at(RowKey::partition("TEAM#t1")).hold("g1")).await.unwrap();

    let club = World::<Club>::new().await;
    let error = club.db.run(Guard::at(RowKey::partition("x")).hold("g1")).await.unwrap_err();
    assert_eq!(error.to_string(), "guard `x` needs a sort key: use `new(pk, sk)`");
    let empty = club.db.run(Guard::new("", "x").hold("g1")).await.unwrap_err();
    assert!(matches!(empty, Error::Key { entity: "guard", .. }));
    let long = club.db.run(Guard::new("x", "y".repeat(1025)).hold("g1")).await.unwrap_err();
    assert!(matches!(long, Error::Key { entity: "guard", .. }));
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
