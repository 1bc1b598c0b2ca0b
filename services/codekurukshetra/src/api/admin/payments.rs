//! `GET /hackathon/admin/payments`: lists payments: all, those of a team, with a status or of a day.

use crate::api::prelude::*;

/// The payments that are listed: all, or those by one of the three.
#[derive(Body, Debug)]
#[body(case = "snake", paged)]
pub(crate) struct PaymentQuery {
    /// Payments of this team.
    team_id: Option<TeamId>,
    /// Payments with this status.
    status: Option<PaymentStatus>,
    /// Payments that were begun on this day of the event's time zone.
    day: Option<Date>,
}

/// A payment, as organisers see it.
#[derive(View)]
#[view(of = Payment, case = "snake", list = "payments")]
pub(crate) struct PaymentView {
    #[view(name = "paymentId", from = payment_id.clone())]
    own_payment_id: PaymentId,
    #[view(name = "gatewayPaymentId", from = razorpay_payment_id.clone())]
    gateway_payment_id: Option<GatewayPaymentId>,
    razorpay_order_id: Option<OrderId>,
    team_id: TeamId,
    status: PaymentStatus,
    /// The day on which it was begun.
    day: Option<Date>,
    /// In the smallest unit of the currency.
    #[view(example = 99_900)]
    amount: u64,
    #[view(example = "INR")]
    currency: String,
    #[view(example = "upi")]
    payment_method: Option<String>,
    webhook_verified: bool,
    settled_by: Option<SettledBy>,
    #[view(from = attempts.len())]
    attempts: usize,
    paid_at: Option<Timestamp>,
    refunded_at: Option<Timestamp>,
    refund_id: Option<RefundId>,
    needs_refund: Option<bool>,
    failure_reason: Option<String>,
    #[view(stamps)]
    stamps: Stamps,
}

/// Lists payments: all, or those of a team, with a status or of a day.
#[operation(GET "/hackathon/admin/payments", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn list_payments(
    app: &App,
    call: &Call<(), (), PaymentQuery>,
) -> Answer<Page<PaymentView>> {
    policy::administer(call)?;
    let payments = match (&call.query.team_id, call.query.status, call.query.day) {
        (Some(team_id), None, None) => app.db.payments_of(team_id),
        (None, Some(status), None) => app.db.payments_by_status(status),
        (None, None, Some(day)) => app.db.payments_on(day),
        (None, None, None) => app.db.every_payment(),
        _ => return Err(Problem::field("query", "must not have two of team_id, status and day")),
    };
    Ok(Page::of(call.page().of(payments).await?, PaymentView::of).into())
}
