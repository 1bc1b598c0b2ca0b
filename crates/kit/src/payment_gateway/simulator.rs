//! A payment gateway in this process, which is deterministic for a seed.
//!
//! It behaves as Razorpay documents: an order is `created`, then `attempted`, then `paid`, and
//! stays paid after a refund; it accepts one successful payment; payments are captured
//! automatically; a refund happens once for each key. Webhooks wait in the order of their creation
//! until they are taken, and calls fail when a test requests it.

mod calls;
#[cfg(test)]
mod tests;
mod webhooks;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Words;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub use self::webhooks::Forgery;
use super::{
    GatewayError, GatewayEvent, GatewayPayment, GatewayPaymentId, GatewayPaymentStatus, OrderId,
    OrderState, OrderStatus, Refund, Signatures, Webhook,
};

/// Characters of an id after its prefix, as at Razorpay.
const ID_CHARACTERS: usize = 14;

/// A gateway in this process.
#[derive(Debug)]
pub struct Simulator {
    seed: [u8; 32],
    signatures: Signatures,
    state: Mutex<State>,
    delivers_webhooks: bool,
}

/// Everything that changes.
#[derive(Clone, Debug, Default)]
struct State {
    /// Orders with their payments, the oldest first.
    orders: Vec<OrderState>,
    /// Refunds by their keys.
    refunds: BTreeMap<String, Refund>,
    /// Webhooks that were not taken.
    webhooks: VecDeque<Webhook>,
    /// The failures of the next calls.
    failures: VecDeque<Option<CallFailure>>,
    /// The number of next refunds that the bank declines.
    declined_refunds: usize,
    /// The number of ids that were generated.
    ids: u64,
}

/// The result of an attempt to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum Attempt {
    /// The payment is authorized and captured.
    Succeeds,
    /// The bank refuses. It may still agree later: [`Simulator::succeed_late`].
    Fails,
    /// The bank agrees, and the capture follows later: [`Simulator::succeed_late`].
    IsAuthorized,
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// The call does not reach the gateway.
    BeforeEffect,
    /// The response does not reach the service.
    AfterEffect,
    /// The gateway refuses the call, as one does with internal errors.
    Refusal,
}

impl CallFailure {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::BeforeEffect, Self::AfterEffect, Self::Refusal];
}

impl Simulator {
    /// Creates a gateway without orders. Its ids and secrets are derived from the seed.
    pub fn new(seed: [u8; 32]) -> Self {
        let secret =
            |of: &str| hex::encode(Sha256::new().chain_update(seed).chain_update(of).finalize());
        let signatures = Signatures::new(&secret("key"), &secret("webhook"));
        Self { seed, signatures, state: Mutex::default(), delivers_webhooks: false }
    }

    /// Lets the service take webhooks as soon as they are created. Otherwise they wait for a test.
    #[must_use]
    pub fn delivering_webhooks(self) -> Self {
        Self { delivers_webhooks: true, ..self }
    }

    /// Returns another gateway with the same orders, payments and webhooks, for a copy of the table.
    #[must_use]
    pub fn copy(&self) -> Self {
        let state = Mutex::new(self.state().clone());
        Self { state, signatures: self.signatures.clone(), ..*self }
    }

    /// Attempts to pay an order.
    ///
    /// # Errors
    /// Fails if there is no such order, or if it was paid.
    pub fn attempt(
        &self,
        order_id: &OrderId,
        attempt: Attempt,
    ) -> Result<GatewayPayment, GatewayError> {
        let state = &mut *self.state();
        let payment_id = self.new_id(state, "pay_")?;
        let order = state.order(order_id)?;
        order.refuse_if_paid()?;
        order.order.status = OrderStatus::Attempted;
        let fails = attempt == Attempt::Fails;
        let payment = GatewayPayment {
            payment_id,
            order_id: order_id.clone(),
            price: order.order.price.clone(),
            status: if fails {
                GatewayPaymentStatus::Failed
            } else {
                GatewayPaymentStatus::Authorized
            },
            method: Some("upi".to_owned()),
            failure_reason: fails.then(|| "The bank has declined the payment.".to_owned()),
        };
        order.payments.push(payment.clone());
        let event = if fails {
            GatewayEvent::Failed(payment.clone())
        } else {
            GatewayEvent::Authorized(payment.clone())
        };
        self.report(state, order_id, &event)?;
        match attempt {
            Attempt::Succeeds => self.capture(state, order_id, &payment.payment_id),
            Attempt::Fails | Attempt::IsAuthorized => Ok(payment),
        }
    }

