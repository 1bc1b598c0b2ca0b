//! Paying the fee of a team.

pub(crate) mod create_order;
pub(crate) mod verify;
pub(crate) mod webhook;

use crate::api::prelude::*;

/// The status of a payment.
#[derive(View)]
#[view(of = Payment, case = "snake")]
pub(crate) struct PaymentView {
    /// The payment of the service.
    #[view(name = "paymentId")]
    payment_id: PaymentId,
    /// The payment of the gateway.
    #[view(name = "gatewayPaymentId", from = razorpay_payment_id)]
    gateway_payment_id: Option<GatewayPaymentId>,
    /// The order of the gateway.
    #[view(name = "order_id", from = razorpay_order_id)]
    order_id: Option<OrderId>,
    team_id: TeamId,
    status: PaymentStatus,
    /// In the smallest unit of the currency.
    #[view(example = 99_900)]
    amount: u64,
    #[view(example = "INR")]
    currency: String,
    #[view(from = payment_method, example = "upi")]
    method: Option<String>,
    failure_reason: Option<String>,
    paid_at: Option<Timestamp>,
    /// Whether the money is returned, because the team has lost its place or has paid already.
    #[view(from = is_returned())]
    is_returned: bool,
}

impl Payment {
    /// Returns whether the money is returned, or is to be.
    pub(crate) fn is_returned(&self) -> bool {
        self.needs_refund.is_some() || self.status == PaymentStatus::Refunded
    }
}
