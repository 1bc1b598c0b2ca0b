//! Payments: what confirms a team, and what the gateway may report in any order, twice, or never.

use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, PaymentStatus, RefundState, RegistrationStatus, SettledBy,
};
use monotable_kit::payment_gateway::{Attempt, CallFailure, Gateway as _, Webhook};
use serde_json::{Value, json};

use crate::world::{Event, done, id};

const CREATE_ORDER: &str = "/hackathon/payment/create-order";

#[tokio::test]
async fn a_team_pays_and_everything_that_follows_changes_with_it() {
    let event = Event::new().await;
    let (team_id, payment) = event.paid("ann", &["bo", "cy"]).await;
    let team = event.team(&team_id).await;
    assert_eq!(team.registration(), RegistrationStatus::Confirmed);
    assert_eq!((team.payment_status, team.registration_complete), (PaymentStatus::Paid, true));
    assert_eq!((team.payment_id, team.hold_until), (Some(payment.payment_id), None));
    let stored = event.payment(&team_id).await;
    assert_eq!((stored.status, stored.settled_by), (PaymentStatus::Paid, Some(SettledBy::Webhook)));
    assert!(stored.webhook_verified);
    let members = event.app.db.members(&team_id).all().await.unwrap();
    assert!(members.iter().all(|member| member.payment_status == PaymentStatus::Paid));
    let totals = event.totals().await;
    assert_eq!(
        (totals.payments_attempted, totals.payments_paid, totals.revenue_minor),
        (1, 1, 99_900)
    );
    assert_eq!((totals.teams_confirmed, totals.slots_used), (1, 1));
    let letters = event.letters().await;
    let confirmed = letters.iter().filter(|(_, subject)| subject.starts_with("You take part"));
    assert_eq!(confirmed.count(), 3);
    assert!(letters.contains(&("desk@example.org".into(), "A team is confirmed".into())));
}

#[tokio::test]
async fn an_order_stays_the_same_until_it_is_paid() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let body = json!({ "team_id": team_id });
    event.gateway.attempt(&order_id, Attempt::Fails).unwrap();
    event.deliver().await;
    assert_eq!(event.team(&team_id).await.payment_status, PaymentStatus::Failed);
    let again = done(event.post("ann", CREATE_ORDER, body.clone()).await, 200);
    assert_eq!(again["order_id"], order_id.as_str());
    assert_eq!(again["status"], "failed");
    assert_eq!(event.gateway.orders().len(), 1);
    let refused = |user: &'static str| event.post(user, CREATE_ORDER, body.clone());
    assert_eq!(refused("bo").await.status, 403, "only the leader pays");
    assert_eq!(refused("eve").await.status, 404);
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    assert_eq!(done(refused("ann").await, 409)["code"], "ALREADY_PAID");
}

#[tokio::test]
async fn a_failed_payment_is_reported_and_can_be_repeated() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.gateway.attempt(&order_id, Attempt::Fails).unwrap();
    event.deliver().await;
    let payment = event.payment(&team_id).await;
    assert_eq!(payment.status, PaymentStatus::Failed);
    assert!(payment.failure_reason.is_some());
    let failed = ("ann@example.org".to_owned(), "Your payment failed".to_owned());
    assert!(event.letters().await.contains(&failed));
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    let payment = event.payment(&team_id).await;
    assert_eq!((payment.status, payment.failure_reason), (PaymentStatus::Paid, None));
    let totals = event.totals().await;
    assert_eq!(
        (totals.payments_attempted, totals.payments_failed, totals.payments_paid),
        (1, 1, 1)
    );
}

#[tokio::test]
async fn events_that_nobody_needs_are_accepted() {
    let event = Event::new().await;
    let body = r#"{"event":"settlement.processed","payload":{}}"#;
    let signature = event.gateway.signatures().of_webhook(body.as_bytes());
    let webhook = Webhook { body: body.to_owned(), signature, event_id: id("evt_1") };
    assert_eq!(done(event.webhook(&webhook).await, 200)["result"], "ignored");
    assert_eq!(done(event.webhook(&webhook).await, 200)["result"], "known");
}

#[tokio::test]
async fn a_wrong_signature_or_another_team_settles_nothing() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let (other, _) = event.order("cy", &["di"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let signature = event.gateway.signatures().of_payment(&order_id, &payment.payment_id);
    let body = |signature: &str, team_id: Value| {
        let mut body = json!({
            "razorpay_order_id": order_id, "razorpay_payment_id": payment.payment_id,
            "razorpay_signature": signature,
        });
        if !team_id.is_null() {
            body["team_id"] = team_id;
        }
        body
    };
    let verify = async |user: &str, body| event.post(user, "/hackathon/payment/verify", body).await;
    let wrong = verify("ann", body(&"0".repeat(64), Value::Null)).await;
    assert_eq!(done(wrong, 400)["code"], "INVALID_SIGNATURE");
    assert_eq!(verify("cy", body(&signature, json!(other))).await.status, 404);
    assert_eq!(verify("cy", body(&signature, Value::Null)).await.status, 404);
    assert_eq!(event.team(&team_id).await.payment_status, PaymentStatus::Pending);
    let settled = done(verify("ann", body(&signature, json!(team_id))).await, 200);
    assert_eq!(settled["status"], "paid");
    assert!(settled.get("razorpay_signature").is_none());
    assert_eq!(event.payment(&team_id).await.razorpay_signature, Some(signature));
}

#[tokio::test]
async fn an_authorized_payment_stays_pending_until_its_capture() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::IsAuthorized).unwrap();
    assert_eq!(done(event.verify("ann", &payment).await, 200)["status"], "pending");
    event.deliver().await;
    assert_eq!(event.payment(&team_id).await.attempts.len(), 1);
    event.gateway.succeed_late(&payment.payment_id).unwrap();
    event.deliver().await;
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
}

