//! The process is killed at every storage call of a command that moves money or slots, and of the work behind it.

use monotable_kit::payment_gateway::{Attempt, Gateway as _};
use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};

use crate::world::{Event, World, team_body};

async fn kill(world: &World, user: &str, route: &str, body: Value) {
    Crash::of(world).at_every_call(Act::request(user, route, &body)).await;
}

#[tokio::test]
async fn a_registration_survives() {
    let event = Event::new().await;
    let body = team_body("Code Warriors", &["ann", "bo", "cy"]);
    kill(&event, "ann", "POST /hackathon/register/team", body).await;
}

#[tokio::test]
async fn a_place_on_the_waiting_list_survives() {
    let event = Event::with(|config| config.max_teams = 1).await;
    event.register("ann", "One", &["bo"]).await;
    let mut body = team_body("Two", &["cy", "di"]);
    body["waitlist"] = true.into();
    kill(&event, "cy", "POST /hackathon/register/team", body).await;
}

#[tokio::test]
async fn an_order_and_its_payment_survive() {
    let event = Event::new().await;
    // The order is created when the team wants to pay.
    event.gateway.fail_call(0, monotable_kit::payment_gateway::CallFailure::BeforeEffect);
    let team = event.register("ann", "One", &["bo"]).await;
    let body = json!({ "team_id": team["team_id"] });
    kill(&event, "ann", "POST /hackathon/payment/create-order", body).await;
}

#[tokio::test]
async fn a_settled_payment_survives() {
    let event = Event::new().await;
    let (_, order_id) = event.order("ann", &["bo"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let signature = event.gateway.signatures().of_payment(&order_id, &payment.payment_id);
    let body = json!({
        "razorpay_order_id": order_id, "razorpay_payment_id": payment.payment_id,
        "razorpay_signature": signature,
    });
    kill(&event, "ann", "POST /hackathon/payment/verify", body).await;
}

#[tokio::test]
async fn money_that_comes_late_survives() {
    let event = Event::new().await;
    let (_, order_id) = event.order("ann", &["bo"]).await;
    event.work_after(25).await;
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.clock.advance_ms(60 * 60 * 1_000);
    Crash::of(&event).at_every_call(Act::Work).await;
}

#[tokio::test]
async fn the_end_of_holds_and_the_waiting_list_survive() {
    let event = Event::with(|config| config.max_teams = 1).await;
    event.order("ann", &["bo"]).await;
    let mut body = team_body("Two", &["cy", "di"]);
    body["waitlist"] = true.into();
    let response = event.post("cy", "/hackathon/register/team", body).await;
    assert_eq!(response.status, 201, "{}", response.text);
    event.clock.advance_ms(25 * 60 * 60 * 1_000);
    Crash::of(&event).at_every_call(Act::Work).await;
}

#[tokio::test]
async fn a_refund_survives() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let route = format!("POST /hackathon/admin/refund/{team_id}");
    kill(&event, "admin", &route, json!({ "reason": "They can't come." })).await;
}
