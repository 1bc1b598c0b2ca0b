//! `POST /hackathon/payment/verify`: the browser comes back from the gateway with a signed result.

use monotable_kit::repeat;

use super::PaymentView;
use crate::api::admin::counts;
use crate::api::prelude::*;
use crate::money::capture::{Captured, Proof, second_id};
use crate::money::unavailable;
use monotable_kit::payment_gateway::{GatewayPayment, GatewayPaymentStatus};

/// The result of a payment, signed by the gateway.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct SignedResult {
    razorpay_order_id: OrderId,
    razorpay_payment_id: GatewayPaymentId,
    #[body(length = 1..=128)]
    razorpay_signature: String,
    /// The team, if the client names it: it must be that of the order.
    team_id: Option<TeamId>,
}

/// Settles a payment by the result that the gateway has signed. A payment that the bank has only agreed to stays pending
/// until the gateway reports its capture.
#[operation(
    POST "/hackathon/payment/verify", no_repeat,
    refuses(crate::refusal::VERIFYING, Forbidden)
)]
pub(crate) async fn verify_payment(
    app: &App,
    call: &Call<(), SignedResult>,
) -> Answer<Json<PaymentView>> {
    let SignedResult { razorpay_order_id, razorpay_payment_id, razorpay_signature, team_id } =
        &call.body;
    let lookup =
        signed_order(app, razorpay_order_id, razorpay_payment_id, razorpay_signature).await?;
    Refusal::NotFound.unless(team_id.as_ref().is_none_or(|team_id| *team_id == lookup.team_id))?;
    policy::team(app, call, &lookup.team_id, Action::Pay).await?;
    let payment = settle_signed(app, &lookup, razorpay_payment_id, razorpay_signature).await?;
    Ok(Json(PaymentView::of(&payment)).into())
}

/// Returns the order of a result that the gateway has signed.
///
/// # Errors
/// Returns 400 if it has not, or 404 if there is no such order.
pub(crate) async fn signed_order(
    app: &App,
    order_id: &OrderId,
    payment_id: &GatewayPaymentId,
    signature: &str,
) -> Result<OrderLookup, Problem> {
    let signatures = app.cashier.gateway.signatures();
    let is_signed = signatures.is_of_payment(signature, order_id, payment_id);
    Refusal::InvalidSignature.unless(is_signed)?;
    Ok(app.db.order(order_id).await?.ok_or(Refusal::NotFound)?)
}

/// Settles a payment whose result the gateway has signed, and returns it.
///
/// # Errors
/// Returns 402 if it failed, or 503 if the gateway does not respond.
pub(crate) async fn settle_signed(
    app: &App,
    lookup: &OrderLookup,
    payment_id: &GatewayPaymentId,
    signature: &str,
) -> Result<Payment, Problem> {
    let attempt = attempt_of(app, &lookup.order_id, payment_id).await?;
    let proof = Proof { settled_by: SettledBy::Verify, signature: Some(signature) };
    match attempt.status {
        GatewayPaymentStatus::Captured | GatewayPaymentStatus::Refunded => {
            match repeat(|| app.cashier.settle(&attempt, proof)).await? {
                Captured::OtherAmount => return Err(Refusal::AmountMismatch.into()),
                Captured::UnknownOrder => return Err(Refusal::NotFound.into()),
                _ => counts::announce(app).await,
            }
        }
        GatewayPaymentStatus::Failed => return Err(Refusal::PaymentFailed.into()),
        GatewayPaymentStatus::Created | GatewayPaymentStatus::Authorized => {}
    }
    settled(app, lookup, payment_id).await
}

/// Returns what the gateway knows of an attempt to pay an order.
async fn attempt_of(
    app: &App,
    order_id: &OrderId,
    payment_id: &GatewayPaymentId,
) -> Result<GatewayPayment, Problem> {
    let state = app.cashier.gateway.order(order_id).await.map_err(unavailable)?;
    let attempt = state.payments.into_iter().find(|one| one.payment_id == *payment_id);
    attempt.ok_or_else(|| Refusal::NotFound.into())
}

/// Returns the payment that an attempt has become: that of the team, or one that came second.
async fn settled(
    app: &App,
    lookup: &OrderLookup,
    payment_id: &GatewayPaymentId,
) -> Result<Payment, Problem> {
    let second = app.db.payment(&second_id(payment_id)?).await?;
    let payment = match second {
        Some(second) => Some(second),
        None => app.db.payment(&lookup.payment_id).await?,
    };
    payment.ok_or_else(|| Refusal::NotFound.into())
}
