//! Operations with typed bodies, views and refusals: what is declared once is checked, sent and documented.

use http::Method;
use monotable::model::{create, edit};
use monotable::prelude::*;
use monotable_kit::{
    Answer, Answered, Body, Call, Created, Json, NoContent, Page, Patch, Path, Problem, Refusal,
    Refuse, Reply, Response, View, Words, operation, operations,
};
use serde_json::{Value, json};

use crate::shelf::{App, Book, BookId, Service, ShelfReads as _};
use crate::world::World;

mod loans;

#[derive(Clone, Copy, Debug, Refusal)]
enum Refusal {
    /// There is no such book.
    #[refusal(not_found)]
    BookNotFound,
    /// Another book has this title.
    #[refusal(conflict)]
    TitleTaken,
    /// The shelf is locked.
    #[refusal(forbidden, code = "LOCKED")]
    ShelfLocked,
}

/// The refusals of every operation about one book.
const BOOK: &[Refusal] = &[Refusal::BookNotFound];

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
enum Cover {
    HardBack,
    #[serde(rename = "paper", alias = "soft")]
    Paperback,
}

/// A book to put on the shelf.
#[derive(Debug, Body)]
#[body(read_only("bookId", "ver"))]
struct NewBook {
    /// What is on its back.
    #[body(length = 1..=20, example = "Emma")]
    title: String,
    #[body(range = 1..=5_000, default)]
    pages: i64,
    cover: Option<Cover>,
    #[body(items = 0..=3, length = 1..=5, unique, alias("labels"), default)]
    tags: Vec<String>,
    size: Option<Size>,
}

/// The size of a book.
#[derive(Debug, Body)]
struct Size {
    #[body(range = 0.5..=9.5)]
    width: f64,
}

#[derive(Debug, Body)]
#[body(not_empty)]
struct BookChanges {
    #[body(length = 1..=20)]
    title: Option<String>,
    #[body(range = 1..=5_000)]
    pages: Patch<i64>,
}

/// A book.
#[derive(View)]
#[view(of = Book, list = "books")]
struct BookView {
    #[view(example = "b1")]
    book_id: BookId,
    /// What is on its back.
    #[view(example = "Emma")]
    title: String,
    #[view(version, from = ver, example = 1)]
    ver: u64,
}

/// A book with a secret.
#[derive(View)]
struct NewBookView {
    #[view(flatten)]
    book: BookView,
    /// Allows its holder to change the book.
    #[view(secret, example = "s3cret")]
    secret: String,
    #[view(null)]
    cover: Option<Cover>,
    size: Option<f64>,
}

/// A book, as far as the caller may see it.
#[derive(View)]
struct VisibleBook {
    #[view(flatten)]
    shelf: ShelfView,
    #[view(flatten)]
    book: Option<BookView>,
}

/// Where a book is.
#[derive(View)]
struct ShelfView {
    shelf: String,
}

#[derive(Debug, Path)]
struct BookPath {
    book_id: BookId,
}

mod add_book {
    use super::*;

    /// Puts a book on the shelf.
    #[operation(POST "/books", once, refuses(TitleTaken, ShelfLocked))]
    pub(crate) async fn add_book(
        app: &App,
        call: &Call<(), NewBook>,
    ) -> Answer<Created<NewBookView>> {
        let NewBook { title, pages, cover, tags, size } = &call.body;
        if tags.iter().any(|tag| tag == "lock") {
            return Err(Refusal::ShelfLocked.with("tag", "lock"));
        }
        let book_id = BookId::new(title.to_lowercase()).map_err(|_| Problem::internal("id"))?;
        let mut tx = app.db.transact();
        let book = tx.add(create(Book { book_id, title: title.clone(), pages: *pages, ver: 0 }));
        let (cover, size) = (*cover, size.as_ref().map(|size| size.width));
        call.commit(tx)
            .refuse(book, Refusal::TitleTaken)
            .respond(move |done| {
                let book = BookView::of(&done[book]);
                Created(NewBookView { book, secret: "s3cret".to_owned(), cover, size })
            })
            .await
    }
}

mod get_book {
    use super::*;

    /// Shows a book.
    #[operation(GET "/books/{bookId}", refuses(super::BOOK))]
    pub(crate) async fn get_book(app: &App, call: &Call<BookPath>) -> Answer<Json<BookView>> {
        Ok(Json(BookView::of(&stored(app, &call.path.book_id).await?)).into())
    }
}