    /// Captures a payment that was only authorized, or had failed: banks may agree days later.
    ///
    /// # Errors
    /// Fails if there is no such payment, or if its order was paid by another one.
    pub fn succeed_late(
        &self,
        payment_id: &GatewayPaymentId,
    ) -> Result<GatewayPayment, GatewayError> {
        let state = &mut *self.state();
        let order_id = state.payment(payment_id)?.order_id.clone();
        state.order(&order_id)?.refuse_if_paid()?;
        let payment = state.payment(payment_id)?;
        if payment.status == GatewayPaymentStatus::Failed {
            payment.status = GatewayPaymentStatus::Authorized;
            payment.failure_reason = None;
            let event = GatewayEvent::Authorized(payment.clone());
            self.report(state, &order_id, &event)?;
        }
        self.capture(state, &order_id, payment_id)
    }

    /// Returns every order with its payments, the oldest first.
    pub fn orders(&self) -> Vec<OrderState> {
        self.state().orders.clone()
    }

    /// Lets all calls and refunds succeed again.
    pub fn answer_calls(&self) {
        let state = &mut *self.state();
        state.failures.clear();
        state.declined_refunds = 0;
    }

    /// Makes a call fail: the next one, or one after this number of others.
    pub fn fail_call(&self, after: usize, failure: CallFailure) {
        let failures = &mut self.state().failures;
        let length = failures.len().max(after + 1);
        failures.resize(length, None);
        failures[after] = Some(failure);
    }

    /// Makes the bank decline the next refund that the gateway creates.
    pub fn decline_refund(&self) {
        self.state().declined_refunds += 1;
    }

    /// Returns how many of the next calls will still fail, or were let through by
    /// [`Self::fail_call`].
    pub fn calls_to_fail(&self) -> usize {
        self.state().failures.len()
    }

    fn capture(
        &self,
        state: &mut State,
        order_id: &OrderId,
        payment_id: &GatewayPaymentId,
    ) -> Result<GatewayPayment, GatewayError> {
        state.order(order_id)?.order.status = OrderStatus::Paid;
        let payment = state.payment(payment_id)?;
        payment.status = GatewayPaymentStatus::Captured;
        let payment = payment.clone();
        self.report(state, order_id, &GatewayEvent::Captured(payment.clone()))?;
        self.report(state, order_id, &GatewayEvent::OrderPaid(payment.clone()))?;
        Ok(payment)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new_id<I: std::str::FromStr>(
        &self,
        state: &mut State,
        prefix: &str,
    ) -> Result<I, GatewayError> {
        state.ids += 1;
        let hash = Sha256::new().chain_update(self.seed).chain_update(state.ids.to_be_bytes());
        let mut id = hex::encode(hash.finalize());
        id.truncate(ID_CHARACTERS);
        let id = format!("{prefix}{id}").parse();
        id.map_err(|_| GatewayError::Refused("the simulator made an unusable id".to_owned()))
    }
}

impl State {
    fn order(&mut self, order_id: &OrderId) -> Result<&mut OrderState, GatewayError> {
        let order = self.orders.iter_mut().find(|order| order.order.order_id == *order_id);
        order.ok_or_else(|| GatewayError::Refused("there is no such order".to_owned()))
    }

    fn payment(
        &mut self,
        payment_id: &GatewayPaymentId,
    ) -> Result<&mut GatewayPayment, GatewayError> {
        let mut payments = self.orders.iter_mut().flat_map(|order| &mut order.payments);
        let payment = payments.find(|payment| payment.payment_id == *payment_id);
        payment.ok_or_else(|| GatewayError::Refused("there is no such payment".to_owned()))
    }
}

impl OrderState {
    fn refuse_if_paid(&self) -> Result<(), GatewayError> {
        match self.order.status {
            OrderStatus::Created | OrderStatus::Attempted => Ok(()),
            OrderStatus::Paid => {
                Err(GatewayError::Refused("the order was already paid".to_owned()))
            }
        }
    }
}
