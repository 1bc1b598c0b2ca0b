//! Registration of teams: what is checked, what is written, and what happens in a rush.

use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, Participant, PaymentStatus, RegistrationStatus,
};
use monotable_kit::payment_gateway::CallFailure;
use monotable_testkit::service::Response;
use serde_json::{Value, json};

use crate::world::{Event, done, id, team_body};

pub(crate) const REGISTER: &str = "/hackathon/register/team";

pub(crate) fn code(response: Response, status: u16) -> Value {
    done(response, status)["code"].clone()
}

#[tokio::test]
async fn a_registration_is_one_transaction_with_all_that_follows_from_it() {
    let event = Event::new().await;
    let team = event.register("ann", "Code Warriors", &["bo", "cy"]).await;
    let team_id = id(team["team_id"].as_str().unwrap());
    assert_eq!(
        (&team["registration_status"], &team["amount"]),
        (&json!("pending_payment"), &json!(99_900))
    );
    let stored = event.team(&team_id).await;
    assert_eq!(stored.registration(), RegistrationStatus::PendingPayment);
    assert_eq!(
        stored.held_until(),
        Some(event.now() + std::time::Duration::from_secs(24 * 60 * 60))
    );
    for (partition, sort) in [
        ("EMAIL#ann@example.org", "UNIQUE"),
        ("EMAIL#cy@example.org", "UNIQUE"),
        ("UID#ann", "UNIQUE"),
        ("TEAMNAME#code%20warriors", "UNIQUE"),
        ("STATS", "DAILY#2027-01-15"),
        ("STATS", "TRACK#ai-ml#2027-01-15"),
    ] {
        assert!(event.has(partition, sort), "{partition} {sort}");
    }
    let totals = event.totals().await;
    assert_eq!((totals.registrations, totals.participants, totals.slots_used), (1, 3, 1));
    let payment = event.payment(&team_id).await;
    assert_eq!((payment.status, payment.amount), (PaymentStatus::Pending, 99_900));
    assert_eq!(payment.razorpay_order_id, stored.payment_order_id, "the order is attached");
    assert_eq!(
        event.letters().await,
        [("ann@example.org".into(), "Pay to keep your place".into())]
    );
    let members = event.app.db.members(&team_id).all().await.unwrap();
    let phones = members.iter().map(|member: &Participant| serde_json::to_string(&member.phone));
    assert!(phones.map(Result::unwrap).all(|phone| !phone.contains("9876543210")));
}

#[tokio::test]
async fn what_no_state_could_allow_is_refused_by_name() {
    let event = Event::new().await;
    let post = async |user: &str, body: Value| event.post(user, REGISTER, body).await;
    assert_eq!(code(post("ann", team_body("One", &["ann"])).await, 400), "INVALID_TEAM_SIZE");
    let five = team_body("One", &["ann", "b", "c", "d", "e"]);
    assert_eq!(code(post("ann", five).await, 400), "INVALID_TEAM_SIZE");
    let mut twice = team_body("One", &["ann", "bo"]);
    twice["members"][1]["is_leader"] = true.into();
    assert_eq!(code(post("ann", twice).await, 400), "INVALID_REQUEST");
    let mut track = team_body("One", &["ann", "bo"]);
    track["track"] = "cooking".into();
    assert_eq!(code(post("ann", track).await, 400), "INVALID_REQUEST");
    assert_eq!(code(post("eve", team_body("One", &["ann", "bo"])).await, 403), "FORBIDDEN");
    assert_eq!(
        code(event.post("", REGISTER, team_body("One", &["ann", "bo"])).await, 401),
        "UNAUTHORIZED"
    );
    assert!(!event.has("STATS", "TOTALS"), "nothing was written");
}

#[tokio::test]
async fn ck_d26_repeated_addresses_are_invalid_and_taken_ones_conflict() {
    let event = Event::new().await;
    let mut twice = team_body("One", &["ann", "bo", "cy"]);
    twice["members"][2]["email"] = " BO@Example.org ".into();
    assert_eq!(code(event.post("ann", REGISTER, twice).await, 400), "DUPLICATE_EMAIL");
    event.register("ann", "One", &["bo"]).await;
    let taken = team_body("Two", &["cy", "bo"]);
    assert_eq!(code(event.post("cy", REGISTER, taken).await, 409), "DUPLICATE_EMAIL");
    let name = team_body("  ONE ", &["cy", "di"]);
    assert_eq!(code(event.post("cy", REGISTER, name).await, 409), "TEAM_NAME_TAKEN");
    assert_eq!(event.totals().await.registrations, 1);
}

