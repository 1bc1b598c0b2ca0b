//! What a payment remembers of attempts to pay it.

use monotable::model::time::Timestamp;

use crate::table::{Attempt, Payment};
use monotable_kit::payment_gateway::GatewayPaymentId;

/// Attempts that a payment remembers.
const ATTEMPTS_MAX: usize = 10;

/// Adds an attempt, unless it is known. The oldest ones are forgotten.
pub(crate) fn attempt(
    payment: &mut Payment,
    gateway_payment_id: &GatewayPaymentId,
    outcome: &str,
    at: Timestamp,
) {
    if knows(payment, gateway_payment_id, outcome) {
        return;
    }
    payment.attempts.push(Attempt {
        razorpay_payment_id: gateway_payment_id.clone(),
        outcome: outcome.to_owned(),
        at,
    });
    let forgotten = payment.attempts.len().saturating_sub(ATTEMPTS_MAX);
    payment.attempts.drain(..forgotten);
    payment.attempted_at.get_or_insert(at);
}

/// Returns whether an attempt is known with this outcome.
pub(crate) fn knows(
    payment: &Payment,
    gateway_payment_id: &GatewayPaymentId,
    outcome: &str,
) -> bool {
    let is_it =
        |one: &Attempt| one.razorpay_payment_id == *gateway_payment_id && one.outcome == outcome;
    payment.attempts.iter().any(is_it)
}
