//! `capture`: the gateway has the money of a payment.
//!
//! The first captured payment of a team confirms it. If its hold has ended, it is still confirmed if its place,
//! name and addresses are free. Any other money is recorded and returned.

use monotable::model::key::KeyError;
use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, create, edit};
use monotable_kit::Problem;

use crate::money::tally::Tally;
use crate::money::{Cashier, Tx, notes, refund};
use crate::rules::registration::checked_ttl;
use crate::rules::statistics::Happening;
use crate::table::{
    CodeKurukshetraReads as _, Config, Participant, Payment, PaymentId, PaymentMetadata,
    PaymentStatus, RegistrationStatus, SettledBy, Stamps, Team,
};
use monotable_kit::payment_gateway::{GatewayPayment, GatewayPaymentId, Price};

/// The result of a report of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Captured {
    /// The team is confirmed.
    Confirmed,
    /// The money is returned: the team has paid otherwise, or is gone.
    Returned,
    /// An attempt was taken note of, which brought no money.
    Noted,
    /// It was known already, or something else has happened since.
    Known,
    /// The gateway reports another amount than the team owes.
    OtherAmount,
    /// No payment of the service has this order.
    UnknownOrder,
}

impl Captured {
    /// Returns whether rows change.
    pub(crate) fn is_change(self) -> bool {
        match self {
            Self::Confirmed | Self::Returned | Self::Noted => true,
            Self::Known | Self::OtherAmount | Self::UnknownOrder => false,
        }
    }
}

/// How a capture became known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof<'a> {
    pub(crate) settled_by: SettledBy,
    /// The signature that the browser brought.
    pub(crate) signature: Option<&'a str>,
}

impl Proof<'_> {
    /// Creates the gateway itself said so.
    pub(crate) fn of(settled_by: SettledBy) -> Self {
        Self { settled_by, signature: None }
    }
}

/// Returns what a payment costs.
pub(crate) fn price_of(payment: &Payment) -> Price {
    Price { amount_minor: payment.amount, currency: payment.currency.clone() }
}

impl Cashier {
    /// Adds what follows from a captured payment to a transaction.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn capture(
        &self,
        tx: &mut Tx,
        captured: &GatewayPayment,
        proof: Proof<'_>,
    ) -> Result<Captured, Problem> {
        let Some(lookup) = self.db.order(&captured.order_id).await? else {
            return Ok(Captured::UnknownOrder);
        };
        let Some(payment) = self.db.payment(&lookup.payment_id).await? else {
            return Ok(Captured::UnknownOrder);
        };
        if captured.price != price_of(&payment) {
            return Ok(Captured::OtherAmount);
        }
        if payment.status >= PaymentStatus::Paid {
            if payment.razorpay_payment_id.as_ref() == Some(&captured.payment_id) {
                let mut verified = payment.clone();
                verify(&mut verified, proof);
                if verified != payment {
                    tx.add(edit(&payment, |payment| *payment = verified));
                }
                return Ok(Captured::Known);
            }
            return self.take_second(tx, captured, &payment, proof).await;
        }
        let config = self.config().await?;
        let mut tally = Tally::default();
        let is_kept = match self.db.team(&payment.team_id).await? {
            Some(team) => self.confirm(tx, &config, &team, captured, &mut tally).await?,
            None => false,
        };
        // One reading of the clock: the day that counts the payment is the one that a recount finds.
        let now = self.db.now();
        pay(tx, captured, &payment, (proof, now), &mut tally)?;
        tally.add_to(tx, config.day_of(now)?, config.max_teams);
        if is_kept {
            return Ok(Captured::Confirmed);
        }
        Ok(Captured::Returned)
    }

    /// Confirms a team that waits for its payment, or whose hold has ended while its place, name and addresses are still
    /// free. Returns false if it can't be confirmed any more.
    ///
    /// # Errors
    /// Returns the errors of the table.
    async fn confirm(
        &self,
        tx: &mut Tx,
        config: &Config,
        team: &Team,
        captured: &GatewayPayment,
        tally: &mut Tally,
    ) -> Result<bool, Problem> {
        let members = self.members(team).await?;
        match team.registration() {
            RegistrationStatus::PendingPayment => {}
            RegistrationStatus::Expired => {
                let is_complete = members.len() == usize::from(team.member_count);
                let has_place = is_complete && self.has_free_slot(config).await?;
                if !has_place || !self.take_guards_again(tx, team, &members).await? {
                    return Ok(false);
                }
                tally.slots += 1;
            }
            RegistrationStatus::Confirmed
            | RegistrationStatus::Cancelled
            | RegistrationStatus::Refunded
            | RegistrationStatus::Waitlisted => return Ok(false),
        }
        tally.confirmed += 1;
        self.confirm_team(tx, config, (team, &members), Some(captured))?;
        Ok(true)
    }

    /// Changes the rows of a team that is confirmed now, and promises its e-mails. A free event has no payment.
    ///
    /// # Errors
    /// Returns 500 if the row of an e-mail can't be written.
    pub(crate) fn confirm_team(
        &self,
        tx: &mut Tx,
        config: &Config,
        (team, members): (&Team, &[Participant]),
        captured: Option<&GatewayPayment>,
    ) -> Result<(), Problem> {
        tx.add(edit(team, |team| {
            team.payment_status = PaymentStatus::Paid;
            if let Some(captured) = captured {
                team.payment_id = Some(captured.payment_id.clone());
                team.payment_order_id = Some(captured.order_id.clone());
            }
            team.set_registration(RegistrationStatus::Confirmed);
        }));
        for member in members {
            // A hold that had ended has left another expiry.
            let kept_until = config.people_kept_until();
            let ttl = Some(kept_until).filter(|ttl| checked_ttl(*ttl, self.db.now()).is_ok());
            tx.add(Participant::update(&member.key()).payment_status(PaymentStatus::Paid).ttl(ttl));
        }
        self.write_confirmed(tx, config, team, members)
    }

    /// Records money that was paid a second time as a separate payment, and returns it.
    async fn take_second(
        &self,
        tx: &mut Tx,
        captured: &GatewayPayment,
        payment: &Payment,
        proof: Proof<'_>,
    ) -> Result<Captured, Problem> {
        let payment_id = second_id(&captured.payment_id)?;
        if self.db.payment(&payment_id).await?.is_some() {
            return Ok(Captured::Known);
        }
        let config = self.config().await?;
        let now = self.db.now();
        let day = config.day_of(now)?;
        let mut second = Payment {
            payment_id,
            day: Some(day),
            metadata: PaymentMetadata::default(),
            refund_id: None,
            needs_refund: Some(true),
            attempts: Vec::new(),
            attempted_at: None,
            failed_at: None,
            refunded_at: None,
            razorpay_signature: None,
            webhook_verified: false,
            stamps: Stamps::default(),
            ..payment.clone()
        };
        settle(&mut second, captured, proof, now);
        let mut tally = Tally::default();
        tally.count(Happening::Attempted);
        tally.count(Happening::Paid { amount: second.amount });
        tally.add_to(tx, day, config.max_teams);
        refund::promise(tx, &second, None, "The team has paid already.", now)?;
        tx.add(create(second));
        Ok(Captured::Returned)
    }

    /// Returns whether a slot is free now.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn has_free_slot(&self, config: &Config) -> Result<bool, Problem> {
        let used = self.db.totals().await?.map_or(0, |totals| totals.slots_used);
        Ok(used < u64::from(config.max_teams))
    }
}

