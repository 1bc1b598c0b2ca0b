//! Pages: operations that return HTML, in the frame of their service.

use askama::Template;
use http::Method;
use monotable_kit::{Answer, Call, Html, Path, Problem, operation, operations};
use serde_json::Value;

use crate::shelf::{App, BookId, ShelfReads as _, service};
use crate::world::World;

#[derive(Debug, Path)]
struct BookPath {
    book_id: BookId,
}

#[derive(Template)]
#[template(source = "<h1 id=\"title\" data-part>{{ title }}</h1>", ext = "html")]
struct BookPage<'a> {
    title: &'a str,
}

mod book_page {
    use super::*;

    /// Shows a book.
    #[operation(GET "/pages/{bookId}", public)]
    pub(crate) async fn show_book(app: &App, call: &Call<BookPath>) -> Answer<Html> {
        let book = app.db.book(&call.path.book_id).await?;
        let book = book.ok_or_else(|| Problem::not_found("NOT_FOUND", "No <such> book."))?;
        let page = Html::new(call, &book.title, &BookPage { title: &book.title })?;
        Ok(page.live(format!("/books/{}/events", call.path.book_id)).into())
    }
}

async fn world() -> World {
    World::of(service().chapter("Pages", operations![book_page]), |host| host).await
}

#[tokio::test]
async fn a_page_has_the_frame_of_its_service_and_no_text_becomes_html() {
    let world = world().await;
    let title = "<b>\"&'</b>";
    let book = serde_json::json!({ "title": title, "pages": 1 });
    let id = world.ask(Method::POST, "/books", book).await.json()["bookId"].clone();
    let page =
        world.ask(Method::GET, &format!("/pages/{}", id.as_str().unwrap()), Value::Null).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-"), "{policy}");
    let shown = "&#60;b&#62;&#34;&#38;&#39;&#60;/b&#62;";
    let frame = format!("<title>{shown} – Shelf &#60;&#38;&#62;</title>");
    assert!(page.text.contains(&frame), "{}", page.text);
    assert!(page.text.contains(&format!("<h1 id=\"title\" data-part>{shown}</h1>")));
    let live = format!("data-live=\"/shelf/books/{}/events\"", id.as_str().unwrap());
    assert!(page.text.contains(&live), "{}", page.text);
    assert_ne!(page.header("etag"), "");
}

#[tokio::test]
async fn problems_of_a_page_are_pages() {
    let page = world().await.ask(Method::GET, "/pages/none", Value::Null).await;
    assert_eq!((page.status, page.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert!(page.text.contains("No &#60;such&#62; book."), "{}", page.text);
    assert!(page.text.contains(page.header("x-request-id")));
    let problem = world().await.ask(Method::GET, "/books/none", Value::Null).await;
    assert_eq!(problem.header("content-type"), "application/json");
}

#[test]
fn pages_are_no_part_of_the_api() {
    let service = service().chapter("Pages", operations![book_page]);
    let document = service.openapi();
    assert_eq!(document["paths"].get("/pages/{bookId}"), None);
    assert_ne!(document["paths"].get("/books"), None);
}
