//! The simulator behaves as documented.

use super::*;
use crate::payment_gateway::{Gateway as _, NewOrder, NewRefund, Price, RefundStatus, read_event};

fn new_order() -> NewOrder {
    let price = Price { amount_minor: 99_900, currency: "INR".to_owned() };
    NewOrder { price, receipt: "team".to_owned() }
}

async fn created(simulator: &Simulator) -> OrderId {
    simulator.create_order(&new_order()).await.unwrap().order_id
}

async fn status(simulator: &Simulator, order_id: &OrderId) -> OrderStatus {
    simulator.order(order_id).await.unwrap().order.status
}

fn refund_of(payment: &GatewayPayment) -> NewRefund {
    NewRefund {
        payment_id: payment.payment_id.clone(),
        price: payment.price.clone(),
        key: payment.payment_id.to_string(),
    }
}

/// Takes all webhooks, checks their signatures, and returns the events.
fn events(simulator: &Simulator) -> Vec<GatewayEvent> {
    let mut events = Vec::new();
    while let Some(webhook) = simulator.take_webhook(0) {
        let body = webhook.body.as_bytes();
        assert!(simulator.signatures().is_of_webhook(&webhook.signature, body));
        events.push(read_event(body).unwrap());
    }
    events
}

#[tokio::test]
async fn an_order_is_created_attempted_and_paid_once() {
    let simulator = Simulator::new([1; 32]);
    let order_id = created(&simulator).await;
    assert_eq!(status(&simulator, &order_id).await, OrderStatus::Created);
    let failed = simulator.attempt(&order_id, Attempt::Fails).unwrap();
    assert_eq!(status(&simulator, &order_id).await, OrderStatus::Attempted);
    let paid = simulator.attempt(&order_id, Attempt::Succeeds).unwrap();
    assert_eq!(status(&simulator, &order_id).await, OrderStatus::Paid);
    for attempt in [Attempt::Succeeds, Attempt::Fails, Attempt::IsAuthorized] {
        simulator.attempt(&order_id, attempt).unwrap_err();
    }
    simulator.succeed_late(&failed.payment_id).unwrap_err();
    assert_eq!(simulator.order(&order_id).await.unwrap().payments, [failed.clone(), paid.clone()]);
    let authorized = GatewayPayment { status: GatewayPaymentStatus::Authorized, ..paid.clone() };
    assert_eq!(
        events(&simulator),
        [
            GatewayEvent::Failed(failed),
            GatewayEvent::Authorized(authorized),
            GatewayEvent::Captured(paid.clone()),
            GatewayEvent::OrderPaid(paid),
        ]
    );
}

#[tokio::test]
async fn a_payment_can_succeed_late() {
    let simulator = Simulator::new([1; 32]);
    for attempt in [Attempt::Fails, Attempt::IsAuthorized] {
        let order_id = created(&simulator).await;
        let payment = simulator.attempt(&order_id, attempt).unwrap();
        assert_eq!(status(&simulator, &order_id).await, OrderStatus::Attempted);
        let payment = simulator.succeed_late(&payment.payment_id).unwrap();
        assert_eq!(payment.status, GatewayPaymentStatus::Captured);
        assert_eq!(status(&simulator, &order_id).await, OrderStatus::Paid);
    }
}

#[tokio::test]
async fn a_refund_is_made_once_for_each_key_and_each_payment() {
    let simulator = Simulator::new([1; 32]);
    let order_id = created(&simulator).await;
    let payment = simulator.attempt(&order_id, Attempt::Succeeds).unwrap();
    let refund = refund_of(&payment);
    for wrong in ["short", "with a space in it"] {
        simulator.refund(&NewRefund { key: wrong.to_owned(), ..refund.clone() }).await.unwrap_err();
    }
    let made = simulator.refund(&refund).await.unwrap();
    assert_eq!(simulator.refund(&refund).await.unwrap(), made);
    let less = Price { amount_minor: 1, currency: "INR".to_owned() };
    simulator.refund(&NewRefund { price: less, ..refund.clone() }).await.unwrap_err();
    simulator.refund(&NewRefund { key: "another-key".to_owned(), ..refund }).await.unwrap_err();
    assert_eq!(status(&simulator, &order_id).await, OrderStatus::Paid);
    simulator.attempt(&order_id, Attempt::Succeeds).unwrap_err();
    let refunds: Vec<RefundStatus> = events(&simulator)
        .into_iter()
        .filter_map(|event| match event {
            GatewayEvent::Refund(refund, _) => Some(refund.status),
            _ => None,
        })
        .collect();
    assert_eq!(refunds, [RefundStatus::Pending, RefundStatus::Processed]);
}

