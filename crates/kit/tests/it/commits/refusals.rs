//! What the failures of a transaction mean, by the handles of its operations.

use std::sync::atomic::{AtomicU32, Ordering};

use monotable::model::{Entity as _, Error, Transact, check, create, delete, edit};
use monotable::prelude::*;
use monotable::{Database, Options};
use monotable_kit::{Problem, Refusals};

use crate::shelf::{Book, BookId, Shelf, book};

/// A shelf with two books, and one that was changed after it was read.
struct Books {
    db: Store<Shelf>,
    emma: Book,
    persuasion: Book,
    stale: Book,
}

impl Books {
    async fn new() -> Self {
        let database = Database::memory_with(Options::default());
        let db = Shelf::open(Embedded::new(database)).await.unwrap();
        let emma = db.create(&new_book("emma")).await.unwrap();
        let persuasion = db.create(&new_book("persuasion")).await.unwrap();
        let stale = db.create(&new_book("stale")).await.unwrap();
        db.run(edit(&stale, |book| book.pages += 1)).await.unwrap();
        Self { db, emma, persuasion, stale }
    }
}

fn new_book(id: &str) -> Book {
    Book { book_id: BookId::new(id).unwrap(), title: "A book".to_owned(), pages: 474, ver: 0 }
}

fn taken() -> Problem {
    Problem::conflict("NUMBER_TAKEN", "The number is taken.")
}

fn closed() -> Problem {
    Problem::conflict("SHELF_CLOSED", "The shelf is closed.")
}

/// Commits a transaction that fails, and returns the code of the problem.
async fn code(tx: Transact<Shelf>, refusals: Refusals<'_>) -> &'static str {
    refusals.problem(tx.commit().await.unwrap_err()).code
}

#[tokio::test]
async fn an_operation_is_refused_by_its_handle() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    tx.add(create(books.emma));
    let second = tx.add(create(books.persuasion));
    assert_eq!(code(tx, Refusals::new().refuse(second, taken())).await, "NUMBER_TAKEN");
}

#[tokio::test]
async fn without_a_rule_the_first_failure_decides() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    tx.add(create(books.emma));
    tx.add(check(&books.persuasion.key(), book::pages().eq(1)));
    assert_eq!(code(tx, Refusals::new()).await, "ALREADY_EXISTS");
}

#[tokio::test]
async fn the_first_operation_with_a_rule_decides_and_not_the_first_rule() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    let open = tx.add(check(&books.emma.key(), book::pages().eq(1)));
    let number = tx.add(create(books.persuasion));
    let refusals = Refusals::new().refuse(number, taken()).refuse(open, closed());
    assert_eq!(code(tx, refusals).await, "SHELF_CLOSED");
}

#[tokio::test]
async fn the_first_rule_about_an_operation_decides() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    let number = tx.add(create(books.emma));
    let refusals = Refusals::new()
        .refuse_with(number, |_| None)
        .refuse(number, taken())
        .refuse(number, closed());
    assert_eq!(code(tx, refusals).await, "NUMBER_TAKEN");
}

#[tokio::test]
async fn a_refusal_comes_before_a_row_that_has_changed() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    tx.add(edit(&books.stale, |book| book.pages += 1));
    let number = tx.add(create(books.emma));
    let refusals = Refusals::new().refuse(number, taken()).or_retry();
    assert_eq!(code(tx, refusals).await, "NUMBER_TAKEN");
}

#[tokio::test]
async fn a_row_that_has_changed_explains_what_failed_beside_it() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    tx.add(create(books.emma));
    tx.add(edit(&books.stale, |book| book.pages += 1));
    assert_eq!(code(tx, Refusals::new()).await, "VERSION_CONFLICT");
}

#[tokio::test]
async fn a_version_conflict_is_not_refused() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    let edited = tx.add(edit(&books.stale, |book| book.pages += 1));
    let refusals = Refusals::new().refuse(edited, closed()).refuse_with(edited, |_| Some(taken()));
    assert_eq!(code(tx, refusals).await, "VERSION_CONFLICT");
}

#[tokio::test]
async fn a_function_decides_by_the_error() {
    let books = Books::new().await;
    let existing = |error: &Error| matches!(error, Error::Exists { .. }).then(taken);
    let mut tx = books.db.transact();
    let number = tx.add(create(books.emma));
    assert_eq!(code(tx, Refusals::new().refuse_with(number, existing)).await, "NUMBER_TAKEN");
    let mut tx = books.db.transact();
    let open = tx.add(check(&books.persuasion.key(), book::pages().eq(1)));
    assert_eq!(code(tx, Refusals::new().refuse_with(open, existing)).await, "CONFLICT");
}

