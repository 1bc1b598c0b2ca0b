//! The messages of refusals: what is wrong, and what to do instead.

use http::Method;
use monotable_hacktracker::table::{Role, TeamType};
use monotable_kit::Principal;
use monotable_testkit::service::Subject as _;
use serde_json::{Value, json};

use crate::world::{Rows as _, Setup as _, Softball, World};

#[tokio::test]
async fn a_refused_transition_names_the_statuses_and_the_ways_that_are_open() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    let refused = world.post("ann", &format!("/games/{game}/start"), Value::Null).await.json();
    assert_eq!(refused["error"], "A game that is FINAL can't be started; it can be reopened.");
    assert_eq!((&refused["from"], &refused["to"]), (&json!("FINAL"), &json!("IN_PROGRESS")));
    assert_eq!(refused["allowed"], json!([{ "transition": "reopen", "to": "IN_PROGRESS" }]));
    let status = json!({ "status": "SCHEDULED" });
    let refused = world.put("ann", &format!("/games/{game}"), status).await.json();
    assert_eq!(
        refused["error"],
        "A game that is FINAL can't become SCHEDULED; it can be reopened."
    );
}

#[tokio::test]
async fn a_rule_has_one_message() {
    let world = World::red().await;
    for name in ["x".repeat(60), "x".repeat(201), "ab".to_owned()] {
        let refused = world.post("ann", "/teams", json!({ "name": name })).await.json();
        assert_eq!(refused["error"], "name: must have 3 to 50 characters");
    }
    let document = world.get("", "/openapi.json").await.json();
    let name = &document["components"]["schemas"]["NewTeam"]["properties"]["name"];
    assert_eq!((&name["minLength"], &name["maxLength"]), (&json!(3), &json!(50)));
    for number in ["+1234567890123456", "+1234567", "12345678", "x"] {
        let phone = json!({ "phoneNumber": number });
        let refused = world.put("ann", "/users/ann", phone).await.json();
        assert_eq!(refused["error"], "phoneNumber: must be + and 8 to 15 digits", "{number}");
    }
}

#[tokio::test]
async fn a_game_in_progress_keeps_its_lineup() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let refused = world.put("sam", &format!("/games/{game}"), json!({ "lineup": [] })).await;
    assert_eq!(refused.outcome(), "409 LINEUP_REQUIRED");
    assert_eq!(refused.json()["error"], "A game in progress needs a lineup; it can't be emptied.");
}

#[tokio::test]
async fn an_invalid_id_is_refused_without_details_of_the_storage() {
    let world = World::red().await;
    let refused = world.get("ann", "/teams/a%23b").await;
    assert_eq!(refused.outcome(), "400 VALIDATION");
    let text = "teamId: must be 1 to 128 letters, digits and ._~@+:-";
    assert_eq!(refused.json()["error"], text);
}

#[tokio::test]
async fn the_message_for_a_personal_team_explains_that_it_cannot_be_left() {
    let world = World::new().await;
    world.team("own", TeamType::Personal, &[("ann", Role::Owner)], 1).await;
    let refused = world.delete("ann", "/teams/own/members/ann").await;
    assert_eq!(refused.outcome(), "409 OWNER_CANNOT_LEAVE");
    let text = "A personal team has no other members; it stays until you delete your account.";
    assert_eq!(refused.json()["error"], text);
}

#[tokio::test]
async fn an_audit_has_plain_values() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    world.request("ann", Method::POST, &format!("/games/{game}/reopen"), Value::Null, &[]).await;
    let audit = world.get("ann", "/teams/red/audit").await.json();
    let entry = &audit["entries"][0];
    assert_eq!(
        (&entry["before"]["status"], &entry["after"]["status"]),
        (&json!("FINAL"), &json!("IN_PROGRESS"))
    );
}

#[tokio::test]
async fn the_message_for_a_missing_address_names_the_claim() {
    let world = World::new().await;
    let sign_up = async |email: Option<&str>| {
        let principal = Principal { email: email.map(str::to_owned), ..Softball::principal("ann") };
        let refused = world
            .request_as(Some(&principal), Method::GET, "/users/context", Value::Null, &[])
            .await;
        assert_eq!(refused.outcome(), "401 UNAUTHENTICATED");
        refused.json()["error"].as_str().unwrap().to_owned()
    };
    let text = sign_up(None).await;
    assert!(text.contains("the claim `email`, or send X-User-Email"), "{text}");
    let text = sign_up(Some("nowhere")).await;
    assert_eq!(text, "The `email` that you are signed in with is not a valid e-mail address.");
}
