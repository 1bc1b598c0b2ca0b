//! Refunds: the decision is a row before the gateway is asked, so that money is returned once, whatever happens on the
//! way.

use monotable::model::key::KeyError;
use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, check, create, edit};
use monotable_kit::jobs::{JobStep, JobTicket};
use monotable_kit::{Problem, Refuse as _};
use serde::{Deserialize, Serialize};

use crate::money::capture::{Captured, Proof, price_of, second_id};
use crate::money::tally::Tally;
use crate::money::{Cashier, Tx, commit, unavailable};
use crate::refusal::Refusal;
use crate::rules::statistics::Happening;
use crate::table::{
    AccountId, Alert, CodeKurukshetra, CodeKurukshetraReads as _, Participant, Payment, PaymentId,
    PaymentStatus, RefundId, RefundIntent, RefundState, RegistrationStatus, SettledBy, Stamps,
    Team,
};
use monotable_kit::payment_gateway::{
    GatewayError, GatewayPayment, GatewayPaymentId, GatewayPaymentStatus, NewRefund, Refund,
    RefundStatus,
};

/// Why the money did not go back.
const DECLINED: &str = "The bank has refused the refund.";
/// The kind of the work that asks the gateway.
pub(crate) const KIND: &str = "refund";

/// What the work is about.
#[derive(Serialize, Deserialize)]
pub(crate) struct RefundJob {
    payment_id: PaymentId,
}

/// Adds the decision to return a payment to a transaction, and promises to ask the gateway.
///
/// # Errors
/// Returns 500 if the ids can't be written.
pub(crate) fn promise(
    tx: &mut Tx,
    payment: &Payment,
    requested_by: Option<AccountId>,
    reason: &str,
    now: Timestamp,
) -> Result<(), Problem> {
    tx.add(create(RefundIntent {
        payment_id: payment.payment_id.clone(),
        team_id: payment.team_id.clone(),
        state: RefundState::RefundPending,
        requested_by,
        reason: reason.to_owned(),
        last_error: None,
        repeats: 0,
        stamps: Stamps::default(),
    }));
    tx.add(create(ticket(&payment.payment_id, now)?));
    Ok(())
}

/// Returns the ticket for asking the gateway to return a payment.
///
/// # Errors
/// Returns 500 if the ids can't be written.
pub(crate) fn ticket(payment_id: &PaymentId, now: Timestamp) -> Result<JobTicket, Problem> {
    let job = RefundJob { payment_id: payment_id.clone() };
    JobTicket::new(KIND, payment_id.as_ref(), &job, now)
}

impl Cashier {
    /// Adds the decision of an administrator to return a payment to a transaction. One that the gateway has refused may be
    /// asked for again.
    ///
    /// # Errors
    /// Returns 409 if the payment was not paid, or is being returned.
    pub(crate) async fn request_refund(
        &self,
        tx: &mut Tx,
        payment: &Payment,
        requested_by: AccountId,
        reason: &str,
    ) -> Result<(), Problem> {
        match payment.status {
            PaymentStatus::Paid => {}
            PaymentStatus::Refunded => return Err(Refusal::AlreadyRefunded.into()),
            PaymentStatus::Pending | PaymentStatus::Failed => {
                return Err(Refusal::InvalidState.text("The team has not paid."));
            }
        }
        // The transaction must see the payment as it is now.
        tx.add(check(&payment.key(), payment.unchanged()));
        let is_new = self.promise_again(tx, payment, requested_by, reason).await?;
        Ok(Refusal::AlreadyRefunded.unless(is_new)?)
    }

    /// Adds the decision to return a payment to a transaction, also after the gateway has refused. Returns false, and adds
    /// nothing, if it is being returned.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn promise_again(
        &self,
        tx: &mut Tx,
        payment: &Payment,
        requested_by: AccountId,
        reason: &str,
    ) -> Result<bool, Problem> {
        let now = self.db.now();
        match self.db.refund_intent(&payment.payment_id).await? {
            None => promise(tx, payment, Some(requested_by), reason, now)?,
            Some(intent) if intent.state == RefundState::Refused => {
                tx.add(edit(&intent, |intent| {
                    intent.state = RefundState::RefundPending;
                    intent.requested_by = Some(requested_by);
                    intent.reason = reason.to_owned();
                    intent.repeats += 1;
                }));
                tx.add(create(ticket(&payment.payment_id, now)?));
            }
            Some(_) => return Ok(false),
        }
        Ok(true)
    }
}

