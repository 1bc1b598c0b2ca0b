//! A small service, with a route for every way in which a request can end.

use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use monotable::model::key::encode_free_text;
use monotable::model::{create, edit};
use monotable::prelude::*;
use monotable_kit::{
    AuthKey, CallCounters, CountsCalls, Field, Ids, KeepsRequests, KeptPages, Kind, LimitsCalls,
    OfRequest, Problem, ProblemKind, RecordKeys, RecordScope, Reply, ReplyBody, Request, Route,
    Schema, State,
};
use serde_json::{Value, json};

monotable_kit::ids!(
    /// A book.
    BookId
);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "BOOK")]
#[key(pk = "BOOK#{book_id}", sk = "METADATA")]
pub(crate) struct Book {
    pub(crate) book_id: BookId,
    pub(crate) title: String,
    pub(crate) pages: i64,
    #[version]
    pub(crate) ver: u64,
}

table! {
    pub(crate) Shelf {
        name = "shelf";
        key(PK, SK);
        type_attribute = ItemType;
        ttl = ttl;
        entities(Book);
        rules(BookRequest, BookCalls, AuthKey);
        patterns(ShelfReads);
        allow(D01, because = "one entity is enough for the kit");
    }
}

/// The response to a request for a book, or of a user if there is no book yet.
#[derive(RuleKey, Clone, Debug)]
#[rule(
    Idempotency,
    pk = "idem#{whose}",
    sk = "{key}",
    allow(K11, because = "the key of a request is not empty")
)]
pub(crate) struct BookRequest {
    whose: String,
    key: String,
}

impl OfRequest for BookRequest {
    fn of_request(scope: &RecordScope) -> RecordKeys<Self> {
        let whose = match (scope.path.get("bookId"), &scope.principal) {
            (Some(book), _) => encode_free_text(book),
            (None, Some(principal)) => format!("user:{}", encode_free_text(&principal.id)),
            (None, None) => "nobody".to_owned(),
        };
        let key = encode_free_text(&scope.key);
        let second = Self { whose: whose.clone(), key: format!("{key}#{}", scope.hash()) };
        RecordKeys::Shared { first: Self { whose, key }, second }
    }
}

/// How often somebody did something with books.
#[derive(RuleKey, Clone, Debug)]
#[rule(
    RateWindow,
    pk = "rate#{subject}",
    sk = "{name}#{window}",
    allow(K06, because = "names of limits have no `#`"),
    allow(K11, because = "subjects and names are not empty")
)]
pub(crate) struct BookCalls {
    subject: String,
    name: String,
}

impl CountsCalls for Shelf {
    type Key = BookCalls;

    fn calls(subject: &str, name: &'static str) -> BookCalls {
        BookCalls { subject: encode_free_text(subject), name: name.to_owned() }
    }
}

impl LimitsCalls for App {
    fn call_counters(&self) -> &dyn CallCounters {
        &self.db
    }
}

impl KeepsRequests for Shelf {
    type Key = BookRequest;
}

#[access_patterns(Shelf)]
pub(crate) trait ShelfReads {
    /// A book.
    #[get(pk = "BOOK#{book_id}", sk = "METADATA")]
    fn book(&self, book_id: &BookId) -> One<Book>;
}

pub(crate) struct App {
    pub(crate) db: Store<Shelf>,
    pub(crate) ids: Ids,
    pub(crate) pages: KeptPages,
}

impl State for App {
    fn now(&self) -> Timestamp {
        self.db.now()
    }
}

pub(crate) type Service = monotable_kit::Service;

pub(crate) fn service() -> Service {
    let form = |problem: &Problem, request_id: &str| {
        let mut form = json!({
            "error": problem.message, "code": problem.code, "requestId": request_id,
        });
        if let Value::Object(form) = &mut form {
            form.extend(problem.details.clone());
        }
        form
    };
    Service::new("shelf", "Shelf <&>", "Books, for the tests of the kit.", form).routes([
        Route::new(Method::POST, "/books", "addBook", add)
            .about("Books", "Puts a book on the shelf")
            .body(new_book())
            .answers(201, "The book", Some(json!({ "bookId": "b1", "title": "Emma", "ver": 1 })))
            .refuses(&[(409, "TITLE_TAKEN")])
            .once(),
        Route::new(Method::GET, "/books/{bookId}", "getBook", get)
            .about("Books", "Shows a book")
            .answers(200, "The book", None)
            .refuses(&[(404, "BOOK_NOT_FOUND")]),
        Route::new(Method::PUT, "/books/{bookId}", "changeBook", change)
            .about("Books", "Changes a book")
            .body(Schema::object("BookChange", [Field::text("title", 1..=20)]).must_say_something())
            .answers(200, "The book as it is now", None)
            .refuses(&[(404, "BOOK_NOT_FOUND")])
            .if_match(),
        Route::new(Method::GET, "/books", "listBooks", list)
            .about("Books", "Lists books")
            .query(Schema::object("ListBooks", [Field::flag("isNew")]).paged())
            .answers(200, "A page of books", None)
            .public(),
        Route::new(Method::POST, "/whoami", "whoAmI", who_am_i)
            .about("Oddities", "Tells what the kit has understood")
            .optional_body(everything())
            .answers(200, "What was understood", None)
            .public(),
        Route::new(Method::GET, "/events", "events", events)
            .about("Oddities", "Sends two events")
            .answers(200, "Events", None)
            .produces(&["text/event-stream"]),
        Route::new(Method::POST, "/failures/{sort}", "fail", fail)
            .about("Oddities", "Fails")
            .answers(204, "Never", None)
            .refuses(&[(500, "INTERNAL"), (503, "UNAVAILABLE")])
            .once()
            .body_bytes_max(10),
    ])
}

