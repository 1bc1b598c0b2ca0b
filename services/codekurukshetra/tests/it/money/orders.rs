//! Orders of the gateway and refunds: a team has one of each, whatever the gateway answers and whoever asks.

use monotable_kit::payment_gateway::CallFailure;
use monotable_testkit::service::oracle;
use serde_json::{Value, json};

use crate::world::{Event, done};

#[tokio::test]
async fn an_order_that_the_gateway_refuses_once_is_not_replaced() {
    let event = Event::new().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    event.gateway.fail_call(0, CallFailure::Refusal);
    let body = json!({ "team_id": team_id });
    let order = event.post("ann", "/hackathon/payment/create-order", body).await;
    assert_eq!(done(order, 200)["order_id"], json!(order_id));
    assert_eq!(event.gateway.orders().len(), 1, "nobody can pay twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_team_is_refunded_once_by_many_at_once() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let route = format!("POST /hackathon/admin/refund/{team_id}");
    let refund = ("admin".into(), route.as_str(), json!({ "reason": "The team has withdrawn." }));
    assert_eq!(oracle::all_at_once(&event.world, 8, &[refund]).await, [1]);
}

/// Each call to a gateway that is away takes its time.
#[tokio::test]
async fn a_gateway_that_is_away_is_asked_a_few_times_in_a_round() {
    let event = Event::new().await;
    for number in 0..12 {
        event.order(&format!("ann{number}"), &[&format!("al{number}")]).await;
    }
    // More calls than there are teams fail.
    let down = |calls: usize| {
        event.gateway.answer_calls();
        (0..calls).for_each(|call| event.gateway.fail_call(call, CallFailure::BeforeEffect));
    };
    down(100);
    event.clock.advance_ms(11 * 60 * 1_000);
    let report = event.post("admin", "/hackathon/admin/reconcile", Value::Null).await;
    assert_eq!(done(report, 200)["looked_up"], 3);
    assert!(event.gateway.calls_to_fail() >= 95, "{} are left", event.gateway.calls_to_fail());
    down(100);
    event.work_after(24).await;
    assert!(event.gateway.calls_to_fail() >= 90, "{} are left", event.gateway.calls_to_fail());
    assert_eq!(event.totals().await.expired, 12, "places become free all the same");
}
