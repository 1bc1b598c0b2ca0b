//! What bodies, views, paths and commits take over from the code of a service.

use std::sync::atomic::{AtomicU64, Ordering};

use http::Method;
use monotable_kit::prelude::*;
use monotable_kit::{Bookmarks, Refusal, operations, paths};
use serde_json::{Value, json};

use crate::shelf::{App, Book, BookId, Service, ShelfReads as _};
use crate::world::World;

monotable::model::stamps!(pub(crate) Stamps(created = createdAt, version = ver, expires = ttl));

paths! {
    /// A copy of a book.
    CopyPath { book_id: BookId }
}

/// A reader of books.
#[derive(Clone, Debug, PartialEq)]
struct Reader {
    name: String,
    nickname: Option<String>,
    shelves: Vec<String>,
    age: u8,
    is_new: bool,
    stamps: Stamps,
}

fn capital(text: &str) -> Result<String, String> {
    if text.contains('#') { Err("must not contain #".to_owned()) } else { Ok(text.to_uppercase()) }
}

fn distinct(shelves: &[String]) -> Result<Vec<String>, &'static str> {
    if shelves.len() > 2 { Err("may be two at most") } else { Ok(shelves.to_vec()) }
}

/// Changes of a reader.
#[derive(Debug, Body)]
#[body(applies_to = Reader, read_only_of = ReaderView, read_only("ttl"))]
struct ReaderChanges {
    #[body(check = capital, length = 1..=5)]
    name: Option<String>,
    #[body(check = capital, alias("nick"))]
    nickname: Patch<String>,
    #[body(flatten)]
    more: MoreChanges,
}

#[derive(Debug, Body)]
#[body(applies_to = Reader)]
struct MoreChanges {
    #[body(check = distinct)]
    shelves: Patch<Vec<String>>,
    is_new: bool,
    #[body(not_applied, range = 0..=99)]
    age: Option<u8>,
}

/// A list of changes.
#[derive(Debug, Body)]
struct Readers {
    readers: Vec<ReaderChanges>,
}

/// A reader.
#[derive(View)]
#[view(of = Reader)]
struct ReaderView {
    #[view(example = "EVE")]
    name: String,
    nickname: Option<String>,
    shelves: Vec<String>,
    age: u8,
    /// Which book is being read.
    #[view(absent)]
    book_id: Option<BookId>,
    #[view(stamps)]
    stamps: Stamps,
}

fn reader() -> Reader {
    let stamps = Stamps { version: 3, ..Stamps::default() };
    let (name, nickname) = ("EVE".to_owned(), Some("E".to_owned()));
    Reader { name, nickname, shelves: vec!["a".to_owned()], age: 7, is_new: false, stamps }
}

fn read(body: Value) -> Result<ReaderChanges, String> {
    let schema = ReaderChanges::schema().unwrap();
    schema.check(body).and_then(ReaderChanges::read).map_err(|problem| problem.message)
}

#[test]
fn checks_of_a_service_are_reported_with_all_other_wrong_fields() {
    let changes =
        read(json!({ "name": " ann ", "nick": "an", "shelves": [], "isNew": true })).unwrap();
    assert_eq!(changes.name.as_deref(), Some("ANN"));
    assert_eq!(changes.nickname, Patch::Set("AN".to_owned()));
    assert_eq!(changes.more.age, None);
    let wrong = json!({ "name": "a#", "nickname": null, "shelves": ["a", "b", "c"], "age": 100 });
    assert_eq!(
        read(wrong).unwrap_err(),
        "age: must be from 0 to 99; name: must not contain #; shelves: may be two at most; isNew: is required"
    );
    // A value that its kind refuses is not checked further.
    let long = read(json!({ "name": "#######", "isNew": true })).unwrap_err();
    assert_eq!(long, "name: must have 1 to 5 characters");
    let several = json!({ "readers": [{ "isNew": true }, { "isNew": true, "nick": "#" }] });
    let several = Readers::schema().unwrap().check(several).unwrap_err();
    assert_eq!(several.message, "readers[1].nick: must not contain #");
    let one = Readers::schema().unwrap().check(json!({ "readers": [{ "isNew": true }] }));
    assert_eq!(one.and_then(Readers::read).unwrap().readers.len(), 1);
}

#[test]
fn what_a_view_shows_and_a_body_lacks_is_read_only() {
    let schema = ReaderChanges::schema().unwrap();
    assert_eq!(schema.read_only, ["bookId", "createdAt", "ver", "ttl"]);
    let refused = schema.check(json!({ "isNew": true, "ver": 1 })).unwrap_err();
    assert_eq!(
        (refused.code, refused.message.as_str()),
        ("READ_ONLY_FIELD", "ver: can't be written")
    );
}