#[tokio::test]
async fn ck_d11_the_switch_and_the_dates_decide_together() {
    for (open, start, end) in [
        (false, "2027-01-01T00:00:00Z", "2027-02-15T00:00:00Z"),
        (true, "2027-01-16T00:00:00Z", "2027-02-15T00:00:00Z"),
        (true, "2027-01-01T00:00:00Z", "2027-01-14T00:00:00Z"),
    ] {
        let event = Event::with(|config| {
            config.registration_open = open;
            config.registration_start = start.parse().unwrap();
            config.registration_end = end.parse().unwrap();
        })
        .await;
        let response = event.post("ann", REGISTER, team_body("One", &["ann", "bo"])).await;
        assert_eq!(code(response, 409), "REGISTRATION_CLOSED");
    }
}

#[tokio::test]
async fn a_free_event_confirms_teams_at_once() {
    let event = Event::with(|config| config.team_fee = 0).await;
    let team = event.register("ann", "One", &["bo"]).await;
    assert_eq!(
        (&team["registration_status"], &team["payment_status"]),
        (&json!("confirmed"), &json!("paid"))
    );
    assert_eq!(event.letters().await.len(), 3, "both members and the organisers");
    let totals = event.totals().await;
    assert_eq!((totals.teams_confirmed, totals.slots_used, totals.revenue_minor), (1, 1, 0));
}

#[tokio::test]
async fn teams_wait_for_places_and_get_them_in_their_order() {
    let event = Event::with(|config| config.max_teams = 1).await;
    let first = event.register("ann", "One", &["a1"]).await;
    assert_eq!(
        code(event.post("bo", REGISTER, team_body("Two", &["bo", "b1"])).await, 409),
        "EVENT_FULL"
    );
    let mut waiting = Vec::new();
    for leader in ["bo", "cy"] {
        let mut body = team_body(&format!("Team {leader}"), &[leader, &format!("{leader}1")]);
        body["waitlist"] = true.into();
        let team = done(event.post(leader, REGISTER, body).await, 201);
        assert_eq!(team["registration_status"], "waitlisted");
        waiting.push(id(team["team_id"].as_str().unwrap()));
        event.clock.advance_ms(1_000);
    }
    assert_eq!(event.totals().await.slots_used, 1);
    event.work_after(25).await;
    let expired = event.team(&id(first["team_id"].as_str().unwrap())).await;
    assert_eq!(expired.registration(), RegistrationStatus::Expired);
    let [bo, cy] = [event.team(&waiting[0]).await, event.team(&waiting[1]).await];
    assert_eq!(bo.registration(), RegistrationStatus::PendingPayment);
    assert_eq!(bo.held_until().unwrap().since(event.now()).as_secs(), 24 * 60 * 60);
    assert_eq!(cy.registration(), RegistrationStatus::Waitlisted);
    assert_eq!(event.payment(&waiting[0]).await.amount, 99_900);
    assert_eq!(event.totals().await.slots_used, 1);
}

#[tokio::test]
async fn teams_that_end_wait_no_longer() {
    let event = Event::with(|config| config.max_teams = 1).await;
    event.register("ann", "One", &["a1"]).await;
    for leader in ["bo", "cy"] {
        let mut body = team_body(&format!("Team {leader}"), &[leader, &format!("{leader}1")]);
        body["waitlist"] = true.into();
        let team = done(event.post(leader, REGISTER, body).await, 201);
        let (team_id, leader_id) = (&team["team_id"], &team["leader_participant_id"]);
        let path = match leader {
            "bo" => format!("/hackathon/team/{}", team_id.as_str().unwrap()),
            _ => {
                let id = leader_id.as_str().unwrap();
                format!("/hackathon/participant/{id}?cancel_team=true")
            }
        };
        assert_eq!(event.app.db.waitlist().count().await.unwrap(), 1);
        done(event.delete("admin", &path).await, 204);
        assert_eq!(event.app.db.waitlist().count().await.unwrap(), 0);
    }
}

/// The gateway does not respond when a team registers; the order is created when it wants to pay.
#[tokio::test]
async fn ck_d20_a_registration_does_not_depend_on_the_gateway() {
    for failure in [CallFailure::BeforeEffect, CallFailure::AfterEffect] {
        let event = Event::new().await;
        // The first call looks for an order, the second one creates it.
        event.gateway.fail_call(1, failure);
        let (team_id, order_id) = event.order("ann", &["bo"]).await;
        assert_eq!(event.gateway.orders().len(), 1, "{failure:?}");
        assert_eq!(event.team(&team_id).await.payment_order_id, Some(order_id));
    }
}

#[tokio::test]
async fn ck_d19_the_amount_is_that_of_the_registration() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["bo"]).await;
    let config = event.app.db.config().await.unwrap().unwrap();
    event.app.db.edit(config, |config| config.team_fee = 19_900).await.unwrap();
    let body = json!({ "team_id": team_id });
    let order = done(event.post("ann", "/hackathon/payment/create-order", body).await, 200);
    assert_eq!(order["amount"], 99_900);
    assert_eq!(event.register("cy", "Two", &["di"]).await["amount"], 19_900);
}
