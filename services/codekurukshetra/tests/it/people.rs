//! Participants: their own data, accounts that are linked to them, and how they are erased.

use http::Method;
use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, Email, ParticipantId, PaymentStatus, RegistrationStatus, TeamId,
};
use monotable_kit::Principal;
use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};

use crate::world::{Event, done, id};

fn path(participant_id: &ParticipantId) -> String {
    format!("/hackathon/participant/{participant_id}")
}

/// Registers ann and bo, and returns the team and them.
async fn pair(event: &Event) -> (TeamId, ParticipantId, ParticipantId) {
    let team = event.register("ann", "Code Warriors", &["bo"]).await;
    let ids = team["member_ids"].as_array().unwrap();
    let member = |at: usize| id(ids[at].as_str().unwrap());
    (id(team["team_id"].as_str().unwrap()), member(0), member(1))
}

fn code(response: monotable_testkit::service::Response, status: u16) -> Value {
    done(response, status)["code"].clone()
}

#[tokio::test]
async fn an_account_is_linked_when_its_owner_first_signs_in() {
    let event = Event::new().await;
    let (_, _, bo) = pair(&event).await;
    assert!(!event.has("UID#bo", "UNIQUE"));
    let me = done(event.get("bo", "/hackathon/me").await, 200);
    assert_eq!(me["participant"]["participant_id"], json!(bo));
    assert_eq!(me["team"]["name"], "Code Warriors");
    assert!(event.has("UID#bo", "UNIQUE"));
    // From now on the account counts, whatever address it has.
    let other = Principal {
        id: "bo".to_owned(),
        email: Some("new@example.org".to_owned()),
        email_verified: true,
        roles: Vec::new(),
    };
    let me = event.request_as(Some(&other), Method::GET, "/hackathon/me", Value::Null, &[]).await;
    assert_eq!(done(me, 200)["participant"]["participant_id"], json!(bo));
}

#[tokio::test]
async fn an_address_that_is_not_verified_or_linked_already_opens_nothing() {
    let event = Event::new().await;
    pair(&event).await;
    let ask = async |id: &str, email: &str, email_verified: bool| {
        let (id, email) = (id.to_owned(), Some(email.to_owned()));
        let person = Principal { id, email, email_verified, roles: Vec::new() };
        let me =
            event.request_as(Some(&person), Method::GET, "/hackathon/me", Value::Null, &[]).await;
        done(me, 200)["participant"].clone()
    };
    assert_eq!(ask("bo", "bo@example.org", false).await, Value::Null);
    assert_eq!(ask("thief", "ann@example.org", true).await, Value::Null, "ann has an account");
    assert!(ask("bo", "BO@Example.org", true).await.is_object());
}

#[tokio::test]
async fn people_change_what_is_theirs() {
    let event = Event::new().await;
    let (_, ann, bo) = pair(&event).await;
    let put =
        async |user: &str, id: &ParticipantId, body: Value| event.put(user, &path(id), body).await;
    let changes = json!({ "phone": "98765 00000", "college": "MIT", "linkedin": "https://linkedin.com/in/bo" });
    let changed = done(put("bo", &bo, changes).await, 200);
    assert_eq!((&changed["phone"], &changed["college"]), (&json!("+91-9876500000"), &json!("MIT")));
    assert_eq!(changed["linkedin"], "https://linkedin.com/in/bo");
    let of_mit = event
        .app
        .db
        .participants_by_college(&monotable_codekurukshetra::table::College("mit".into()));
    assert_eq!(of_mit.all().await.unwrap().len(), 1);
    let removed = done(put("bo", &bo, json!({ "linkedin": null })).await, 200);
    assert_eq!(removed["linkedin"], Value::Null);
    assert_eq!(put("bo", &ann, json!({ "college": "MIT" })).await.status, 403);
    assert_eq!(put("zoe", &ann, json!({ "college": "MIT" })).await.status, 404);
    assert_eq!(put("ann", &bo, json!({ "college": "NIT" })).await.status, 200);
    assert_eq!(code(put("bo", &bo, json!({ "is_leader": true })).await, 400), "INVALID_REQUEST");
    assert_eq!(code(put("bo", &bo, json!({ "phone": "12345" })).await, 400), "INVALID_REQUEST");
}