mod change_book {
    use super::*;

    /// Changes a book.
    #[operation(PATCH "/books/{bookId}", if_match, queue = book_id, refuses(super::BOOK))]
    pub(crate) async fn change_book(
        app: &App,
        call: &Call<BookPath, BookChanges>,
    ) -> Answer<Json<BookView>> {
        let book = stored(app, &call.path.book_id).await?;
        call.check_version(book.ver)?;
        // Without the queue, requests that arrive together would meet here.
        tokio::task::yield_now().await;
        let mut tx = app.db.transact();
        let BookChanges { title, pages } = &call.body;
        let book = tx.add(edit(&book, |book| {
            book.title = title.clone().unwrap_or_else(|| book.title.clone());
            match pages {
                Patch::Keep => book.pages += 1,
                Patch::Remove => book.pages = 0,
                Patch::Set(pages) => book.pages = *pages,
            }
        }));
        call.commit(tx).respond(move |done| Json(BookView::of(&done[book]))).await
    }
}

#[derive(Debug, Body)]
#[body(paged)]
struct ListQuery {
    cover: Option<Cover>,
}

mod list_books {
    use super::*;

    /// Lists books.
    #[operation(GET "/books", public)]
    pub(crate) async fn list_books(
        app: &App,
        call: &Call<(), (), ListQuery>,
    ) -> Answer<Page<BookView>> {
        let wants = call.query.cover.is_none_or(|cover| cover == Cover::HardBack);
        let emma = app.db.book(&BookId::new("emma").map_err(|_| Problem::internal("id"))?).await?;
        let rows =
            emma.iter().filter(|_| wants).take(call.page().limit).map(BookView::of).collect();
        Ok(Page { rows, next: None }.into())
    }
}

mod remove_book {
    use super::*;

    /// Removes a book.
    #[operation(DELETE "/books/{bookId}", refuses(super::BOOK))]
    pub(crate) async fn remove_book(app: &App, call: &Call<BookPath>) -> Answer<NoContent> {
        app.db.run(monotable::model::delete(&stored(app, &call.path.book_id).await?)).await?;
        Ok(NoContent.into())
    }
}

async fn stored(app: &App, book_id: &BookId) -> Result<Book, Problem> {
    app.db.book(book_id).consistent().await?.ok_or_else(|| Refusal::BookNotFound.into())
}

fn typed() -> Service {
    let plain = crate::shelf::service();
    Service::new("shelf", "Shelf", "Books.", plain.problem_form)
        .chapter("Books", operations![add_book, get_book, change_book, list_books, remove_book])
}

async fn world() -> World {
    World::of(typed(), |host| host.secrets_key([7; 32])).await
}

#[tokio::test]
async fn a_body_is_read_as_it_is_declared() {
    let world = world().await;
    let body = json!({
        "title": " Emma ", "pages": 3, "cover": "HARD_BACK", "labels": ["a", "b"],
        "size": { "width": 1.5 },
    });
    let added = world.request(Method::POST, "/books", body).await;
    assert_eq!(added.status, 201, "{}", added.text);
    let expected = json!({
        "bookId": "emma", "title": "Emma", "ver": 1, "secret": "s3cret", "cover": "hard_back",
        "size": 1.5,
    });
    assert_eq!(added.json(), expected);
    assert_eq!(added.header("etag"), "\"1\"");
    // Absent values are left out, or null where the view says so.
    let added = world.request(Method::POST, "/books", json!({ "title": "Sula" })).await;
    let expected = json!({
        "bookId": "sula", "title": "Sula", "ver": 1, "secret": "s3cret", "cover": null,
    });
    assert_eq!(added.json(), expected);
}

#[tokio::test]
async fn every_wrong_field_of_a_body_is_reported_at_once() {
    let world = world().await;
    let body = json!({
        "title": "", "pages": 0, "cover": "leather", "tags": ["a", "a"], "size": { "width": 10 },
        "isbn": 1, "ver": 2,
    });
    let refused = world.request(Method::POST, "/books", body).await;
    assert_eq!(refused.outcome(), "400 UNKNOWN_FIELD");
    let fields = refused.json()["fields"].clone();
    let field = |field: &Value| field["field"].as_str().unwrap().to_owned();
    let mut named: Vec<String> = fields.as_array().unwrap().iter().map(field).collect();
    named.sort();
    assert_eq!(named, ["cover", "isbn", "pages", "size.width", "tags", "title", "ver"]);
}

