//! The page of the service.
#[path = "../examples/notes/pages.rs"]
mod pages;
#[path = "../examples/notes/service.rs"]
mod service;

use monotable_host::{RunningService as _, Service, TableService};
use monotable_testkit::service::{Request, Subject, World};
use serde_json::json;

struct Tested;

impl Subject for Tested {
    type App = service::App;
    type Table = service::Notes;

    fn service() -> Box<dyn Service> {
        Box::new(TableService::<service::Notes>::new(pages::service))
    }
}

#[tokio::test]
async fn the_page_shows_notes_of_its_reader_as_text() {
    let world: World<Tested> = World::new().await;
    let note = json!({ "text": "<b>Buy milk.</b>" });
    assert_eq!(world.post("ann", "/notes", note).await.status, 201);
    let page = world.get("ann", "/mine").await;
    assert!(page.text.contains("<li>&#60;b&#62;Buy milk.&#60;/b&#62;</li>"), "{}", page.text);
    assert!(page.text.contains("<form method=\"post\" action=\"/notes/notes\">"), "{}", page.text);
    assert!(!world.get("zoe", "/mine").await.text.contains("Buy milk."));
    assert_eq!(world.get("", "/mine").await.status, 401);
}

#[tokio::test]
async fn recorded_responses_are_removed_after_their_day() {
    let world: World<Tested> = World::new().await;
    let headers = [("idempotency-key", "k1")];
    let request = Request::new("POST /notes", json!({ "text": "Buy milk." })).headers(&headers);
    assert_eq!(world.send("ann", request).await.status, 201);
    let rows = world.rows().len();
    world.clock.advance_ms(24 * 60 * 60 * 1_000 - 1);
    world.app.sweep().await.unwrap();
    assert_eq!(world.rows().len(), rows);
    world.clock.advance_ms(1);
    world.app.sweep().await.unwrap();
    assert_eq!(world.rows().len(), rows - 1);
}
