//! The process is killed at every storage call of what organisers do, and of the work behind it.

use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};

use crate::world::{Event, World, config, done};

async fn kill(world: &World, user: &str, route: &str, body: Value) {
    Crash::of(world).at_every_call(Act::request(user, route, &body)).await;
}

#[tokio::test]
async fn changes_of_the_settings_survive() {
    let event = Event::new().await;
    let mut settings = serde_json::to_value(config()).unwrap();
    settings["tracks"] = json!(["ai-ml"]);
    kill(&event, "admin", "PUT /hackathon/admin/config", settings).await;
}

#[tokio::test]
async fn merged_colleges_survive() {
    let event = Event::new().await;
    event.register("ann", "One", &["al"]).await;
    let merge = json!({ "college": "Example University", "into": "EU" });
    kill(&event, "admin", "PUT /hackathon/admin/colleges/merges", merge.clone()).await;
    done(event.put("admin", "/hackathon/admin/colleges/merges", merge).await, 200);
    let route = "DELETE /hackathon/admin/colleges/merges?college=Example+University";
    kill(&event, "admin", route, Value::Null).await;
}

#[tokio::test]
async fn released_guards_survive() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["al"]).await;
    let reason = json!({ "reason": "They have withdrawn." });
    done(event.post("admin", &format!("/hackathon/admin/refund/{team_id}"), reason).await, 200);
    kill(&event, "admin", &format!("POST /hackathon/admin/release/{team_id}"), Value::Null).await;
}

#[tokio::test]
async fn reminders_survive_and_come_once() {
    let event = Event::new().await;
    event.paid("ann", &["al"]).await;
    event.clock.advance_ms((36 * 24 - 40) * 60 * 60 * 1_000);
    Crash::of(&event.world).at_every_call(Act::Work).await;
}