fn new_book() -> Schema {
    Schema::object(
        "NewBook",
        [
            Field::text("title", 1..=20).required().about("What is on its back.").example("Emma"),
            Field::integer("pages", 1..=5_000).example(474),
        ],
    )
    .read_only(["bookId", "ver"])
}

/// A schema with a field of every sort.
fn everything() -> Schema {
    let place =
        Schema::object("Place", [Field::integer("row", -9..=9).required()]).read_only(["id"]);
    let names =
        Kind::List { of: Box::new(Kind::Text { length: 2..=4 }), length: 0..=2, is_unique: false };
    Schema::object(
        "Everything",
        [
            Field::new("any", Kind::Anything),
            Field::text("short", 0..=5).nullable(),
            Field::text("long", 3..=usize::MAX),
            Field::id("id").nullable(),
            Field::integer("whole", i64::MIN..=i64::MAX),
            Field::number("share", 0.0..=1.0).nullable().aliases(&["part"]),
            Field::flag("isNew"),
            Field::instant("at"),
            Field::day("on").nullable(),
            Field::word("colour", &["red", "green"]).nullable(),
            Field::list("places", Kind::Object(place.clone()), 1..=3),
            Field::new("place", Kind::Object(place)).nullable(),
            Field::new("names", Kind::OneOf(vec![Kind::Word(&["all", "none"]), names])),
        ],
    )
}

fn shown(book: &Book) -> Reply {
    let shown = json!({ "bookId": book.book_id, "title": book.title, "ver": book.ver });
    Reply::ok(&shown).version(book.ver)
}

async fn add(app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    let title = call.body["title"].as_str().unwrap_or_default().to_owned();
    if title == "Taken" {
        return Err(Problem::conflict("TITLE_TAKEN", "There is such a book."));
    }
    let id = match title.as_str() {
        "Once" => "once".to_owned(),
        _ => app.ids.next(app.now()),
    };
    let book_id = BookId::new(id).map_err(|_| Problem::internal("id"))?;
    if title == "Once" {
        // Whoever asks at the same time is here, too, before anybody looks.
        tokio::task::yield_now().await;
        if app.db.book(&book_id).await?.is_some() {
            return Err(Problem::conflict("TITLE_TAKEN", "There is such a book."));
        }
    }
    let pages = call.body.get("pages").and_then(Value::as_i64).unwrap_or(1);
    let book = Book { book_id, title, pages, ver: 0 };
    // What fails when it is committed: the row is there, or was changed meanwhile.
    if book.title == "Twice" {
        app.db.create(&book).await?;
    }
    let mut tx = app.db.transact();
    let book = match book.title.as_str() {
        "Stale" => {
            let before = app.db.create(&book).await?;
            app.db.run(edit(&before, |book| book.pages += 1)).await?;
            tx.add(edit(&before, |book| book.pages += 1))
        }
        _ => tx.add(create(book)),
    };
    call.commit(tx)
        .reply(move |done| {
            let mut reply = shown(&done[book]);
            reply.status = 201;
            reply
        })
        .await
}

async fn stored(app: &App, call: &Request) -> Result<Book, Problem> {
    let missing = || Problem::not_found("BOOK_NOT_FOUND", "There is no such book.");
    app.db.book(&call.id("bookId")?).await?.ok_or_else(missing)
}

async fn get(app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    Ok(shown(&stored(&app, &call).await?))
}

async fn change(app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    let before = stored(&app, &call).await?;
    call.check_version(before.ver)?;
    let title = call.body["title"].as_str().unwrap_or_default().to_owned();
    let after = app.db.edit(before, |book| book.title = title).await?;
    Ok(shown(&after))
}

async fn list(_app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    let limit = call.page().limit;
    Ok(Reply::page("books", vec!["a book"; limit.min(2)], None))
}

async fn who_am_i(_app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    Ok(Reply::ok(&json!({
        "who": call.principal.map(|principal| principal.id),
        "body": call.body,
        "acceptVersion": call.accept_version,
        "requestId": call.request_id,
    })))
}

async fn events(_app: Arc<App>, _call: Request) -> Result<Reply, Problem> {
    struct Two(Vec<&'static str>);
    impl futures_core::Stream for Two {
        type Item = Bytes;
        fn poll_next(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Bytes>> {
            std::task::Poll::Ready(self.0.pop().map(|text| Bytes::from_static(text.as_bytes())))
        }
    }
    let events = Two(vec!["data: 2\n\n", "data: 1\n\n"]);
    Ok(Reply::new(200, ReplyBody::Events(Box::pin(events))))
}

async fn fail(_app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    match call.path["sort"].as_str() {
        "panic" => panic!("a route panics"),
        "internal" => Err(Problem::internal("the row of ada@example.org is broken")),
        "invalid" => Err(Problem::invalid("NEVER", "It can never be.")),
        "gone" => Err(Problem::not_found("GONE", "It was there.")),
        _ => {
            let message = "The storage is not available now; try again.";
            let mut problem = Problem::new(ProblemKind::Unavailable, "UNAVAILABLE", message);
            problem.retry_after_seconds = Some(3);
            Err(problem)
        }
    }
}
