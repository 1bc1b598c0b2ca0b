//! `POST /gateway/orders/{orderId}/payments`: a person pays at the simulated gateway.

use super::simulated::{OrderPath, order, simulator};
use crate::api::prelude::*;
use crate::jobs::webhooks;
use monotable_kit::payment_gateway::Attempt as Outcome;

/// What the bank does.
#[derive(Debug, Body)]
pub(crate) struct NewAttempt {
    outcome: Outcome,
}

/// The result of an attempt.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct AttemptView {
    /// The payment of the gateway.
    #[view(name = "gatewayPaymentId")]
    gateway_payment_id: GatewayPaymentId,
}

/// Pays an order at the simulated gateway.
#[operation(
    POST "/gateway/orders/{orderId}/payments", public,
    refuses(NotFound, AlreadyPaid)
)]
async fn pay_simulated_order(
    app: &App,
    call: &Call<OrderPath, NewAttempt>,
) -> Answer<Created<AttemptView>> {
    let simulator = simulator(app)?;
    let order_id = &call.path.order_id;
    order(simulator, order_id)?;
    let payment = simulator.attempt(order_id, call.body.outcome);
    let payment = payment.map_err(|_| Refusal::AlreadyPaid)?;
    // What can't be delivered now is delivered by the background work.
    let _ = webhooks::deliver(app).await;
    Ok(Created(AttemptView { gateway_payment_id: payment.payment_id }).into())
}
