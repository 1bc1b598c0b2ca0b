//! Commits of requests: their replies, what repeats get, and what is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use http::Method;
use monotable::model::{Entity as _, check, create, edit};
use monotable_kit::{Problem, Reply, Request, Route, repeat};
use serde_json::{Value, json};

use crate::shelf::{App, Book, BookId, Service, ShelfReads as _, book};
use crate::world::{Answer, World};

const PAGES: i64 = 474;

/// A service with a command for every way in which a commit can end.
fn service(announced: &Arc<AtomicU64>) -> Service {
    let form = |problem: &Problem, _: &str| json!({ "code": problem.code });
    let announced = Arc::clone(announced);
    Service::new("shelf", "Commits", "Commands and their commits.", form).routes([
        Route::new(Method::POST, "/added/{bookId}", "add", move |app: Arc<App>, call: Request| {
            let announced = Arc::clone(&announced);
            async move { add(&app, &call, &announced).await }
        })
        .about("Books", "Adds a book")
        .answers(201, "The book", None)
        .once(),
        Route::new(Method::POST, "/read/{bookId}", "read", read)
            .about("Books", "Counts a reader of a book that has not changed")
            .answers(200, "The book", None),
        Route::new(Method::POST, "/reread/{bookId}", "reread", reread)
            .about("Books", "Reads a book again that changes meanwhile")
            .answers(200, "The book", None),
    ])
}

/// Adds a book, and announces it.
async fn add(app: &App, call: &Request, announced: &AtomicU64) -> Result<Reply, Problem> {
    let book_id: BookId = call.id("bookId")?;
    let mut tx = app.db.transact();
    let book = tx.add(create(Book { book_id, title: "Emma".to_owned(), pages: PAGES, ver: 0 }));
    call.commit(tx)
        .refuse(book, Problem::conflict("BOOK_EXISTS", "There is such a book."))
        .after(move |done| {
            announced.fetch_add(done[book].ver, Ordering::Relaxed);
        })
        .reply(move |done| {
            let book = &done[book];
            Reply::created(&json!({ "bookId": book.book_id, "ver": book.ver })).version(book.ver)
        })
        .await
}

/// Adds a page to a book, which must have as many as a new one.
async fn read(app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    let missing = || Problem::not_found("BOOK_NOT_FOUND", "There is no such book.");
    let before = app.db.book(&call.id("bookId")?).await?.ok_or_else(missing)?;
    let mut tx = app.db.transact();
    let edited = tx.add(edit(&before, |book| book.pages += 1).when(book::pages().eq(PAGES)));
    call.commit(tx)
        .refuse(edited, Problem::conflict("BOOK_READ", "The book was read."))
        .reply(move |done| Reply::ok(&json!({ "pages": done[edited].pages })))
        .await
}

/// Checks a book that another request changes before the first attempt is committed.
async fn reread(app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    let attempts = AtomicU64::new(0);
    repeat(|| async {
        let attempt = attempts.fetch_add(1, Ordering::Relaxed) + 1;
        let missing = || Problem::not_found("BOOK_NOT_FOUND", "There is no such book.");
        let before = app.db.book(&call.id("bookId")?).await?.ok_or_else(missing)?;
        if attempt == 1 {
            app.db.run(edit(&before, |book| book.pages += 1)).await?;
        }
        let mut tx = app.db.transact();
        let unchanged = tx.add(check(&before.key(), before.unchanged()));
        let shown = json!({ "pages": before.pages, "attempt": attempt });
        call.commit(tx).retry(unchanged).reply(move |_| Reply::ok(&shown)).await
    })
    .await
}

async fn ask(world: &World, path: &str, key: &str) -> Answer {
    world.ask_with(Method::POST, path, Value::Null, &[("idempotency-key", key)]).await
}

/// The numbers of failed commits and of version conflicts, by route.
fn counted(world: &World) -> Vec<String> {
    let metrics = world.metrics();
    let is_counted = |line: &&str| {
        line.starts_with("monotable_service_condition_failures_total{")
            || line.starts_with("monotable_service_version_conflicts_total{")
    };
    let short = |line: &str| {
        let (name, rest) = line.split_once('{').unwrap();
        let (labels, number) = rest.split_once("} ").unwrap();
        let route = labels.split("route=").nth(1).unwrap();
        format!("{name} {route} {number}")
    };
    metrics.lines().filter(is_counted).map(short).collect()
}

#[tokio::test]
async fn a_repeat_gets_the_recorded_reply_and_announces_nothing() {
    let announced = Arc::default();
    let world = World::of(service(&announced), |host| host).await;
    let first = ask(&world, "/added/b1", "k1").await;
    assert_eq!((first.status, first.json()), (201, json!({ "bookId": "b1", "ver": 1 })));
    assert_eq!((first.header("etag"), announced.load(Ordering::Relaxed)), ("\"1\"", 1));
    let again = ask(&world, "/added/b1", "k1").await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    assert_eq!(again.header("idempotent-replay"), "true");
    assert_eq!(announced.load(Ordering::Relaxed), 1);
    // What failed on the effect of the same request before is no failure.
    assert_eq!(counted(&world), Vec::<String>::new());
}

#[tokio::test]
async fn a_refused_commit_announces_nothing_and_is_counted() {
    let announced = Arc::default();
    let world = World::of(service(&announced), |host| host).await;
    ask(&world, "/added/b1", "k1").await;
    assert_eq!(ask(&world, "/added/b1", "k2").await.outcome(), "409 BOOK_EXISTS");
    assert_eq!(announced.load(Ordering::Relaxed), 1);
    // Routes without version conflicts are not listed with them.
    let expected = [r#"monotable_service_condition_failures_total "/added/{bookId}" 1"#];
    assert_eq!(counted(&world), expected);
}

#[tokio::test]
async fn a_commit_without_a_record_replies_and_refuses_alike() {
    let world = World::of(service(&Arc::default()), |host| host).await;
    ask(&world, "/added/b1", "k1").await;
    let read = world.request(Method::POST, "/read/b1", Value::Null).await;
    assert_eq!((read.status, read.json()), (200, json!({ "pages": PAGES + 1 })));
    assert_eq!(
        world.request(Method::POST, "/read/b1", Value::Null).await.outcome(),
        "409 BOOK_READ"
    );
}

#[tokio::test]
async fn a_command_that_runs_again_is_counted_as_a_conflict() {
    let world = World::of(service(&Arc::default()), |host| host).await;
    ask(&world, "/added/b1", "k1").await;
    let read = world.request(Method::POST, "/reread/b1", Value::Null).await;
    assert_eq!((read.status, read.json()), (200, json!({ "pages": PAGES + 1, "attempt": 2 })));
    let expected = [
        r#"monotable_service_condition_failures_total "/reread/{bookId}" 1"#,
        r#"monotable_service_version_conflicts_total "/reread/{bookId}" 1"#,
    ];
    assert_eq!(counted(&world), expected);
}