#[tokio::test]
async fn the_gateway_must_respond_to_settle_a_signed_result() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.gateway.fail_call(0, CallFailure::BeforeEffect);
    let response = event.verify("ann", &payment).await;
    assert_eq!(done(response, 503)["code"], "GATEWAY_UNAVAILABLE");
    assert_eq!(event.team(&team_id).await.payment_status, PaymentStatus::Pending);
    done(event.verify("ann", &payment).await, 200);
}

#[tokio::test]
async fn lost_webhooks_are_made_up_for() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    assert!(!event.webhooks().is_empty(), "they are lost");
    event.work_after(1).await;
    let payment = event.payment(&team_id).await;
    assert_eq!(
        (payment.status, payment.settled_by),
        (PaymentStatus::Paid, Some(SettledBy::Reconcile))
    );
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
}

#[tokio::test]
async fn a_hold_that_ends_frees_everything_it_held() {
    let event = Event::new().await;
    let (team_id, _) = event.order("ann", &["bo"]).await;
    event.work_after(23).await;
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::PendingPayment);
    event.work_after(1).await;
    let team = event.team(&team_id).await;
    assert_eq!((team.registration(), team.hold_until), (RegistrationStatus::Expired, None));
    let totals = event.totals().await;
    assert_eq!((totals.slots_used, totals.expired), (0, 1));
    for guard in ["EMAIL#ann@example.org", "EMAIL#bo@example.org", "UID#ann", "TEAMNAME#team%20ann"]
    {
        assert!(!event.has(guard, "UNIQUE"), "{guard}");
    }
    let body = json!({ "team_id": team_id });
    let refused = event.post("ann", CREATE_ORDER, body).await;
    assert_eq!(done(refused, 409)["code"], "HOLD_EXPIRED");
    let body = json!({ "team_id": team_id });
    assert_eq!(event.post("bo", CREATE_ORDER, body).await.status, 404);
}

/// A hold has ended, and then the money comes: the team is confirmed if its place is still free.
#[tokio::test]
async fn late_money_confirms_a_team_whose_place_is_still_free() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.work_after(25).await;
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    let team = event.team(&team_id).await;
    assert_eq!(
        (team.registration(), team.payment_status),
        (RegistrationStatus::Confirmed, PaymentStatus::Paid)
    );
    assert!(
        event.has("EMAIL#bo@example.org", "UNIQUE") && event.has("TEAMNAME#team%20ann", "UNIQUE")
    );
    let members = event.app.db.members(&team_id).all().await.unwrap();
    let kept_until = crate::world::config().people_kept_until();
    assert!(members.iter().all(|member| member.ttl == Some(kept_until)));
    assert_eq!((event.totals().await.slots_used, event.totals().await.teams_confirmed), (1, 1));
}

/// A hold ends while its leader is on the page of the gateway.
#[tokio::test]
async fn a_leader_brings_the_result_of_a_late_payment() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.work_after(25).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    assert_eq!(event.verify("bo", &payment).await.status, 404);
    assert_eq!(done(event.verify("ann", &payment).await, 200)["status"], "paid");
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
}

#[tokio::test]
async fn a_refund_goes_on_after_the_gateway_was_away() {
    for failure in [CallFailure::BeforeEffect, CallFailure::AfterEffect] {
        let event = Event::new().await;
        let (team_id, _) = event.paid("ann", &["bo"]).await;
        event.gateway.fail_call(0, failure);
        refund(&event, &team_id).await;
        event.work_after(0).await;
        assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Paid, "{failure:?}");
        event.work_after(1).await;
        let payment = event.payment(&team_id).await;
        assert_eq!(payment.status, PaymentStatus::Refunded, "{failure:?}");
        let intent = event.app.db.refund_intent(&payment.payment_id).await.unwrap().unwrap();
        assert_eq!(intent.state, RefundState::Refunded);
        let team = event.team(&team_id).await;
        assert_eq!(
            (team.registration(), team.payment_status),
            (RegistrationStatus::Refunded, PaymentStatus::Refunded)
        );
        assert!(
            event.has("EMAIL#ann@example.org", "UNIQUE"),
            "guards stay until the team is deleted"
        );
        let totals = event.totals().await;
        assert_eq!((totals.refunds, totals.slots_used, totals.teams_confirmed), (1, 0, 0));
        event.deliver().await;
        assert_eq!(event.totals().await.refunds, 1, "the events of the refund count nothing more");
    }
}

/// Decides to return the money of a team, as an administrator does.
pub(crate) async fn refund(event: &Event, team_id: &monotable_codekurukshetra::table::TeamId) {
    let path = format!("/hackathon/admin/refund/{team_id}");
    let response = event.post("admin", &path, json!({ "reason": "They can't come." })).await;
    assert!(response.is_success(), "{}", response.text);
}

/// The event of a refund comes before that of the capture.
#[tokio::test]
async fn a_refund_that_is_reported_first_ends_in_the_same_state() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let captures = event.webhooks();
    let price = payment.price.clone();
    let wanted = monotable_kit::payment_gateway::NewRefund {
        payment_id: payment.payment_id,
        price,
        key: "by-the-dashboard".to_owned(),
    };
    event.gateway.refund(&wanted).await.unwrap();
    for response in event.deliver().await {
        done(response, 200);
    }
    for capture in &captures {
        done(event.webhook(capture).await, 200);
    }
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Refunded);
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Refunded);
    let totals = event.totals().await;
    assert_eq!(
        (totals.revenue_minor, totals.refunded_minor, totals.slots_used),
        (99_900, 99_900, 0)
    );
}
