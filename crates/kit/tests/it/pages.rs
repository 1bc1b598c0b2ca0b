//! Pages: operations that return HTML, in the frame of their service.

use askama::Template;
use http::Method;
use monotable_kit::{Answer, Call, Html, KeptPage, Path, Problem, operation, operations};
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

/// How often the page below was rendered, which it shows.
#[derive(Template)]
#[template(source = "<h1>{{ title }}</h1><p>Rendering {{ number }}</p>", ext = "html")]
struct NumberedPage<'a> {
    title: &'a str,
    number: usize,
}

mod kept_page {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    static RENDERINGS: AtomicUsize = AtomicUsize::new(0);

    /// Shows a book, which is rendered once for each version.
    #[operation(GET "/kept/{bookId}", public)]
    pub(crate) async fn show_kept_book(app: &App, call: &Call<BookPath>) -> Answer<Html> {
        let book = app.db.book(&call.path.book_id).await?;
        let book = book.ok_or_else(|| Problem::not_found("NOT_FOUND", "No such book."))?;
        let page = KeptPage::new(format!("book {}", book.book_id), book.ver);
        let minute = app.db.now().as_ms() / 60_000;
        let render = async {
            let number = RENDERINGS.fetch_add(1, Ordering::Relaxed);
            Html::new(call, &book.title, &NumberedPage { title: &book.title, number })
        };
        app.pages.show(call, page.with(minute), app.db.now(), render).await
    }
}

async fn world() -> World {
    World::of(service().chapter("Pages", operations![book_page, kept_page]), |host| host).await
}

/// A page that is kept is not rendered again until what it shows is another version, another minute begins, some
/// seconds have passed or the service forgets it.
#[tokio::test]
async fn a_page_for_everybody_is_rendered_once_for_each_version() {
    let world = world().await;
    let book = serde_json::json!({ "title": "Dune", "pages": 1 });
    let id = world.request(Method::POST, "/books", book).await.json()["bookId"].clone();
    let path = format!("/kept/{}", id.as_str().unwrap());
    let show = async || world.request(Method::GET, &path, Value::Null).await;
    let first = show().await;
    assert_eq!((first.status, first.header("cache-control")), (200, "no-cache"));
    assert!(first.text.contains("<h1>Dune</h1>"), "{}", first.text);
    let again = show().await;
    assert_eq!(again.text, first.text);
    for header in ["etag", "content-type", "content-security-policy", "vary", "cache-control"] {
        assert_eq!(again.header(header), first.header(header), "{header}");
    }
    let known = [("if-none-match", first.header("etag"))];
    let known = world.ask_with(Method::GET, &path, Value::Null, &known).await;
    assert_eq!((known.status, known.text.as_str()), (304, ""));
    assert_eq!(known.header("cache-control"), "no-cache");

    let mut shown = vec![first.text];
    let mut is_new = async |what: &str| {
        let text = show().await.text;
        assert!(!shown.contains(&text), "{what}: {text}");
        assert_eq!(show().await.text, text, "{what}");
        shown.push(text);
    };
    let changes = serde_json::json!({ "title": "Emma" });
    let book = format!("/books/{}", id.as_str().unwrap());
    assert_eq!(world.request(Method::PUT, &book, changes).await.status, 200);
    is_new("another version").await;
    world.clock.advance_ms(5_000);
    is_new("some seconds later").await;
    world.clock.advance_ms(60_000);
    is_new("another minute").await;
    world.app.pages.clear();
    is_new("forgotten").await;
}

#[tokio::test]
async fn a_page_has_the_frame_of_its_service_and_no_text_becomes_html() {
    let world = world().await;
    let title = "<b>\"&'</b>";
    let book = serde_json::json!({ "title": title, "pages": 1 });
    let id = world.request(Method::POST, "/books", book).await.json()["bookId"].clone();
    let page =
        world.request(Method::GET, &format!("/pages/{}", id.as_str().unwrap()), Value::Null).await;
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
    let page = world().await.request(Method::GET, "/pages/none", Value::Null).await;
    assert_eq!((page.status, page.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert!(page.text.contains("No &#60;such&#62; book."), "{}", page.text);
    assert!(page.text.contains(page.header("x-request-id")));
    let problem = world().await.request(Method::GET, "/books/none", Value::Null).await;
    assert_eq!(problem.header("content-type"), "application/json");
}

#[test]
fn pages_are_no_part_of_the_api() {
    let service = service().chapter("Pages", operations![book_page]);
    let document = service.openapi();
    assert_eq!(document["paths"].get("/pages/{bookId}"), None);
    assert_ne!(document["paths"].get("/books"), None);
}
