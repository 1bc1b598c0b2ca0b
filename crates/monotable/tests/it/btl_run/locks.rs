//! "Lightweight Lock Pattern", as printed and as the design needs it for expired rows.

use monotable::Item;
use monotable::dynamodb::{DeleteItem, Error, PutItem, Result, UpdateItem};

use super::{TABLE, create};
use crate::support::literal::Literal;
use crate::support::reading::{get, lower_key};
use crate::support::stores::{TestDatabase, on_both_stores};

const TTL_SECONDS: u64 = 30;

fn lock_key() -> Item {
    lower_key("lock#match#m1", "v")
}

/// Returns the row that `acquireLock` puts.
fn lock_row(db: &TestDatabase) -> Item {
    let printed = "{
        pk: `lock#match#${matchId}`,
        sk: 'v',
        v: 'locked',
        ttl,
      }";
    Literal::new(printed).bind("matchId", "m1").bind("ttl", db.now_seconds() + TTL_SECONDS).item()
}

/// Returns whether the request was done; a failed condition means that it was not.
fn held<T>(outcome: Result<T>) -> bool {
    match outcome {
        Ok(_) => true,
        Err(Error::ConditionalCheckFailed { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}

/// `acquireLock`, as printed.
fn acquire_as_printed(db: &TestDatabase) -> bool {
    held(db.put_item(PutItem::new(TABLE, lock_row(db)).condition("attribute_not_exists(pk)")))
}

/// `releaseLock`, as printed.
fn release_as_printed(db: &TestDatabase) {
    db.delete_item(DeleteItem::new(TABLE, lock_key())).unwrap();
}

/// Takes a lock that is free or expired, for the owner of the token.
fn acquire(db: &TestDatabase, token: &str) -> bool {
    let mut row = lock_row(db);
    row.insert("v".to_owned(), token.into());
    let put = PutItem::new(TABLE, row)
        .condition("attribute_not_exists(pk) OR #ttl <= :now")
        .name("#ttl", "ttl")
        .value(":now", db.now_seconds());
    held(db.put_item(put))
}

/// Frees a lock that is still the owner's.
fn release(db: &TestDatabase, token: &str) -> bool {
    let delete = DeleteItem::new(TABLE, lock_key()).condition("v = :token").value(":token", token);
    held(db.delete_item(delete))
}

/// Keeps a lock that is still the owner's and has not expired.
fn extend(db: &TestDatabase, token: &str) -> bool {
    let update = UpdateItem::new(TABLE, lock_key())
        .update("SET #ttl = :later")
        .condition("v = :token AND #ttl > :now")
        .name("#ttl", "ttl")
        .value(":later", db.now_seconds() + TTL_SECONDS)
        .value(":token", token)
        .value(":now", db.now_seconds());
    held(db.update_item(update))
}

#[test]
fn a_lock_is_taken_once_until_it_is_released() {
    on_both_stores(|db| {
        create(db);
        assert!(acquire_as_printed(db));
        assert!(!acquire_as_printed(db));
        release_as_printed(db);
        assert!(acquire_as_printed(db));
        assert_eq!(get(db, TABLE, lock_key()), Some(lock_row(db)));
    });
}

#[test]
fn one_of_many_takes_the_lock() {
    on_both_stores(|db| {
        create(db);
        let taken: usize = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| usize::from(acquire_as_printed(db)))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(taken, 1);
    });
}

#[test]
fn the_lock_as_printed_stays_taken_after_expiry_until_it_is_swept() {
    on_both_stores(|db| {
        create(db);
        assert!(acquire_as_printed(db));
        db.advance_seconds(TTL_SECONDS + 1);
        assert!(!acquire_as_printed(db), "expiry alone removes nothing");
        assert_eq!(db.sweep_expired().unwrap(), 1);
        assert!(acquire_as_printed(db));
    });
}

#[test]
fn an_expired_lock_is_taken_over() {
    on_both_stores(|db| {
        create(db);
        assert!(acquire(db, "first"));
        db.advance_seconds(TTL_SECONDS - 1);
        assert!(!acquire(db, "second"), "still held in its last second");
        db.advance_seconds(1);
        assert!(acquire(db, "second"));
        assert!(!acquire(db, "third"));
    });
}

#[test]
fn a_lock_is_released_by_its_owner_only() {
    on_both_stores(|db| {
        create(db);
        assert!(acquire(db, "first"));
        assert!(!release(db, "second"));
        db.advance_seconds(TTL_SECONDS);
        assert!(acquire(db, "second"));
        assert!(!release(db, "first"), "it has passed to another");
        assert!(release(db, "second"));
        assert!(!release(db, "second"), "a free lock has no owner");
    });
}

#[test]
fn a_lock_is_extended_by_its_owner_until_it_expires() {
    on_both_stores(|db| {
        create(db);
        assert!(acquire(db, "first"));
        db.advance_seconds(20);
        assert!(extend(db, "first"));
        assert!(!extend(db, "second"));
        db.advance_seconds(29);
        assert!(!acquire(db, "second"), "extended");
        db.advance_seconds(1);
        assert!(!extend(db, "first"), "too late");
    });
}