#[tokio::test]
async fn a_declined_refund_stays_declined_under_its_key() {
    let simulator = Simulator::new([1; 32]);
    let order_id = created(&simulator).await;
    let payment = simulator.attempt(&order_id, Attempt::Succeeds).unwrap();
    let refund = refund_of(&payment);
    simulator.decline_refund();
    for _ in 0..2 {
        assert_eq!(simulator.refund(&refund).await.unwrap().status, RefundStatus::Failed);
    }
    let again = NewRefund { key: "another-key".to_owned(), ..refund };
    assert_eq!(simulator.refund(&again).await.unwrap().status, RefundStatus::Processed);
    let state = simulator.order(&order_id).await.unwrap();
    assert_eq!(state.payments[0].status, GatewayPaymentStatus::Refunded);
}

#[tokio::test]
async fn a_call_fails_before_or_after_its_effect() {
    let simulator = Simulator::new([1; 32]);
    simulator.fail_call(0, CallFailure::BeforeEffect);
    simulator.fail_call(2, CallFailure::AfterEffect);
    let order = new_order();
    let error = simulator.create_order(&order).await.unwrap_err();
    assert!(!matches!(error, GatewayError::Unknown(_)));
    assert_eq!(simulator.orders().len(), 0);
    simulator.create_order(&order).await.unwrap();
    let error = simulator.create_order(&order).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unknown(_)));
    assert_eq!(simulator.orders_of_receipt("team").await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_webhook_keeps_its_event_id_and_a_forged_one_its_fault() {
    let simulator = Simulator::new([1; 32]);
    let order_id = created(&simulator).await;
    simulator.attempt(&order_id, Attempt::Succeeds).unwrap();
    let webhook = simulator.take_webhook(1).unwrap();
    simulator.return_webhook(webhook.clone());
    assert_eq!(simulator.waiting_webhooks(), 3);
    assert_eq!(simulator.take_webhook(2), Some(webhook.clone()));
    assert_eq!(simulator.take_webhook(2), None);
    let genuine = read_event(webhook.body.as_bytes()).unwrap();
    for forgery in Forgery::ALL {
        let forged = simulator.forged(&webhook, forgery).unwrap();
        let is_signed =
            simulator.signatures().is_of_webhook(&forged.signature, forged.body.as_bytes());
        let says_the_same = read_event(forged.body.as_bytes()).unwrap() == genuine;
        assert!(!(is_signed && says_the_same), "{forgery:?}");
        let reports = matches!(
            forgery,
            Forgery::SignedAmount | Forgery::SignedCurrency | Forgery::SignedOrder
        );
        assert_eq!(is_signed, reports, "{forgery:?}");
    }
}

#[tokio::test]
async fn the_same_seed_gives_the_same_ids_and_another_one_others() {
    let run = async |seed| {
        let simulator = Simulator::new([seed; 32]);
        let order_id = created(&simulator).await;
        simulator.attempt(&order_id, Attempt::Succeeds).unwrap();
        (simulator.orders(), simulator.take_webhook(0))
    };
    assert_eq!(run(1).await, run(1).await);
    assert_ne!(run(1).await, run(2).await);
}

#[tokio::test]
async fn a_copy_goes_its_own_way() {
    let simulator = Simulator::new([1; 32]);
    let order_id = created(&simulator).await;
    let copy = simulator.copy();
    copy.attempt(&order_id, Attempt::Succeeds).unwrap();
    assert_eq!(status(&copy, &order_id).await, OrderStatus::Paid);
    assert_eq!(status(&simulator, &order_id).await, OrderStatus::Created);
}
