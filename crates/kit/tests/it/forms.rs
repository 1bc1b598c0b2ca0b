//! Forms: what a page sends becomes the request of a program, and what is wrong is shown beside each field.

use askama::Template;
use monotable_kit::{Answer, Body, Call, Form, Html, Json, View, operation, operations};

use crate::shelf::{App, service};
use crate::sign_in::Browser;
use crate::world::World;

#[derive(Template)]
#[template(source = "<h1>New book</h1>{{ form|safe }}", ext = "html")]
struct NewBookPage {
    form: Form,
}

mod new_book_page {
    use super::*;

    /// Shows the form of a new book.
    #[operation(GET "/new-book")]
    pub(crate) async fn new_book(_app: &App, call: &Call) -> Answer<Html> {
        let service = service();
        let route = service.routes.iter().find(|route| route.operation == "addBook").unwrap();
        let form = Form::of(call, route).submit("Add it").then("/books/{bookId}");
        Ok(Html::new(call, "New book", &NewBookPage { form })?.into())
    }
}

mod thick_book_page {
    use super::*;

    /// Shows the form of a book that has many pages.
    #[operation(GET "/thick-book")]
    pub(crate) async fn thick_book(_app: &App, call: &Call) -> Answer<Html> {
        let service = service();
        let route = service.routes.iter().find(|route| route.operation == "addBook").unwrap();
        let form = Form::of(call, route).fixed("pages", 4_999);
        Ok(Html::new(call, "Thick book", &NewBookPage { form })?.into())
    }
}

mod tapped_book_page {
    use super::*;

    /// Shows the form of a book that is chosen by a tap.
    #[operation(GET "/tapped-book")]
    pub(crate) async fn tapped_book(_app: &App, call: &Call) -> Answer<Html> {
        let service = service();
        let route = service.routes.iter().find(|route| route.operation == "addBook").unwrap();
        let option = |value: &str| (value.to_owned(), format!("{value}!"));
        let form = Form::of(call, route)
            .buttons("title", [("Austen".to_owned(), ["Emma", "Persuasion"].map(option).into())])
            .submits("pages", ["100", "474"].map(option));
        Ok(Html::new(call, "Tapped book", &NewBookPage { form })?.into())
    }
}

mod add_series {
    use super::*;

    /// A book of a series.
    #[derive(Debug, Body)]
    pub(crate) struct Volume {
        #[body(length = 1..=20)]
        title: String,
        #[body(range = 1..=5000)]
        pages: Option<u16>,
    }

    /// Books that belong together.
    #[derive(Debug, Body)]
    pub(crate) struct Series {
        #[body(items = 1..=3)]
        volumes: Vec<Volume>,
    }

    /// What was understood.
    #[derive(View)]
    pub(crate) struct SeriesView {
        titles: String,
    }

    /// Adds the books of a series.
    #[operation(POST "/series")]
    pub(crate) async fn add_series(
        _app: &App,
        call: &Call<(), Series>,
    ) -> Answer<Json<SeriesView>> {
        let title = |volume: &Volume| format!("{}-{}", volume.title, volume.pages.unwrap_or(0));
        let titles: Vec<String> = call.body.volumes.iter().map(title).collect();
        Ok(Json(SeriesView { titles: titles.join("+") }).into())
    }
}

mod paid_page {
    use super::*;

    /// The result of a payment.
    #[derive(Debug, Body)]
    pub(crate) struct Paid {
        #[body(length = 1..=20)]
        payment: String,
    }

    #[derive(Template)]
    #[template(source = "<p>{{ payment }} by {{ payer }}</p>", ext = "html")]
    struct PaidPage<'a> {
        payment: &'a str,
        payer: &'a str,
    }

    /// Shows the result of a payment.
    #[operation(POST "/paid", public, foreign_forms)]
    pub(crate) async fn paid(_app: &App, call: &Call<(), Paid>) -> Answer<Html> {
        let payer = call.principal.as_ref().map_or("nobody", |principal| &principal.id);
        let page = PaidPage { payment: &call.body.payment, payer };
        Ok(Html::new(call, "Paid", &page)?.sends_forms_to(Some("https://pay.example.org")).into())
    }
}

mod series_page {
    use super::*;

