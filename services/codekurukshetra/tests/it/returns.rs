//! Money that goes back, and what goes wrong with it.

use monotable_codekurukshetra::gateway::{
    Attempt, CallFailure, Forgery, Gateway as _, NewOrder, Webhook,
};
use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, OrderLookup, PaymentStatus, RefundState, RegistrationStatus, Stamps,
};
use serde_json::{Value, json};

use crate::payments::refund;
use crate::world::{Event, done, id};

/// Returns the texts of the alerts.
async fn alerts(event: &Event) -> Vec<String> {
    let page = done(event.get("admin", "/hackathon/admin/alerts").await, 200);
    let alerts = page["alerts"].as_array().unwrap().iter();
    alerts.map(|alert| format!("{} {}", alert["kind"], alert["text"])).collect()
}

/// Banks may refuse a refund that the gateway has accepted days before.
#[tokio::test]
async fn a_refund_that_fails_after_it_was_accepted_is_an_alert() {
    let event = Event::new().await;
    let (team_id, paid) = event.paid("ann", &["bo"]).await;
    refund(&event, &team_id).await;
    event.work_after(0).await;
    let payment = event.payment(&team_id).await;
    assert_eq!(payment.status, PaymentStatus::Refunded);
    event.webhooks();
    let entity = |amount: u64| {
        json!({
            "event": "refund.failed",
            "payload": {
                "refund": { "entity": {
                    "id": payment.refund_id, "payment_id": paid.payment_id, "amount": amount, "currency": "INR",
                    "status": "failed",
                } },
                "payment": { "entity": {
                    "id": paid.payment_id, "order_id": paid.order_id, "amount": 99_900, "currency": "INR",
                    "status": "refunded",
                } },
            },
        })
    };
    let body = entity(99_900).to_string();
    let signature = event.gateway.signatures().of_webhook(body.as_bytes());
    let webhook = Webhook { body, signature, event_id: id("evt_failed") };
    for _ in 0..2 {
        done(event.webhook(&webhook).await, 200);
    }
    let alerts = alerts(&event).await;
    assert_eq!(alerts.len(), 1, "{alerts:?}");
    assert!(alerts[0].contains(payment.payment_id.as_str()), "{alerts:?}");
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Refunded, "it never goes back");
}

/// Money that came twice, and that the gateway does not return at once.
#[tokio::test]
async fn money_that_came_twice_can_be_returned_after_the_gateway_has_refused() {
    let event = Event::new().await;
    let (team_id, first) = event.order("ann", &["bo"]).await;
    let payment = event.payment(&team_id).await;
    let price = event.gateway.order(&first).await.unwrap().order.price;
    let order = NewOrder { price, receipt: team_id.to_string() };
    let second = event.gateway.create_order(&order).await.unwrap().order_id;
    let (payment_id, stamps) = (payment.payment_id, Stamps::default());
    let lookup =
        OrderLookup { order_id: second.clone(), payment_id, team_id: team_id.clone(), stamps };
    event.app.db.create(&lookup).await.unwrap();
    event.gateway.attempt(&first, Attempt::Succeeds).unwrap();
    let twice = event.gateway.attempt(&second, Attempt::Succeeds).unwrap();
    event.deliver().await;
    event.gateway.fail_call(0, CallFailure::Refusal);
    event.work_after(0).await;
    let surplus_id = id(twice.payment_id.as_str());
    let intent = event.app.db.refund_intent(&surplus_id).await.unwrap().unwrap();
    assert_eq!(intent.state, RefundState::Refused);
    let page = event.get("admin", &format!("/organise/teams/{team_id}")).await;
    assert!(page.text.contains("Ask the gateway again"), "{}", page.text);
    let path = format!("/hackathon/admin/refund/{team_id}");
    let body = json!({ "reason": "It came twice.", "paymentId": surplus_id });
    let other = event.register("zoe", "Others", &["yve"]).await;
    let wrong = format!("/hackathon/admin/refund/{}", other["team_id"].as_str().unwrap());
    done(event.post("admin", &wrong, body.clone()).await, 404);
    let view = done(event.post("admin", &path, body).await, 200);
    assert_eq!(view["paymentId"], surplus_id.as_str());
    event.work_after(0).await;
    let surplus = event.app.db.payment(&surplus_id).await.unwrap().unwrap();
    assert_eq!((surplus.status, surplus.needs_refund), (PaymentStatus::Refunded, Some(false)));
    let team = event.team(&team_id).await;
    assert_eq!(
        (team.registration(), team.payment_status),
        (RegistrationStatus::Confirmed, PaymentStatus::Paid)
    );
}

/// Bo is erased, and the team that he stays in as nobody is confirmed after its hold has ended.
#[tokio::test]
async fn erased_members_get_no_guard_and_no_e_mail() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let bo = event.team(&team_id).await.member_ids[1].clone();
    done(event.delete("bo", &format!("/hackathon/participant/{bo}")).await, 204);
    event.work_after(25).await;
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
    let letters = event.letters().await;
    assert!(letters.iter().all(|(recipient, _)| !recipient.starts_with("erased")), "{letters:?}");
    let audit = done(event.post("admin", "/hackathon/admin/check", json!({})).await, 200);
    assert_eq!(audit["findings"], Value::Array(Vec::new()));
}

/// The gateway has charged something else than the team owes, which nobody must overlook.
#[tokio::test]
async fn a_charge_of_another_amount_is_refused_with_an_alert() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let webhooks = event.webhooks();
    let captured = webhooks.iter().find(|it| it.body.contains("payment.captured")).unwrap();
    let other = event.gateway.forged(captured, Forgery::SignedAmount).unwrap();
    assert_eq!(done(event.webhook(&other).await, 409)["code"], "AMOUNT_MISMATCH");
    assert_eq!(done(event.webhook(&other).await, 200)["result"], "known");
    let alerts = alerts(&event).await;
    assert_eq!(alerts.len(), 1, "{alerts:?}");
    assert!(alerts[0].contains("other_amount"), "{alerts:?}");
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Pending);
}
