//! `POST /hackathon/payment/create-order`: the order of the gateway that a team pays.

use monotable_kit::repeat;

use super::PaymentView;
use crate::api::prelude::*;
use crate::refusal;

/// The team that wants to pay.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct CreateOrder {
    team_id: TeamId,
}

/// The order that is to be paid.
#[derive(View)]
pub(crate) struct OrderView {
    #[view(flatten)]
    payment: PaymentView,
    /// Until when the place is held for the payment.
    #[view(name = "hold_until")]
    hold_until: Option<Timestamp>,
}

/// Returns the order of the gateway that a team pays. It stays the same through all attempts, and is replaced only if the
/// gateway does not accept it any more.
#[operation(
    POST "/hackathon/payment/create-order", no_repeat,
    refuses(refusal::PAYING, GatewayUnavailable, NotConfigured)
)]
pub(crate) async fn create_order(
    app: &App,
    call: &Call<(), CreateOrder>,
) -> Answer<Json<OrderView>> {
    let team_id = &call.body.team_id;
    policy::team(app, call, team_id, Action::Pay).await?;
    let (team, payment) = repeat(|| app.cashier.open_order(team_id)).await?;
    let payment = PaymentView::of(&payment);
    Ok(Json(OrderView { payment, hold_until: team.held_until() }).into())
}
