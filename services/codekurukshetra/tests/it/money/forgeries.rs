//! Webhooks that the gateway did not send, or that do not fit: they change nothing.

use monotable_kit::payment_gateway::{Attempt, Forgery, Gateway as _, GatewayPaymentStatus};
use serde_json::json;

use super::{check, check_quiet, finish};
use crate::world::{Event, done};

/// Returns all rows but alerts, which say that something odd has come.
fn rows(event: &Event) -> Vec<String> {
    let mut rows = event.stored();
    rows.retain(|row| !row.contains("ALERT#") && !row.contains("WEBHOOK#"));
    rows
}

/// Returns the status for a webhook; `None` if it is as good as the real one, because nothing is paid by it.
fn expected(forgery: Forgery, is_paid: bool) -> Option<u16> {
    match forgery {
        Forgery::AlteredAmount
        | Forgery::AlteredOrder
        | Forgery::AlteredBody
        | Forgery::OtherSecret
        | Forgery::NoSignature => Some(401),
        Forgery::SignedAmount | Forgery::SignedCurrency => is_paid.then_some(409),
        Forgery::SignedOrder => Some(200),
    }
}

#[tokio::test]
async fn ck_d13_an_altered_webhook_changes_nothing() {
    let event = Event::new().await;
    let (_, order_id) = event.order("ann", &["bo"]).await;
    event.gateway.attempt(&order_id, Attempt::Fails).unwrap();
    event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    let webhooks = event.webhooks();
    let before = rows(&event);
    for webhook in &webhooks {
        let is_paid = webhook.body.contains("\"captured\"");
        for forgery in Forgery::ALL {
            let Some(expected) = expected(forgery, is_paid) else { continue };
            let forged = event.gateway.forged(webhook, forgery).unwrap();
            let response = event.webhook(&forged).await;
            assert_eq!(response.status, expected, "{forgery:?}: {}", response.text);
            assert!(
                rows(&event) == before,
                "{forgery:?} of {} has changed something",
                webhook.body
            );
        }
    }
    for webhook in &webhooks {
        done(event.webhook(webhook).await, 200);
    }
    finish(&event, "after the real ones").await;
    check_quiet(&event, "after the real ones").await;
}

#[tokio::test]
async fn ck_d13_a_result_that_the_gateway_did_not_sign_changes_nothing() {
    let event = Event::new().await;
    let (ann, ann_order) = event.order("ann", &["bo"]).await;
    let (_, eve_order) = event.order("eve", &["fay"]).await;
    let failed = event.gateway.attempt(&ann_order, Attempt::Fails).unwrap();
    let paid = event.gateway.attempt(&eve_order, Attempt::Succeeds).unwrap();
    event.webhooks();
    let signatures = event.gateway.signatures();
    let before = rows(&event);
    let signed = signatures.of_payment(&eve_order, &paid.payment_id);
    for (user, order, payment, signature, expected) in [
        ("ann", &ann_order, &paid.payment_id, signed.as_str(), 400),
        ("ann", &ann_order, &failed.payment_id, "00", 400),
        ("ann", &ann_order, &failed.payment_id, "", 400),
        // The signature is right, but it is another team's.
        ("ann", &eve_order, &paid.payment_id, signed.as_str(), 404),
    ] {
        let body = json!({
            "razorpay_order_id": order, "razorpay_payment_id": payment, "razorpay_signature": signature,
        });
        let response = event.post(user, "/hackathon/payment/verify", body).await;
        assert_eq!(response.status, expected, "{}", response.text);
        assert!(rows(&event) == before, "{signature} has changed something");
    }
    let own = json!({
        "razorpay_order_id": eve_order, "razorpay_payment_id": paid.payment_id,
        "razorpay_signature": signed, "team_id": ann,
    });
    assert_eq!(event.post("eve", "/hackathon/payment/verify", own).await.status, 404);
    assert!(rows(&event) == before, "an order of another team has changed something");
    let declined = event.verify("ann", &failed).await;
    assert_eq!(done(declined, 402)["code"], "PAYMENT_FAILED");
    done(event.verify("eve", &paid).await, 200);
    check(&event, "after the real one").await;
    assert_eq!(event.gateway.orders()[1].payments[0].status, GatewayPaymentStatus::Captured);
}
