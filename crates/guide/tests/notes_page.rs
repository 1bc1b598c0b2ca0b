//! The page of the service.
#[path = "../examples/notes/pages.rs"]
mod pages;
#[path = "../examples/notes/service.rs"]
mod service;

use monotable_host::{Service, TableService};
use monotable_testkit::service::{Subject, World};
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