    /// Shows the form of a series.
    #[operation(GET "/new-series")]
    pub(crate) async fn new_series(_app: &App, call: &Call) -> Answer<Html> {
        let form = Form::of(call, &add_series::route()).elements("volumes", ["First", "Second"]);
        let form = form.fixed("volumes.1.pages", 7).then("/books/{titles}");
        Ok(Html::new(call, "New series", &NewBookPage { form })?.into())
    }
}

async fn world() -> World {
    World::of(
        service().chapter(
            "Pages",
            operations![
                new_book_page,
                thick_book_page,
                tapped_book_page,
                add_series,
                series_page,
                paid_page
            ],
        ),
        |host| host,
    )
    .await
}

/// Returns the values of the hidden fields of a form, as a browser sends them.
fn hidden(page: &str) -> String {
    let fields = page.split("<input type=\"hidden\" name=\"").skip(1).map(|field| {
        let (name, rest) = field.split_once("\" value=\"").unwrap();
        format!("{name}={}", rest.split('"').next().unwrap())
    });
    fields.collect::<Vec<_>>().join("&").replace("&#123;", "{").replace("&#125;", "}")
}

#[tokio::test]
async fn a_form_has_the_fields_of_the_body_and_is_accepted_once() {
    let world = world().await;
    let mut ann = Browser::default();
    let refused = ann.get(&world, "/new-book").await;
    assert_eq!(refused.status, 401);
    ann.sign_in(&world, "ann@example.org").await;
    let page = ann.get(&world, "/new-book").await.text;
    assert!(page.contains("<label for=\"NewBook-title\">Title</label>"), "{page}");
    assert!(page.contains("What is on its back."), "{page}");
    assert!(page.contains("min=\"1\" max=\"5000\""), "{page}");
    let form = format!("{}&title=Emma&pages=474", hidden(&page));
    let added = ann.post(&world, "/books", &form).await;
    assert_eq!(added.status, 303, "{}", added.text);
    let again = ann.post(&world, "/books", &form).await;
    assert_eq!(again.header("location"), added.header("location"), "the same book");
    assert_ne!(added.header("location"), "/shelf/books/{bookId}");
}

#[tokio::test]
async fn a_form_that_is_refused_is_shown_again() {
    let world = world().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let page = ann.get(&world, "/new-book").await.text;
    let form = format!("{}&title=&pages=%3Cb%3E", hidden(&page));
    let refused = ann.post(&world, "/books", &form).await;
    assert_eq!((refused.status, refused.header("content-type")), (400, "text/html; charset=utf-8"));
    let text = &refused.text;
    assert!(text.contains("id=\"NewBook-title-error\">Title must"), "{text}");
    assert!(text.contains("id=\"NewBook-pages-error\">Pages must be a whole number"), "{text}");
    assert!(text.contains("value=\"&#60;b&#62;\""), "what was sent is kept, as text: {text}");
    assert!(text.contains("aria-invalid=\"true\""), "{text}");
    // The form that is shown again can be sent.
    let form = format!("{}&title=Emma&pages=1", hidden(text));
    assert_eq!(ann.post(&world, "/books", &form).await.status, 303);

    let page = ann.get(&world, "/new-book").await.text;
    let taken = format!("{}&title=Taken&pages=1", hidden(&page));
    let refused = ann.post(&world, "/books", &taken).await;
    assert_eq!(refused.status, 409);
    assert!(refused.text.contains("There is such a book."), "{}", refused.text);
}

#[tokio::test]
async fn a_form_that_is_refused_shows_no_more_fields_than_before() {
    let world = world().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let mut text = ann.get(&world, "/thick-book").await.text;
    for _ in 0..2 {
        assert!(!text.contains("NewBook-pages"), "{text}");
        let refused = ann.post(&world, "/books", &format!("{}&title=", hidden(&text))).await;
        text = refused.text;
        assert_eq!(refused.status, 400, "{text}");
        assert!(text.contains("id=\"NewBook-title-error\">Title must"), "{text}");
    }
    let form = format!("{}&title=Emma", hidden(&text));
    assert_eq!(form.matches("pages=4999").count(), 1, "{form}");
    assert_eq!(ann.post(&world, "/books", &form).await.status, 303);
}