#[test]
fn a_body_changes_the_fields_of_a_row_that_it_names() {
    let apply = |body: Value| {
        let mut row = reader();
        read(body).unwrap().apply(&mut row);
        row
    };
    assert_eq!(apply(json!({ "isNew": true })), Reader { is_new: true, ..reader() });
    let changed = apply(
        json!({ "name": "Ann", "nickname": null, "shelves": null, "age": 9, "isNew": false }),
    );
    let expected =
        Reader { name: "ANN".to_owned(), nickname: None, shelves: Vec::new(), ..reader() };
    assert_eq!(changed, expected);
}

#[test]
fn stamps_of_a_row_are_fields_of_its_view() {
    let view = ReaderView::of(&reader());
    let expected = json!({
        "name": "EVE", "nickname": "E", "shelves": ["a"], "age": 7, "ver": 3,
        "createdAt": "1970-01-01T00:00:00.000Z",
    });
    assert_eq!((json!(view), view.version()), (expected.clone(), Some(3)));
    let Reply { body, version, .. } = Json(view).into_reply();
    let monotable_kit::ReplyBody::Json(body) = body else { panic!("a view is JSON") };
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((body, version), (expected, Some(3)));
}

#[test]
fn required_fields_have_an_example_by_their_type() {
    #[derive(View)]
    struct Examples {
        book_id: BookId,
        book_ids: Vec<BookId>,
        optional: Option<BookId>,
        at: Timestamp,
        day: Date,
        number: u8,
        is_new: bool,
        reader: ReaderView,
    }
    let example = Json::<Examples>::describe().example.unwrap();
    let reader = json!({
        "name": "EVE", "shelves": [], "age": 0, "ver": 1, "createdAt": "2026-06-01T09:30:00.000Z",
    });
    let expected = json!({
        "bookId": "book-1", "bookIds": ["book-1"], "at": "2026-06-01T09:30:00.000Z",
        "day": "2026-06-01", "number": 0, "isNew": false, "reader": reader,
    });
    assert_eq!(example, expected);
    let Some(Kind::Object(schema)) = Json::<Examples>::describe().schema else { panic!() };
    assert_eq!(schema.fields.iter().filter(|field| field.example.is_none()).count(), 2);
}

#[derive(Clone, Copy, Debug, Refusal)]
enum Refusal {
    /// There is such a book.
    #[refusal(conflict)]
    BookExists,
}

/// A book.
#[derive(View)]
#[view(of = Book, list = "books")]
struct BookView {
    book_id: BookId,
    #[view(example = "Emma")]
    title: String,
    pages: i64,
}

static ANNOUNCED: AtomicU64 = AtomicU64::new(0);

mod copy_book {
    use super::*;

    /// Adds a book, and announces it.
    #[operation(POST "/copies/{bookId}", once, refuses(BookExists))]
    async fn copy_book(app: &App, call: &Call<CopyPath>) -> Answer<Created<BookView>> {
        let book_id = call.path.book_id.clone();
        let mut tx = call.transact(&app.db).or_retry();
        let title = "Emma".to_owned();
        let book = Book { book_id, title, pages: 1, ver: 0 };
        let book = tx.require(create(book), Refusal::BookExists);
        tx.afterwards(async { _ = ANNOUNCED.fetch_add(1, Ordering::Relaxed) })
            .respond(move |done| Created(BookView::of(&done[book])))
            .await
    }
}

mod count_copy {
    use super::*;

    /// Adds a page, unless somebody else does so meanwhile: then to what there is then.
    #[operation(POST "/counts/{bookId}")]
    async fn count_copy(app: &App, call: &Call<CopyPath>) -> Answer<Json<BookView>> {
        let stored = app.db.book(&call.path.book_id).consistent().await?;
        let stored =
            stored.ok_or(Problem::not_found("BOOK_NOT_FOUND", "There is no such book."))?;
        if stored.pages == 1 {
            app.db.run(edit(&stored, |book| book.pages = 10)).await?;
        }
        let mut tx = call.transact(&app.db);
        let book = tx.expect(edit(&stored, |book| book.pages += 1));
        tx.respond(move |done| Json(BookView::of(&done[book]))).await
    }
}

mod list_copies {
    use super::*;