#[tokio::test]
async fn refusals_have_the_text_of_their_declaration() {
    let world = world().await;
    let add = async |body: Value| world.request(Method::POST, "/books", body).await;
    assert_eq!(add(json!({ "title": "Emma" })).await.status, 201);
    let taken = add(json!({ "title": "Emma" })).await;
    assert_eq!(
        (taken.outcome(), taken.json()["error"].clone()),
        ("409 TITLE_TAKEN".to_owned(), json!("Another book has this title."),)
    );
    let locked = add(json!({ "title": "Sula", "tags": ["lock"] })).await;
    assert_eq!(
        (locked.outcome(), locked.json()["tag"].clone()),
        ("403 LOCKED".to_owned(), json!("lock"),)
    );
    let missing = world.request(Method::GET, "/books/none", Value::Null).await;
    assert_eq!(missing.outcome(), "404 BOOK_NOT_FOUND");
    let malformed = world.request(Method::GET, "/books/a%23b", Value::Null).await;
    assert_eq!(malformed.outcome(), "400 VALIDATION");
}

#[tokio::test]
async fn a_repeat_gets_the_same_response_with_its_secret() {
    let world = world().await;
    let add = async || {
        let headers = [("idempotency-key", "k1")];
        world.ask_with(Method::POST, "/books", json!({ "title": "Emma" }), &headers).await
    };
    let (first, second) = (add().await, add().await);
    assert_eq!((first.status, first.json()), (second.status, second.json()));
    assert_eq!(second.header("idempotent-replay"), "true");
    let rows = world.database.scan(monotable::dynamodb::Scan::new("shelf")).unwrap();
    let rows: Vec<String> = rows.items.iter().map(|row| format!("{:?}", row.to_item())).collect();
    assert!(rows.iter().all(|row| !row.contains("s3cret")), "{rows:#?}");
}

#[tokio::test]
async fn requests_about_one_subject_wait_for_each_other() {
    let world = world().await;
    world.request(Method::POST, "/books", json!({ "title": "Emma" })).await;
    let change = || world.request(Method::PATCH, "/books/emma", json!({ "title": "Emma" }));
    // Version conflicts would pause between attempts, for longer than all of these take.
    tokio::time::pause();
    let started = tokio::time::Instant::now();
    let (one, two, three) = tokio::join!(change(), change(), change());
    assert_eq!([one.status, two.status, three.status], [200, 200, 200]);
    assert_eq!(started.elapsed(), std::time::Duration::ZERO);
    let book = world.request(Method::GET, "/books/emma", Value::Null).await;
    assert_eq!(book.json()["ver"], 4);
}

#[tokio::test]
async fn a_patch_tells_absent_from_null() {
    let world = world().await;
    world.request(Method::POST, "/books", json!({ "title": "Emma", "pages": 9 })).await;
    let change =
        async |body: Value| world.request(Method::PATCH, "/books/emma", body).await.outcome();
    assert_eq!(change(json!({ "pages": null })).await, "200 -");
    assert_eq!(change(json!({})).await, "400 EMPTY_BODY");
    assert_eq!(change(json!({ "title": null })).await, "400 VALIDATION");
    let stale = [("if-match", "\"1\"")];
    let stale = world.ask_with(Method::PATCH, "/books/emma", json!({ "pages": 4 }), &stale).await;
    assert_eq!(stale.outcome(), "412 PRECONDITION_FAILED");
}

#[tokio::test]
async fn lists_come_in_pages_and_removals_have_no_body() {
    let world = world().await;
    world.request(Method::POST, "/books", json!({ "title": "Emma" })).await;
    let list = async |query: &str| world.request(Method::GET, query, Value::Null).await;
    let page = json!({ "books": [{ "bookId": "emma", "title": "Emma", "ver": 1 }], "count": 1 });
    assert_eq!(list("/books").await.json(), page);
    assert_eq!(list("/books?cover=paper").await.json(), json!({ "books": [], "count": 0 }));
    assert_eq!(list("/books?cover=gold&limit=0").await.outcome(), "400 VALIDATION");
    let removed = world.request(Method::DELETE, "/books/emma", Value::Null).await;
    assert_eq!((removed.status, removed.text.as_str()), (204, ""));
}