#[tokio::test]
async fn after_the_payment_leaders_change_only_themselves() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let ids = event.team(&team_id).await.member_ids;
    let put = async |id: &ParticipantId| {
        event.put("ann", &path(id), json!({ "college": "MIT" })).await.status
    };
    assert_eq!((put(&ids[0]).await, put(&ids[1]).await), (200, 403));
}

#[tokio::test]
async fn a_new_address_moves_its_guard_and_index_key() {
    let event = Event::new().await;
    let (_, _, bo) = pair(&event).await;
    event.register("cy", "Bit Benders", &["di"]).await;
    let put = async |email: &str| event.put("ann", &path(&bo), json!({ "email": email })).await;
    assert_eq!(code(put("cy@example.org").await, 409), "DUPLICATE_EMAIL");
    assert_eq!(done(put("Robert@Example.org").await, 200)["email"], "robert@example.org");
    assert!(!event.has("EMAIL#bo@example.org", "UNIQUE"));
    assert!(event.has("EMAIL#robert@example.org", "UNIQUE"));
    for (email, found) in [("bo@example.org", 0), ("robert@example.org", 1)] {
        let rows =
            event.app.db.participants_by_email(&Email(email.to_owned())).all().await.unwrap();
        assert_eq!(rows.len(), found, "{email}");
    }
    // The old address is free.
    event.register("bo", "Byte Knights", &["ed"]).await;
}

#[tokio::test]
async fn a_change_of_another_version_is_refused() {
    let event = Event::new().await;
    let (_, _, bo) = pair(&event).await;
    let body = json!({ "college": "MIT" });
    let stale = event.request("bo", Method::PUT, &path(&bo), body, &[("if-match", "\"7\"")]).await;
    assert_eq!(stale.status, 412, "{}", stale.text);
}

#[tokio::test]
async fn an_erased_participant_can_not_be_found_and_totals_stay() {
    let event = Event::new().await;
    let (team_id, ann, bo) = pair(&event).await;
    done(event.get("bo", "/hackathon/me").await, 200);
    let before = event.totals().await;
    assert_eq!(event.delete("ann", &path(&bo)).await.status, 403, "leaders erase nobody else");
    assert_eq!(event.delete("bo", &path(&bo)).await.status, 204);
    let row = event.app.db.participant(&bo).await.unwrap().unwrap();
    assert_eq!(row.email.0, format!("erased+{bo}@invalid"));
    assert_eq!(
        (row.full_name(), row.college, row.phone, row.firebase_uid),
        (String::new(), None, None, None)
    );
    for (partition, sort) in [("EMAIL#bo@example.org", "UNIQUE"), ("UID#bo", "UNIQUE")] {
        assert!(!event.has(partition, sort), "{partition}");
    }
    let found = event.app.db.participants_by_email(&Email("bo@example.org".to_owned()));
    assert!(found.all().await.unwrap().is_empty());
    let college = monotable_codekurukshetra::table::College("Example University".to_owned());
    let found = event.app.db.participants_by_college(&college).all().await.unwrap();
    assert_eq!(found.iter().map(|it| &it.participant_id).collect::<Vec<_>>(), [&ann]);
    assert_eq!(event.totals().await, before);
    assert_eq!(event.team(&team_id).await.member_count, 2);
    assert_eq!(done(event.get("bo", "/hackathon/me").await, 200)["participant"], Value::Null);
    let export = "/hackathon/admin/export/csv?pii=true&reason=A+check+of+the+list";
    let export = event.get("admin", export).await;
    assert!(export.text.contains("ann@example.org"), "{}", export.text);
    assert!(!export.text.contains(bo.as_str()), "{}", export.text);
    // Nothing of the person is in the table any more.
    let rows = format!("{:?}", event.rows());
    let rows: Vec<&str> = rows.split("RequestRecord").collect();
    assert!(!rows[0].contains("bo@example.org"), "{}", rows[0]);
    event.register("bo", "Byte Knights", &["ed"]).await;
}