#[tokio::test]
async fn a_list_of_objects_has_fields_for_each_element() {
    let world = world().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let page = ann.get(&world, "/new-series").await.text;
    assert!(page.contains("<legend>Second</legend>"), "{page}");
    assert!(page.contains("name=\"volumes.0.pages\""), "{page}");
    let sent = "volumes.0.title=One&volumes.0.pages=9999&volumes.1.title=Two";
    let refused = ann.post(&world, "/series", &format!("{}&{sent}", hidden(&page))).await;
    let text = &refused.text;
    assert_eq!(refused.status, 400, "{text}");
    assert!(text.contains("id=\"Volume-volumes-0-pages-error\">Pages must"), "{text}");
    assert!(text.contains("<legend>Volume 2</legend>"), "{text}");
    assert!(!text.contains("id=\"Volume-volumes-1-pages\""), "{text}");
    // The form that is shown again still sends what people do not see.
    let sent = "volumes.0.title=One&volumes.0.pages=&volumes.1.title=Two";
    let added = ann.post(&world, "/series", &format!("{}&{sent}", hidden(text))).await;
    assert_eq!(added.header("location"), "/shelf/books/One-0%2BTwo-7", "{}", added.text);
}

#[tokio::test]
async fn values_are_chosen_by_a_tap() {
    let world = world().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let page = ann.get(&world, "/tapped-book").await.text;
    for part in [
        "<p>Austen</p>",
        "<input type=\"radio\" name=\"title\" value=\"Emma\" required> <span>Emma!</span>",
        "<button name=\"pages\" value=\"474\">474!</button>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("NewBook-pages"), "the buttons take its place: {page}");
    let form = format!("{}&title=Emma&pages=474", hidden(&page));
    assert_eq!(ann.post(&world, "/books", &form).await.status, 303);
}

#[tokio::test]
async fn forms_can_use_every_method_and_only_what_the_api_takes() {
    let world = world().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let csrf = ann.csrf();
    let added = ann
        .post(&world, "/books", &format!("{csrf}&title=Emma&_then=/shelf/books/{{bookId}}"))
        .await;
    let path = added.header("location").strip_prefix("/shelf").unwrap().to_owned();
    let changed = format!("{csrf}&_method=PUT&title=Persuasion");
    assert_eq!(ann.post(&world, &path, &changed).await.status, 303);
    let shown = ann.get(&world, &path).await;
    assert_eq!(shown.json()["title"], "Persuasion");
    for (form, status) in [
        (format!("{csrf}&_method=PUT&ver=7"), 400),
        (format!("{csrf}&_method=PUT&colour=red"), 400),
        (format!("{csrf}&_method=TRACE&title=X"), 400),
        (format!("{csrf}&_method=DELETE"), 405),
        ("title=%ff".to_owned(), 400),
    ] {
        let refused = ann.post(&world, &path, &form).await;
        assert_eq!(refused.status, status, "{form}");
    }
}

#[tokio::test]
async fn a_form_of_another_site_is_taken_where_it_is_expected_and_is_from_nobody() {
    let world = world().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let elsewhere = [("origin", "https://pay.example.org"), ("sec-fetch-site", "cross-site")];
    let form = "payment=p1&error%5Bcode%5D=NONE&more=1";
    let paid = ann.post_from(&world, "/paid", form, &elsewhere).await;
    assert_eq!(paid.status, 200, "{}", paid.text);
    assert!(paid.text.contains("<p>p1 by nobody</p>"), "{}", paid.text);
    let policy = paid.header("content-security-policy");
    assert!(policy.contains("form-action 'self' https://pay.example.org;"), "{policy}");
    let incomplete = ann.post_from(&world, "/paid", "more=1", &elsewhere).await;
    assert_eq!(incomplete.status, 400, "{}", incomplete.text);
    let book = ann.post_from(&world, "/books", "title=Emma&pages=1", &elsewhere).await;
    assert_eq!(book.status, 403, "{}", book.text);
}

/// A page of another site can send such a form without asking first, as it can send others.
#[tokio::test]
async fn a_form_in_parts_of_another_site_is_refused() {
    let world = world().await;
    let send = async |origin| {
        let part = "--x\r\ncontent-disposition: form-data; name=\"title\"\r\n\r\nEmma\r\n--x--\r\n";
        let request = http::Request::post("/shelf/books")
            .header("content-type", "multipart/form-data; boundary=x")
            .header("origin", origin)
            .header("host", "books.example");
        world.send(request.body(axum::body::Body::from(part)).unwrap()).await
    };
    let refused = send("https://elsewhere.example").await;
    assert!(refused.text.contains("FOREIGN_ORIGIN"), "{}", refused.text);
    let own = send("https://books.example").await;
    assert!(!own.text.contains("FOREIGN_ORIGIN"), "{}", own.text);
}