/// Fields that several bodies have.
#[derive(Debug, Body)]
struct Shared {
    pages: Patch<i64>,
    #[body(length = 1..=5)]
    note: Option<String>,
}

#[derive(Debug, Body)]
struct Flat {
    title: String,
    #[body(flatten)]
    shared: Shared,
}

#[test]
fn a_body_has_the_fields_of_another() {
    let schema = Flat::schema().unwrap();
    let names: Vec<&str> = schema.fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["title", "pages", "note"]);
    let read = |body: Value| schema.check(body).and_then(Flat::read);
    let flat = read(json!({ "title": "Emma", "pages": null, "note": "new" })).unwrap();
    assert_eq!((flat.title.as_str(), flat.shared.note.as_deref()), ("Emma", Some("new")));
    assert_eq!(flat.shared.pages, Patch::Remove);
    let refused = read(json!({ "title": "Emma", "note": "too long", "shared": {} })).unwrap_err();
    assert_eq!(refused.message, "note: must have 1 to 5 characters; shared: is unknown");
}

impl Book {
    fn weight(&self) -> i64 {
        self.pages * 2
    }

    fn note(&self) -> Option<String> {
        (self.pages > 100).then(|| "heavy".to_owned())
    }
}

/// A book on a scale.
#[derive(View)]
#[view(of = Book)]
struct WeightView {
    title: String,
    #[view(from = weight())]
    weight: i64,
    #[view(from = note())]
    note: Option<String>,
}

#[derive(View)]
struct ScaleView {
    #[view(flatten)]
    book: WeightView,
    #[view(null)]
    limit: Option<i64>,
}