#[tokio::test]
async fn a_leader_passes_the_lead_on_before_the_erasure_or_cancels_the_team() {
    let event = Event::new().await;
    let (team_id, payment) = event.paid("ann", &["bo"]).await;
    let ids = event.team(&team_id).await.member_ids;
    assert_eq!(code(event.delete("ann", &path(&ids[0])).await, 409), "INVALID_STATE");
    let cancel = format!("{}?cancel_team=true", path(&ids[0]));
    assert_eq!(event.delete("ann", &cancel).await.status, 204);
    let team = event.team(&team_id).await;
    assert_eq!(team.registration(), RegistrationStatus::Cancelled);
    assert!(!team.registration_complete);
    let totals = event.totals().await;
    assert_eq!((totals.slots_used, totals.teams_confirmed), (0, 0));
    for email in ["ann", "bo"] {
        assert!(!event.has(&format!("EMAIL#{email}@example.org"), "UNIQUE"), "{email}");
    }
    // Only administrators return money: a leader could attend the event and get the fee back.
    event.work_after(0).await;
    let stored = event.payment(&team_id).await;
    assert_eq!((stored.status, stored.needs_refund), (PaymentStatus::Paid, Some(true)));
    assert_eq!(stored.razorpay_payment_id, Some(payment.payment_id));
    let alerts = event.get("admin", "/hackathon/admin/alerts").await;
    assert!(alerts.text.contains("refund_due"), "{}", alerts.text);
    crate::payments::refund(&event, &team_id).await;
    event.work_after(0).await;
    let stored = event.payment(&team_id).await;
    assert_eq!((stored.status, stored.needs_refund), (PaymentStatus::Refunded, Some(false)));
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Cancelled);
}

/// Also if the bank has declined a refund before.
#[tokio::test]
async fn a_team_that_an_administrator_cancels_gets_its_money_back() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    event.gateway.decline_refund();
    crate::payments::refund(&event, &team_id).await;
    event.work_after(0).await;
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Paid);
    let ann = event.team(&team_id).await.leader_participant_id;
    let cancel = format!("/hackathon/participant/{ann}?cancel_team=true");
    assert_eq!(event.delete("admin", &cancel).await.status, 204);
    event.work_after(0).await;
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Refunded);
}

/// Whoever took part has taken part: a leader who is forgotten afterwards takes nothing from the others.
#[tokio::test]
async fn a_leader_who_is_erased_after_the_start_leaves_the_team_as_it_is() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let ann = event.team(&team_id).await.leader_participant_id;
    event.clock.advance_ms(40 * 24 * 60 * 60 * 1_000);
    assert!(event.now() > event.app.config().await.unwrap().event_start);
    for cancel in ["", "?cancel_team=true"] {
        let path = format!("/hackathon/participant/{ann}{cancel}");
        let expected = if cancel.is_empty() { 204 } else { 404 };
        assert_eq!(event.delete("ann", &path).await.status, expected, "{cancel}");
    }
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
    assert_eq!(event.payment(&team_id).await.needs_refund, None);
    let audit = done(event.post("admin", "/hackathon/admin/check", json!({})).await, 200);
    assert_eq!(audit["findings"], json!([]));
}

#[tokio::test]
async fn somebody_who_passed_the_lead_on_is_erased_alone() {
    let event = Event::new().await;
    let (team_id, ann, bo) = pair(&event).await;
    let leader = format!("/hackathon/team/{team_id}/leader");
    done(event.post("ann", &leader, json!({ "participant_id": bo })).await, 200);
    assert_eq!(event.delete("ann", &path(&ann)).await.status, 204);
    let team = event.team(&team_id).await;
    assert_eq!(team.registration(), RegistrationStatus::PendingPayment);
    let back = event.post("bo", &leader, json!({ "participant_id": ann })).await;
    assert_eq!(code(back, 400), "INVALID_REQUEST");
}

#[tokio::test]
async fn an_erasure_survives_a_crash_at_every_storage_call() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let ids = event.team(&team_id).await.member_ids;
    done(event.get("bo", "/hackathon/me").await, 200);
    let kill = async |user: &str, route: &str, body: Value| {
        Crash::of(&event).at_every_call(Act::request(user, route, &body)).await;
    };
    kill("bo", &format!("DELETE {}", path(&ids[1])), Value::Null).await;
    let cancel = format!("DELETE {}?cancel_team=true", path(&ids[0]));
    kill("ann", &cancel, Value::Null).await;
    let address = json!({ "email": "robert@example.org" });
    kill("bo", &format!("PUT {}", path(&ids[1])), address).await;
}