/// Asks the gateway to return a payment, and records that it did.
pub(crate) async fn step(
    cashier: Cashier,
    job: RefundJob,
    _: Option<()>,
) -> Result<JobStep<CodeKurukshetra, ()>, Problem> {
    let mut tx = cashier.db.transact();
    let payment = cashier.db.payment(&job.payment_id).await?;
    let Some(payment) = payment.filter(|it| it.status == PaymentStatus::Paid) else {
        return Ok(JobStep::done(tx));
    };
    let Some(intent) = cashier.db.refund_intent(&job.payment_id).await? else {
        return Ok(JobStep::done(tx));
    };
    let Some(gateway_payment_id) = payment.razorpay_payment_id.clone() else {
        cashier.refuse(&mut tx, &payment, "The gateway has no such payment.").await?;
        return Ok(JobStep::done(tx));
    };
    let (price, key) = (price_of(&payment), intent.gateway_key());
    let wanted = NewRefund { payment_id: gateway_payment_id, price, key };
    match cashier.gateway.refund(&wanted).await {
        Ok(refund) if refund.status == RefundStatus::Failed => {
            cashier.refuse(&mut tx, &payment, DECLINED).await?;
        }
        Ok(refund) => cashier.return_money(&mut tx, &payment, Some(refund.refund_id)).await?,
        Err(GatewayError::Refused(reason)) => {
            if cashier.was_returned(&payment).await? {
                cashier.return_money(&mut tx, &payment, None).await?;
            } else {
                cashier.refuse(&mut tx, &payment, &reason).await?;
            }
        }
        Err(error) => return Err(unavailable(error)),
    }
    Ok(JobStep::done(tx))
}