#[tokio::test]
async fn functions_are_called_for_their_own_operations_alone() {
    let books = Books::new().await;
    let calls = AtomicU32::new(0);
    let mut tx = books.db.transact();
    let first = tx.add(check(&books.persuasion.key(), book::pages().eq(474)));
    tx.add(create(books.emma));
    let refusals = Refusals::new().refuse_with(first, |_| {
        calls.fetch_add(1, Ordering::Relaxed);
        Some(taken())
    });
    assert_eq!(code(tx, refusals).await, "ALREADY_EXISTS");
    assert_eq!(calls.into_inner(), 0);
}

#[tokio::test]
async fn an_operation_may_mean_that_the_command_runs_again() {
    let books = Books::new().await;
    let gone = new_book("gone");
    let mut tx = books.db.transact();
    let open = tx.add(check(&books.emma.key(), book::pages().eq(1)));
    assert_eq!(code(tx, Refusals::new().retry(open)).await, "VERSION_CONFLICT");
    let mut tx = books.db.transact();
    let number = tx.add(create(books.emma));
    assert_eq!(code(tx, Refusals::new().retry(number)).await, "VERSION_CONFLICT");
    let mut tx = books.db.transact();
    let deleted = tx.add(delete(&gone));
    assert_eq!(code(tx, Refusals::new().retry(deleted)).await, "VERSION_CONFLICT");
}

#[tokio::test]
async fn a_retry_of_a_changed_row_comes_before_refusals_of_later_operations() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    let edited = tx.add(edit(&books.stale, |book| book.pages += 1));
    let number = tx.add(create(books.emma));
    let refusals = Refusals::new().refuse(number, taken()).retry(edited);
    assert_eq!(code(tx, refusals).await, "VERSION_CONFLICT");
}

#[tokio::test]
async fn what_was_read_and_is_not_so_any_more_may_mean_that_the_command_runs_again() {
    let books = Books::new().await;
    let mut tx = books.db.transact();
    tx.add(check(&books.emma.key(), book::pages().eq(1)));
    assert_eq!(code(tx, Refusals::new().or_retry()).await, "VERSION_CONFLICT");
    let tx = books.db.transact().with(edit(&new_book("gone"), |book| book.pages += 1));
    assert_eq!(code(tx, Refusals::new().or_retry()).await, "VERSION_CONFLICT");
    // That something exists is no reason to read again.
    let tx = books.db.transact().with(create(books.persuasion));
    assert_eq!(code(tx, Refusals::new().or_retry()).await, "ALREADY_EXISTS");
    let mut tx = books.db.transact();
    let open = tx.add(check(&books.emma.key(), book::pages().eq(1)));
    assert_eq!(code(tx, Refusals::new().or_retry().refuse(open, closed())).await, "SHELF_CLOSED");
}

#[tokio::test]
async fn an_operation_alone_may_mean_that_the_command_runs_again() {
    let books = Books::new().await;
    let when = book::pages().eq(1);
    let failed = books.db.run(delete(&books.emma).when(when)).await.unwrap_err();
    assert_eq!(Refusals::new().problem(failed.clone()).code, "CONFLICT");
    assert_eq!(Refusals::new().or_retry().problem(failed).code, "VERSION_CONFLICT");
}

#[tokio::test]
async fn only_what_is_stored_is_refused_or_tried_again() {
    let books = Books::new().await;
    let rekeyed = || edit(&books.emma, |book| book.book_id = BookId::new("other").unwrap());
    let mut tx = books.db.transact();
    let edited = tx.add(rekeyed());
    assert_eq!(code(tx, Refusals::new().refuse(edited, closed())).await, "INTERNAL");
    let mut tx = books.db.transact();
    let edited = tx.add(rekeyed());
    assert_eq!(code(tx, Refusals::new().retry(edited).or_retry()).await, "INTERNAL");
    let mut tx = books.db.transact();
    let edited = tx.add(rekeyed());
    assert_eq!(
        code(tx, Refusals::new().refuse_with(edited, |_| Some(taken()))).await,
        "NUMBER_TAKEN"
    );
}

#[tokio::test]
async fn a_handle_of_another_transaction_refuses_nothing() {
    let books = Books::new().await;
    let other = books.db.transact().add(create(new_book("other")));
    let tx = books.db.transact().with(create(books.emma));
    assert_eq!(code(tx, Refusals::new().refuse(other, taken())).await, "ALREADY_EXISTS");
}
