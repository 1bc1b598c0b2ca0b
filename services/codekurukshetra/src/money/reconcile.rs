//! `reconcile`: what the gateway knows of orders whose events were lost.

use std::time::Duration;

use monotable_kit::{Problem, repeat};

use crate::gateway::{GatewayPayment, GatewayPaymentStatus, OrderState};
use crate::money::capture::Proof;
use crate::money::fail::Reported;
use crate::money::{Cashier, commit};
use crate::table::{CodeKurukshetraReads as _, Payment, PaymentStatus, SettledBy, TeamId};

/// How old an order is before it is looked up.
const AGE_MIN: Duration = Duration::from_secs(10 * 60);
/// How long orders are looked up. Afterwards the gateway accepts no payment of them any more.
const AGE_MAX: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// What a round of reconciliation did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reconciled {
    /// Orders that were looked up.
    pub(crate) looked_up: u64,
    /// Payments that changed.
    pub(crate) changed: u64,
    /// Orders that could not be looked up, or settled.
    pub(crate) failed: u64,
}

impl Cashier {
    /// Looks up the orders that are still open after a while, and settles what the gateway says.
    ///
    /// # Errors
    /// What the table reports. An order that can't be looked up does not stop the others.
    pub(crate) async fn reconcile(&self) -> Result<Reconciled, Problem> {
        let now = self.db.now();
        let mut open = Vec::new();
        for status in [PaymentStatus::Pending, PaymentStatus::Failed] {
            let mut payments = self.db.payments_by_status(status).skip_unreadable().stream();
            while let Some(payment) = payments.next().await {
                let payment = payment?;
                let age = now.since(payment.stamps.updated);
                if payment.razorpay_order_id.is_some() && (AGE_MIN..AGE_MAX).contains(&age) {
                    open.push(payment);
                }
            }
        }
        let mut report = Reconciled::default();
        for payment in open {
            report.looked_up += 1;
            match self.reconcile_payment(&payment).await {
                Ok(changed) => report.changed += u64::from(changed),
                Err(_) => report.failed += 1,
            }
        }
        Ok(report)
    }

    /// Looks up the order of a team.
    ///
    /// # Errors
    /// What the table reports; 503 if the gateway does not respond.
    pub(crate) async fn reconcile_team(&self, team_id: &TeamId) -> Result<bool, Problem> {
        let Some(team) = self.db.team(team_id).await? else { return Ok(false) };
        match self.payment_of(&team).await? {
            Some(payment) => self.reconcile_payment(&payment).await,
            None => Ok(false),
        }
    }

    /// Looks up the order of a payment. Returns whether something has changed.
    async fn reconcile_payment(&self, payment: &Payment) -> Result<bool, Problem> {
        let Some(order_id) = &payment.razorpay_order_id else { return Ok(false) };
        let state: OrderState = self.gateway.order(order_id).await?;
        let mut is_changed = false;
        for attempt in &state.payments {
            is_changed |= repeat(|| self.settle(attempt)).await?;
        }
        Ok(is_changed)
    }

    /// Settles what the gateway says of an attempt. Returns whether something has changed.
    async fn settle(&self, attempt: &GatewayPayment) -> Result<bool, Problem> {
        let mut tx = self.db.transact();
        let is_changed = match attempt.status {
            GatewayPaymentStatus::Captured => {
                let proof = Proof::of(SettledBy::Reconcile);
                self.capture(&mut tx, attempt, proof).await?.is_change()
            }
            GatewayPaymentStatus::Refunded => {
                self.returned_elsewhere(&mut tx, attempt).await?.is_change()
            }
            GatewayPaymentStatus::Failed => self.fail(&mut tx, attempt).await? == Reported::Noted,
            GatewayPaymentStatus::Authorized => {
                self.authorize(&mut tx, attempt).await? == Reported::Noted
            }
            GatewayPaymentStatus::Created => false,
        };
        if is_changed {
            commit(tx).await?;
        }
        Ok(is_changed)
    }
}