impl Cashier {
    /// Adds what follows from a refund that the gateway reports to a transaction. The report may come before that of the
    /// capture.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn refunded(
        &self,
        tx: &mut Tx,
        refund: &Refund,
        gateway_payment: &GatewayPayment,
    ) -> Result<Captured, Problem> {
        let payment = match self.paid(gateway_payment).await? {
            Ok(payment) => payment,
            Err(captured) => return Ok(captured),
        };
        let has_failed = refund.status == RefundStatus::Failed;
        let is_known = match (payment.status, &payment.refund_id) {
            (PaymentStatus::Refunded, Some(made)) => !has_failed || *made != refund.refund_id,
            (PaymentStatus::Refunded, None) => !has_failed,
            _ => false,
        };
        if is_known {
            return Ok(Captured::Known);
        }
        if refund.price != price_of(&payment) {
            return Ok(Captured::OtherAmount);
        }
        if has_failed {
            // A payment that was refunded stays so: organisers must return the money in another way.
            self.refuse(tx, &payment, DECLINED).await?;
        } else {
            self.return_money(tx, &payment, Some(refund.refund_id.clone())).await?;
        }
        Ok(Captured::Returned)
    }

    /// Adds what follows from a payment that the gateway has returned, without an event of the refund, to a transaction.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn returned_elsewhere(
        &self,
        tx: &mut Tx,
        gateway_payment: &GatewayPayment,
    ) -> Result<Captured, Problem> {
        match self.paid(gateway_payment).await? {
            Err(captured) => Ok(captured),
            Ok(payment) if payment.status == PaymentStatus::Refunded => Ok(Captured::Known),
            Ok(payment) => {
                self.return_money(tx, &payment, None).await?;
                Ok(Captured::Returned)
            }
        }
    }

    /// Returns the paid payment that a payment of the gateway is. If its capture was not reported yet, that is settled
    /// first; the result is returned if it is not paid then.
    ///
    /// # Errors
    /// Fails with a version conflict after the capture was settled: the command finds it paid when it runs again.
    async fn paid(
        &self,
        gateway_payment: &GatewayPayment,
    ) -> Result<Result<Payment, Captured>, Problem> {
        if let Some(payment) = self.returned_payment(gateway_payment).await? {
            return Ok(Ok(payment));
        }
        let mut tx = self.db.transact();
        let proof = Proof::of(SettledBy::Webhook);
        match self.capture(&mut tx, gateway_payment, proof).await? {
            captured @ (Captured::OtherAmount | Captured::UnknownOrder) => Ok(Err(captured)),
            _ => {
                commit(tx).await?;
                Err(Problem::changed())
            }
        }
    }

    /// Returns the paid payment that a payment of the gateway is: that of its order, or one that came second.
    async fn returned_payment(&self, of: &GatewayPayment) -> Result<Option<Payment>, Problem> {
        let is_it =
            |payment: &Payment| payment.razorpay_payment_id.as_ref() == Some(&of.payment_id);
        if let Some(lookup) = self.db.order(&of.order_id).await?
            && let Some(payment) = self.db.payment(&lookup.payment_id).await?.filter(is_it)
        {
            return Ok(Some(payment).filter(|payment| payment.status >= PaymentStatus::Paid));
        }
        Ok(self.db.payment(&second_id(&of.payment_id)?).await?.filter(is_it))
    }

    /// Returns whether the gateway has returned a payment already, on another way.
    async fn was_returned(&self, payment: &Payment) -> Result<bool, Problem> {
        let Some(order_id) = &payment.razorpay_order_id else { return Ok(false) };
        let state = self.gateway.order(order_id).await.map_err(unavailable)?;
        let is_it = |id: &GatewayPaymentId| payment.razorpay_payment_id.as_ref() == Some(id);
        let returned = GatewayPaymentStatus::Refunded;
        Ok(state.payments.iter().any(|one| is_it(&one.payment_id) && one.status == returned))
    }

    /// Changes the rows of a payment that was returned, and those of its team if it was confirmed by it.
    async fn return_money(
        &self,
        tx: &mut Tx,
        payment: &Payment,
        refund_id: Option<RefundId>,
    ) -> Result<(), Problem> {
        let config = self.config().await?;
        let now = self.db.now();
        tx.add(edit(payment, |payment| {
            payment.status = PaymentStatus::Refunded;
            payment.refund_id = refund_id;
            payment.refunded_at = Some(now);
            payment.needs_refund = payment.needs_refund.map(|_| false);
        }));
        if let Some(intent) = self.db.refund_intent(&payment.payment_id).await? {
            tx.add(edit(&intent, |intent| intent.state = RefundState::Refunded));
        }
        let mut tally = Tally::default();
        tally.count(Happening::Refunded { amount: payment.amount });
        if let Some(team) = self.db.team(&payment.team_id).await? {
            let members = self.members(&team).await?;
            if is_paid_by(&team, payment) {
                let had_slot = team.registration() == RegistrationStatus::Confirmed;
                tally.slots -= i64::from(had_slot);
                tally.confirmed -= i64::from(had_slot);
                refund_team(tx, &team, &members);
            }
            let leader = members.iter().find(|it| it.participant_id == team.leader_participant_id);
            if let Some(leader) = leader {
                self.write_refunded(tx, &config, &team, leader, payment)?;
            }
        }
        tally.add_to(tx, config.day_of(now)?, config.max_teams);
        Ok(())
    }

    /// Records that the gateway does not return a payment, so that organisers look at it once.
    async fn refuse(&self, tx: &mut Tx, payment: &Payment, reason: &str) -> Result<(), Problem> {
        if let Some(intent) = self.db.refund_intent(&payment.payment_id).await? {
            if intent.state == RefundState::Refused && intent.last_error.as_deref() == Some(reason)
            {
                return Ok(());
            }
            tx.add(edit(&intent, |intent| {
                intent.state = RefundState::Refused;
                intent.last_error = Some(reason.to_owned());
            }));
        }
        let text = format!("The payment {} could not be returned: {reason}", payment.payment_id);
        self.alert(tx, payment.payment_id.as_ref(), "refund_refused", text)
    }

    /// Adds an alert to a transaction.
    ///
    /// # Errors
    /// Returns 500 if the id can't be part of a key.
    pub(crate) fn alert(
        &self,
        tx: &mut Tx,
        about: &str,
        kind: &str,
        text: String,
    ) -> Result<(), Problem> {
        let entry_id = format!("{kind}.{about}").parse();
        let entry_id = entry_id.map_err(|error: KeyError| Problem::internal(error))?;
        tx.add(create(Alert::new(self.db.now(), entry_id, kind, text)));
        Ok(())
    }
}

/// Returns whether a team is confirmed by a payment.
fn is_paid_by(team: &Team, payment: &Payment) -> bool {
    team.payment_status == PaymentStatus::Paid
        && team.payment_id.is_some()
        && team.payment_id == payment.razorpay_payment_id
}

/// Changes the rows of a team whose money was returned. Its guards stay until it is deleted.
fn refund_team(tx: &mut Tx, team: &Team, members: &[Participant]) {
    tx.add(edit(team, |team| {
        team.payment_status = PaymentStatus::Refunded;
        // A team that was cancelled stays so.
        if team.registration() == RegistrationStatus::Confirmed {
            team.set_registration(RegistrationStatus::Refunded);
        }
    }));
    for member in members {
        tx.add(Participant::update(&member.key()).payment_status(PaymentStatus::Refunded));
    }
}
