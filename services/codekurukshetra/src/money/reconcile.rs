//! `reconcile`: the gateway's state of orders whose events were lost.

use std::ops::Range;
use std::time::Duration;

use monotable_kit::{Problem, repeat};

use crate::money::capture::{Captured, Proof};
use crate::money::{Cashier, commit, unavailable};
use crate::table::{CodeKurukshetraReads as _, Payment, PaymentStatus, SettledBy, TeamId};
use monotable_kit::payment_gateway::{GatewayPayment, GatewayPaymentStatus, OrderState};

/// How old an order is before it is looked up.
const AGE_MIN: Duration = Duration::from_secs(10 * 60);
/// How long orders are looked up. Afterwards the gateway accepts no payment of them any more.
const AGE_MAX: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// How long paid orders are looked up: until gateways accept no refund any more.
const PAID_AGE_MAX: Duration = Duration::from_secs(180 * 24 * 60 * 60);

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

/// How often in a row the gateway could not be asked. Each of these calls takes its time, so that a round gives up after a
/// few of them; the next round tries again.
#[derive(Debug, Default)]
pub(crate) struct Silence(u32);

impl Silence {
    /// The calls after which a round gives up.
    const CALLS_MAX: u32 = 3;

    /// Takes note of the result of a call.
    pub(crate) fn notice<T>(&mut self, result: &Result<T, Problem>) {
        let is_silent = result.as_ref().is_err_and(|problem| problem.status() == 503);
        self.0 = if is_silent { self.0 + 1 } else { 0 };
    }

    /// Returns whether the round gives up.
    pub(crate) fn is_long(&self) -> bool {
        self.0 >= Self::CALLS_MAX
    }
}

impl Cashier {
    /// Looks up the orders that are still open after a while, and settles what the gateway says.
    ///
    /// # Errors
    /// Returns the errors of the table. An order that can't be looked up does not stop the others.
    pub(crate) async fn reconcile(&self) -> Result<Reconciled, Problem> {
        self.reconcile_all(&[PaymentStatus::Pending, PaymentStatus::Failed], AGE_MIN..AGE_MAX).await
    }

    /// Looks up the orders that are paid, for refunds and second charges whose events were lost.
    ///
    /// # Errors
    /// Returns the errors of the table. An order that can't be looked up does not stop the others.
    pub(crate) async fn reconcile_paid(&self) -> Result<Reconciled, Problem> {
        self.reconcile_all(&[PaymentStatus::Paid], AGE_MIN..PAID_AGE_MAX).await
    }

    async fn reconcile_all(
        &self,
        statuses: &[PaymentStatus],
        ages: Range<Duration>,
    ) -> Result<Reconciled, Problem> {
        let now = self.db.now();
        let mut open = Vec::new();
        for status in statuses {
            let mut payments = self.db.payments_by_status(*status).skip_unreadable().stream();
            while let Some(payment) = payments.next().await {
                let payment = payment?;
                let age = now.since(payment.stamps.updated);
                if payment.razorpay_order_id.is_some() && ages.contains(&age) {
                    open.push(payment);
                }
            }
        }
        let (mut report, mut silence) = (Reconciled::default(), Silence::default());
        for payment in open {
            let result = self.reconcile_payment(&payment).await;
            silence.notice(&result);
            report.looked_up += 1;
            match result {
                Ok(changed) => report.changed += u64::from(changed),
                Err(_) => report.failed += 1,
            }
            if silence.is_long() {
                break;
            }
        }
        Ok(report)
    }

    /// Looks up the order of a team.
    ///
    /// # Errors
    /// Returns the errors of the table; 503 if the gateway does not respond.
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
        let state: OrderState = self.gateway.order(order_id).await.map_err(unavailable)?;
        let mut is_changed = false;
        let proof = Proof::of(SettledBy::Reconcile);
        for attempt in &state.payments {
            is_changed |= repeat(|| self.settle(attempt, proof)).await?.is_change();
        }
        Ok(is_changed)
    }

    /// Applies the gateway's state of an attempt, and returns the result.
    ///
    /// # Errors
    /// Returns the errors of the table. Fails with a version conflict if the same rows were changed
    /// at the same time.
    pub(crate) async fn settle(
        &self,
        attempt: &GatewayPayment,
        proof: Proof<'_>,
    ) -> Result<Captured, Problem> {
        let mut tx = self.db.transact();
        let captured = match attempt.status {
            GatewayPaymentStatus::Captured => self.capture(&mut tx, attempt, proof).await?,
            GatewayPaymentStatus::Refunded => self.returned_elsewhere(&mut tx, attempt).await?,
            GatewayPaymentStatus::Failed => self.fail(&mut tx, attempt).await?,
            GatewayPaymentStatus::Authorized => self.authorize(&mut tx, attempt).await?,
            GatewayPaymentStatus::Created => Captured::Known,
        };
        if captured == Captured::OtherAmount {
            self.note_other_amount(&mut tx, attempt).await?;
        }
        commit(tx).await?;
        Ok(captured)
    }
}