/// Changes a payment that is paid now. Money that no team is confirmed for is returned.
fn pay(
    tx: &mut Tx,
    captured: &GatewayPayment,
    payment: &Payment,
    (proof, now): (Proof<'_>, Timestamp),
    tally: &mut Tally,
) -> Result<(), Problem> {
    if payment.attempted_at.is_none() {
        tally.count(Happening::Attempted);
    }
    tally.count(Happening::Paid { amount: payment.amount });
    let needs_refund = tally.confirmed == 0;
    let paid = |payment: &mut Payment| {
        settle(payment, captured, proof, now);
        payment.needs_refund = needs_refund.then_some(true);
    };
    tx.add(edit(payment, paid));
    if needs_refund {
        refund::promise(tx, payment, None, "The place was taken.", now)?;
    }
    Ok(())
}

/// Returns the id of the payment for money that came a second time: that of the gateway's payment, so that it is noted once.
///
/// # Errors
/// Returns 500 if the gateway's id can't be part of a key.
pub(crate) fn second_id(payment_id: &GatewayPaymentId) -> Result<PaymentId, Problem> {
    payment_id.as_ref().parse().map_err(|error: KeyError| Problem::internal(error))
}

/// Changes the fields of a payment that is paid now.
fn settle(payment: &mut Payment, captured: &GatewayPayment, proof: Proof<'_>, now: Timestamp) {
    payment.status = PaymentStatus::Paid;
    payment.razorpay_order_id = Some(captured.order_id.clone());
    payment.razorpay_payment_id = Some(captured.payment_id.clone());
    payment.payment_method = captured.method.clone();
    payment.failure_reason = None;
    payment.paid_at = Some(now);
    payment.settled_by = Some(proof.settled_by);
    payment.metadata.payment_timestamp = Some(now);
    notes::attempt(payment, &captured.payment_id, "captured", now);
    verify(payment, proof);
}

/// Records how it was proved that a payment was captured.
fn verify(payment: &mut Payment, proof: Proof<'_>) {
    payment.webhook_verified |= proof.settled_by == SettledBy::Webhook;
    if let Some(signature) = proof.signature {
        payment.razorpay_signature = Some(signature.to_owned());
    }
}
