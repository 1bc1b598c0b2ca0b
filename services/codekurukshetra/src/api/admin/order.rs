//! `GET /hackathon/admin/orders/{orderId}`: finds the payment of an order of the gateway.

use monotable_kit::paths;

use super::payments::PaymentView;
use crate::api::prelude::*;

paths! {
    /// The order that a path names.
    OrderPath { order_id: OrderId }
}

/// Returns the payment of an order of the gateway.
#[operation(GET "/hackathon/admin/orders/{orderId}", refuses(Forbidden, NotFound))]
pub(crate) async fn get_order(app: &App, call: &Call<OrderPath>) -> Answer<Json<PaymentView>> {
    policy::administer(call)?;
    let order = app.db.order(&call.path.order_id).await?.ok_or(Refusal::NotFound)?;
    let payment = app.db.payment(&order.payment_id).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(PaymentView::of(&payment)).into())
}
