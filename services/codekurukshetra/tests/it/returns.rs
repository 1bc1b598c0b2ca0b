//! Money that goes back, and what goes wrong with it.

use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, OrderLookup, PaymentStatus, RefundState, RegistrationStatus, Stamps,
};
use monotable_kit::payment_gateway::{
    Attempt, CallFailure, Forgery, Gateway as _, GatewayPayment, NewOrder, NewRefund, Webhook,
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
    assert!(page.text.contains("Ask the gateway"), "{}", page.text);
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

/// The same without an event: the browser brings the result, or the order is looked up. One alert is enough.
#[tokio::test]
async fn another_amount_that_is_looked_up_is_an_alert_once() {
    for by_browser in [false, true] {
        let event = Event::new().await;
        let (team_id, order_id) = event.order("ann", &["bo"]).await;
        let owed = event.payment(&team_id).await;
        event.app.db.edit(owed, |payment| payment.amount = 50_000).await.unwrap();
        let paid = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
        event.webhooks();
        if by_browser {
            let refused = event.verify("ann", &paid).await;
            assert_eq!(refused.outcome(), "409 AMOUNT_MISMATCH");
        }
        for _ in 0..3 {
            event.clock.advance_ms(15 * 60 * 1_000);
            event.app.work().await.unwrap();
        }
        let alerts = alerts(&event).await;
        assert_eq!(alerts.len(), 1, "{alerts:?}");
        assert!(alerts[0].contains("other_amount"), "{alerts:?}");
        assert!(alerts[0].contains(paid.payment_id.as_str()), "{alerts:?}");
        assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Pending);
    }
}

/// Returns a payment without the service, as an organiser does on the gateway's own pages.
async fn return_at_the_gateway(event: &Event, payment: &GatewayPayment) {
    let (payment_id, price) = (payment.payment_id.clone(), payment.price.clone());
    let refund = NewRefund { payment_id, price, key: "by-the-dashboard".to_owned() };
    event.gateway.refund(&refund).await.unwrap();
}

/// Every event was lost, and the browser of the leader comes back late.
#[tokio::test]
async fn a_result_that_comes_after_the_refund_confirms_nobody() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    return_at_the_gateway(&event, &payment).await;
    event.webhooks();
    for _ in 0..2 {
        let result = done(event.verify("ann", &payment).await, 200);
        assert_eq!(result["status"], "refunded");
    }
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Refunded);
    let totals = event.totals().await;
    assert_eq!((totals.revenue_minor, totals.refunded_minor), (99_900, 99_900));
    assert_eq!((totals.slots_used, totals.teams_confirmed), (0, 0));
}

/// A refund of a payment that has another amount than the team owes: the gateway would send its event for a day.
#[tokio::test]
async fn a_refund_of_another_charge_is_refused_once_with_an_alert() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let owed = event.payment(&team_id).await;
    event.app.db.edit(owed, |payment| payment.amount = 50_000).await.unwrap();
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.webhooks();
    return_at_the_gateway(&event, &payment).await;
    let webhooks = event.webhooks();
    let refunded = webhooks.iter().find(|it| it.body.contains("refund.processed")).unwrap();
    assert_eq!(done(event.webhook(refunded).await, 409)["code"], "AMOUNT_MISMATCH");
    assert_eq!(done(event.webhook(refunded).await, 200)["result"], "known");
    let alerts = alerts(&event).await;
    assert_eq!(alerts.len(), 1, "{alerts:?}");
    assert!(alerts[0].contains("other_amount"), "{alerts:?}");
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Pending);
}

/// The gateway remembers a declined refund by its key, so that another try has another key.
#[tokio::test]
async fn a_refund_that_the_bank_has_declined_can_be_asked_for_again() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    event.gateway.decline_refund();
    refund(&event, &team_id).await;
    event.work_after(0).await;
    // That the gateway has begun a refund does not mean that it has made it.
    let events_of_the_first = event.webhooks();
    for webhook in &events_of_the_first {
        done(event.webhook(webhook).await, 200);
    }
    let payment = event.payment(&team_id).await;
    assert_eq!(payment.status, PaymentStatus::Paid);
    let state = |event: &Event| {
        let (db, payment_id) = (event.app.db.clone(), payment.payment_id.clone());
        async move { db.refund_intent(&payment_id).await.unwrap().unwrap().state }
    };
    assert_eq!(state(&event).await, RefundState::Refused);
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
    let alerts_before = alerts(&event).await;
    assert_eq!(alerts_before.len(), 1, "{alerts_before:?}");

    refund(&event, &team_id).await;
    event.work_after(0).await;
    event.deliver().await;
    // The events of the first refund come again under other ids.
    for (number, webhook) in events_of_the_first.into_iter().enumerate() {
        let event_id = id(&format!("evt_again{number}"));
        done(event.webhook(&Webhook { event_id, ..webhook }).await, 200);
    }
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Refunded);
    assert_eq!(state(&event).await, RefundState::Refunded);
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Refunded);
    assert_eq!(alerts(&event).await, alerts_before);
    assert_eq!(event.totals().await.refunded_minor, 99_900);
}

/// Programs before this one may have marked a payment as paid by hand.
#[tokio::test]
async fn a_payment_that_the_gateway_does_not_know_is_left_to_the_organisers() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let payment = event.payment(&team_id).await;
    event.app.db.edit(payment, |payment| payment.razorpay_payment_id = None).await.unwrap();
    refund(&event, &team_id).await;
    event.work_after(0).await;
    let alerts = alerts(&event).await;
    assert_eq!(alerts.len(), 1, "{alerts:?}");
    assert!(alerts[0].contains("refund_refused"), "{alerts:?}");
    assert!(
        event.app.db.job_tickets().all().await.unwrap().is_empty(),
        "nothing is tried for ever"
    );
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Paid);
}

/// The gateway has returned a payment, or charged another one, and each of its events was lost.
#[tokio::test]
async fn what_happens_to_paid_orders_is_found_every_night() {
    let event = Event::new().await;
    let (team_id, payment) = event.paid("ann", &["bo"]).await;
    return_at_the_gateway(&event, &payment).await;
    event.webhooks();
    event.work_after(1).await;
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Paid);
    event.app.sweep().await.unwrap();
    assert_eq!(event.payment(&team_id).await.status, PaymentStatus::Refunded);
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Refunded);
    // What agrees is left alone.
    let (other, _) = event.paid("eve", &["fay"]).await;
    let before = event.payment(&other).await;
    event.work_after(1).await;
    event.app.sweep().await.unwrap();
    assert_eq!(event.payment(&other).await, before);
    assert_eq!(alerts(&event).await, [""; 0]);
}
