//! The matrix and the crash test of the service.
#[path = "../examples/notes/service.rs"]
mod service;

use monotable_host::{Service, TableService};
use monotable_kit::Route;
use monotable_testkit::service::{Act, Crash, Matrix, Stage, Subject, World};
use serde_json::{Value, json};

struct Tested;

impl Subject for Tested {
    type App = service::App;
    type Table = service::Notes;

    fn service() -> Box<dyn Service> {
        Box::new(TableService::<service::Notes>::new(service::service))
    }
}

const MATRIX: Matrix = Matrix {
    table: "POST   /notes           -  uuu ..
GET    /notes           -  uuu ..
DELETE /notes/{noteId}  -  uuu .-",
    actors: &["nobody", "forged", "expired", "ann", "zoe"],
    ..Matrix::PLAIN
};

impl Stage<Tested> for String {
    fn path_value(&self, _: &Route, _: &str, _: &str) -> String {
        self.clone()
    }
}

async fn note_of_ann() -> (World<Tested>, String) {
    let world = World::new().await;
    let note = world.post("ann", "/notes", json!({ "text": "Buy milk." })).await.json();
    (world, note["noteId"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn owners_see_their_notes_and_nobody_else_does() {
    MATRIX.assert_complete(&service::service());
    MATRIX.check(async |_: &str| note_of_ann().await).await;
}

#[tokio::test]
async fn a_killed_process_loses_nothing() {
    let (world, note) = note_of_ann().await;
    let (text, delete) = (json!({ "text": "Call Bob." }), format!("DELETE /notes/{note}"));
    Crash::of(&world).at_every_call(Act::request("ann", "POST /notes", &text)).await;
    Crash::of(&world).at_every_call(Act::request("ann", &delete, &Value::Null)).await;
}
