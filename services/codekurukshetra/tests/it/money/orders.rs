//! Orders of the gateway and refunds: a team has one of each, whatever the gateway answers and whoever asks.

use monotable_codekurukshetra::gateway::CallFailure;
use monotable_testkit::service::oracle;
use serde_json::json;

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