    /// Lists three books.
    #[operation(GET "/copies")]
    async fn list_copies(app: &App, call: &Call<(), (), Paged>) -> Answer<SortedPage<BookView>> {
        let book = |number: i64| {
            let book_id = BookId::new(format!("b{number}")).map_err(|_| Problem::internal("id"))?;
            Ok(Book { book_id, title: "Emma".to_owned(), pages: number, ver: 0 })
        };
        let rows = (1..=3).map(book).collect::<Result<Vec<Book>, Problem>>()?;
        let position = |book: &Book| book.pages;
        let list = SortedList { scope: "copies".to_owned(), rows: &rows, position };
        Ok(list.page(&Bookmarks::new([7; 32]), app.db.now(), call, BookView::of)?.into())
    }
}

fn service() -> Service {
    Service::new("shelf", "Shelf", "Books.", crate::shelf::service().problem_form)
        .chapter("Books", operations![copy_book, count_copy, list_copies])
}

#[tokio::test]
async fn a_commit_says_what_failures_mean_where_operations_are_added() {
    let world = World::of(service(), |host| host.secrets_key([7; 32])).await;
    let copy = async |key: &str| {
        let headers = [("idempotency-key", key)];
        world.ask_with(Method::POST, "/copies/emma", Value::Null, &headers).await
    };
    let before = ANNOUNCED.load(Ordering::Relaxed);
    let (first, again) = (copy("k1").await, copy("k1").await);
    assert_eq!((first.outcome(), again.outcome()), ("201 -".to_owned(), "201 -".to_owned()));
    assert_eq!(again.header("idempotent-replay"), "true");
    assert_eq!(copy("k2").await.outcome(), "409 BOOK_EXISTS");
    // Once: neither the repeat nor the refusal is announced.
    assert_eq!(ANNOUNCED.load(Ordering::Relaxed) - before, 1);
    let counted = world.request(Method::POST, "/counts/emma", Value::Null).await;
    assert_eq!(counted.json()["pages"], 11, "{}", counted.text);
}

#[tokio::test]
async fn sorted_lists_come_in_pages_and_for_the_first_version_as_an_array() {
    let world = World::of(service(), |host| host).await;
    let list = async |query: &str, headers: &[(&str, &str)]| {
        world.ask_with(Method::GET, &format!("/copies{query}"), Value::Null, headers).await.json()
    };
    let first = list("?limit=2", &[]).await;
    let ids = |page: &Value| {
        let books = page.as_array().cloned().unwrap_or_default();
        books.iter().map(|book| book["bookId"].clone()).collect::<Value>()
    };
    assert_eq!(ids(&first["books"]), json!(["b1", "b2"]));
    let token = first["nextToken"].as_str().unwrap();
    let second = list(&format!("?nextToken={token}"), &[]).await;
    assert_eq!((ids(&second["books"]), &second["nextToken"]), (json!(["b3"]), &Value::Null));
    assert_eq!(ids(&list("", &[("accept-version", "1")]).await), json!(["b1", "b2", "b3"]));
    let document = service().openapi();
    let shown = &document["paths"]["/copies"]["get"]["responses"]["200"]["content"];
    let forms = shown["application/json"]["schema"]["anyOf"].as_array().unwrap();
    let types: Vec<&Value> = forms.iter().map(|form| &form["type"]).collect();
    assert_eq!(types, ["object", "array"]);
}

#[test]
fn a_response_that_an_operation_does_not_declare_is_found() {
    let check = |method, path, status, code: &str| {
        let body = json!({ "code": code }).to_string();
        service().check_response(&method, path, status, &body)
    };
    assert_eq!(check(Method::POST, "/copies/emma", 201, ""), Ok(()));
    assert_eq!(check(Method::POST, "/copies/emma", 409, "BOOK_EXISTS"), Ok(()));
    assert_eq!(check(Method::POST, "/copies/emma?a=b", 409, "IDEMPOTENCY_KEY_REUSED"), Ok(()));
    assert_eq!(check(Method::GET, "/copies", 304, ""), Ok(()));
    assert_eq!(check(Method::GET, "/elsewhere", 404, "NOT_FOUND"), Ok(()));
    let undeclared = check(Method::POST, "/counts/emma", 404, "BOOK_NOT_FOUND").unwrap_err();
    assert!(undeclared.starts_with("countCopy answers 404 `BOOK_NOT_FOUND`"), "{undeclared}");
    assert!(check(Method::POST, "/copies/emma", 403, "BOOK_EXISTS").is_err());
    assert!(check(Method::POST, "/copies/emma", 200, "").is_err());
}
