//! Responses that are new or changed, and views that are written as text.

use http::Method;
use monotable::model::{create, edit};
use monotable_kit::{
    Answer, Call, JsonText, Kind, Path, ReplyBody, Response, Saved, View, operation, operations,
};
use serde_json::{Value, json};

use crate::shelf::{App, Book, BookId, Service, ShelfReads as _};
use crate::world::World;

/// A book whose version only the `ETag` has.
#[derive(View)]
#[view(of = Book)]
struct TitleView {
    title: String,
    #[view(etag, from = ver)]
    version: u64,
}

#[derive(Debug, Path)]
struct BookPath {
    book_id: BookId,
}

mod put_book {
    use super::*;

    /// Puts a book on the shelf, or takes it out once more.
    #[operation(PUT "/books/{bookId}")]
    pub(crate) async fn put_book(app: &App, call: &Call<BookPath>) -> Answer<Saved<TitleView>> {
        let (book_id, mut tx) = (call.path.book_id.clone(), app.db.transact());
        if let Some(book) = app.db.book(&book_id).consistent().await? {
            let book = tx.add(edit(&book, |book| book.pages += 1));
            let changed = call.commit(tx);
            return changed.respond(move |done| Saved::Changed(TitleView::of(&done[book]))).await;
        }
        let book = tx.add(create(Book { book_id, title: "Emma".to_owned(), pages: 1, ver: 0 }));
        call.commit(tx).respond(move |done| Saved::Created(TitleView::of(&done[book]))).await
    }
}

#[tokio::test]
async fn a_resource_is_new_or_changed_and_its_version_can_be_the_etag_alone() {
    let plain = crate::shelf::service();
    let service = Service::new("shelf", "Shelf", "Books.", plain.problem_form)
        .chapter("Books", operations![put_book]);
    let responses = service.openapi()["paths"]["/books/{bookId}"]["put"]["responses"].clone();
    assert_eq!(responses["200"]["content"], responses["201"]["content"]);
    let world = World::of(service, |host| host).await;
    for (status, etag) in [(201, "\"1\""), (200, "\"2\"")] {
        let put = world.request(Method::PUT, "/books/emma", Value::Null).await;
        assert_eq!((put.status, put.header("etag")), (status, etag));
        assert_eq!(put.json(), json!({ "title": "Emma" }));
    }
}

#[test]
fn a_view_can_be_written_as_text_at_once() {
    let text = JsonText::of(&TitleView { title: "Emma".to_owned(), version: 1 }).unwrap();
    let reply = text.into_reply();
    assert!(matches!(reply.body, ReplyBody::Json(text) if text == r#"{"title":"Emma"}"#));
    let schema = JsonText::<TitleView>::describe().schema;
    assert!(matches!(schema, Some(Kind::Object(schema)) if schema.name == "TitleView"));
}