#[test]
fn a_view_shows_what_a_row_computes_in_the_order_of_its_fields() {
    let shown = |pages| {
        let book_id = BookId::new("emma").unwrap();
        let book = Book { book_id, title: "Emma".to_owned(), pages, ver: 1 };
        let scale = ScaleView { book: WeightView::of(&book), limit: None };
        serde_json::to_string(&scale).unwrap()
    };
    assert_eq!(shown(50), r#"{"title":"Emma","weight":100,"limit":null}"#);
    assert_eq!(shown(500), r#"{"title":"Emma","weight":1000,"note":"heavy","limit":null}"#);
}

/// 200 with a table.
struct Table;

impl Response for Table {
    const MEDIA_TYPES: &'static [&'static str] = &["text/csv"];

    fn describe() -> Answered {
        Answered { status: 200, meaning: "A table.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::text("text/csv", "a,b\r\n".to_owned())
    }
}

mod count_books {
    use super::*;

    /// Counts books, unless somebody else does.
    #[operation(POST "/books/count", no_repeat)]
    pub(crate) async fn count_books(_app: &App, call: &Call) -> Answer<Table> {
        // A second attempt would wait first, and time stands still in the test.
        if call.principal.is_some() { Err(Problem::changed()) } else { Ok(Table.into()) }
    }
}

#[tokio::test]
async fn a_version_conflict_is_reported_where_callers_mean_what_they_saw() {
    assert_eq!(count_books::route().media_types, ["text/csv"]);
    let plain = crate::shelf::service();
    let service = Service::new("shelf", "Shelf", "Books.", plain.problem_form)
        .chapter("Books", operations![count_books]);
    let world = World::of(service, |host| host).await;
    tokio::time::pause();
    let started = tokio::time::Instant::now();
    let refused = world.request(Method::POST, "/books/count", Value::Null).await;
    assert_eq!(refused.outcome(), "409 VERSION_CONFLICT");
    assert_eq!(started.elapsed(), std::time::Duration::ZERO);
}

mod weigh_book {
    use super::*;

    #[derive(View)]
    pub(crate) struct Weight {
        #[view(example = "scales")]
        measured_by: String,
        #[view(secret, example = "k1")]
        key: String,
    }

    /// Weighs a book.
    #[operation(GET "/books/weight", headers("x-scales"))]
    pub(crate) async fn weigh_book(_app: &App, call: &Call) -> Answer<Json<Weight>> {
        let measured_by = call.header("x-scales").unwrap_or("nothing").to_owned();
        Ok(Json(Weight { measured_by, key: "k1".to_owned() }).into())
    }
}

#[tokio::test]
async fn a_service_can_send_an_envelope_and_its_problems_in_another_one() {
    let form: fn(&Problem, &str) -> Value =
        |problem, _| json!({ "success": false, "error": { "code": problem.code } });
    let service = Service::new("shelf", "Shelf", "Books.", form)
        .chapter("Books", operations![weigh_book, count_books])
        .envelop_responses();
    let document = service.openapi();
    let get = &document["paths"]["/books/weight"]["get"];
    assert_eq!(get["parameters"][0]["name"], "x-scales");
    let content = &get["responses"]["200"]["content"]["application/json"];
    assert_eq!(content["schema"]["required"], json!(["success", "data"]));
    assert_eq!(content["example"]["data"]["measuredBy"], "scales");
    let world = World::of(service, |host| host).await;
    let headers = [("x-scales", "kitchen"), ("x-other", "hidden")];
    let weighed = world.ask_with(Method::GET, "/books/weight", Value::Null, &headers).await;
    let data = json!({ "measuredBy": "kitchen", "key": "k1" });
    assert_eq!(weighed.json(), json!({ "success": true, "data": data }));
    let refused = world.request(Method::POST, "/books/count", Value::Null).await;
    assert_eq!(refused.json()["error"]["code"], "VERSION_CONFLICT");
}

/// The entity has `pages`; no view names them.
#[tokio::test]
async fn a_field_of_an_entity_that_no_view_names_is_not_sent() {
    let world = world().await;
    world.request(Method::POST, "/books", json!({ "title": "Emma", "pages": 474 })).await;
    let shown = world.request(Method::GET, "/books/emma", Value::Null).await;
    assert!(!shown.text.contains("474"), "{}", shown.text);
    assert_eq!(
        shown.json().as_object().unwrap().keys().collect::<Vec<_>>(),
        ["bookId", "title", "ver",]
    );
}

/// A book that was moved.
#[derive(View)]
struct MovedView {
    shelf: String,
    #[view(versioned)]
    book: BookView,
}

#[test]
fn the_version_of_a_response_is_that_of_the_view_in_it() {
    let book = BookView { book_id: BookId::new("emma").unwrap(), title: "Emma".to_owned(), ver: 3 };
    let moved = MovedView { shelf: "A".to_owned(), book };
    assert_eq!((moved.version(), &json!(moved)["book"]["ver"]), (Some(3), &json!(3)));
}

#[test]
fn fields_that_only_some_callers_see_are_optional() {
    let schema = VisibleBook::schema();
    let required = schema.fields.iter().filter(|field| field.required);
    assert_eq!(required.map(|field| field.name).collect::<Vec<_>>(), ["shelf"]);
    let visible = |book| VisibleBook { shelf: ShelfView { shelf: "A".to_owned() }, book };
    let hidden = visible(None);
    assert_eq!((hidden.version(), json!(hidden)), (None, json!({ "shelf": "A" })));
    let book_id = BookId::new("emma").unwrap();
    let shown = visible(Some(BookView { book_id, title: "Emma".to_owned(), ver: 3 }));
    let expected = json!({ "shelf": "A", "bookId": "emma", "title": "Emma", "ver": 3 });
    assert_eq!((shown.version(), json!(shown)), (Some(3), expected));
}

#[test]
fn the_document_shows_what_is_declared() {
    let document = typed().openapi();
    let schemas = &document["components"]["schemas"];
    let book = &schemas["NewBookView"];
    let names: Vec<&String> = book["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["bookId", "cover", "secret", "size", "title", "ver"]);
    assert_eq!(book["required"], json!(["bookId", "title", "ver", "secret", "cover"]));
    assert_eq!(schemas["NewBook"]["properties"]["tags"]["uniqueItems"], true);
    assert_eq!(schemas["NewBook"]["required"], json!(["title"]));
    let add = &document["paths"]["/books"]["post"];
    assert_eq!(add["operationId"], "addBook");
    assert_eq!(add["summary"], "Puts a book on the shelf.");
    let created = &add["responses"]["201"];
    assert_eq!(created["description"], "A book with a secret.");
    let taken = &add["responses"]["409"]["content"]["application/json"]["examples"]["TITLE_TAKEN"];
    assert_eq!(taken["value"]["error"], "Another book has this title.");
    // A page lists the schema of its elements.
    let page = &document["paths"]["/books"]["get"]["responses"]["200"]["content"];
    let items = &page["application/json"]["schema"]["properties"]["books"]["items"];
    assert_eq!(items["$ref"], "#/components/schemas/BookView");
}
