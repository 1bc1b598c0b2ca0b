//! What the gateway reports of attempts that brought no money: authorized and failed ones.

use monotable::model::{Entity as _, edit};
use monotable_kit::Problem;

use crate::gateway::GatewayPayment;
use crate::money::tally::Tally;
use crate::money::{Cashier, Tx, notes};
use crate::rules::payment::{Change, change};
use crate::rules::statistics::Happening;
use crate::table::{
    CodeKurukshetraReads as _, Participant, Payment, PaymentStatus, RegistrationStatus, Team,
};

/// What came of a report of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reported {
    /// It was taken note of.
    Noted,
    /// It was known already, or something else has happened since.
    Known,
    /// No payment of the service has this order.
    UnknownOrder,
}

impl Cashier {
    /// Adds what follows from a failed attempt to a transaction. A payment that was paid stays so.
    ///
    /// # Errors
    /// What the table reports.
    pub(crate) async fn fail(
        &self,
        tx: &mut Tx,
        failed: &GatewayPayment,
    ) -> Result<Reported, Problem> {
        let Some(payment) = self.payment_of_order(failed).await? else {
            return Ok(Reported::UnknownOrder);
        };
        if change(payment.status, PaymentStatus::Failed) != Change::Applies {
            return self.note_attempt(tx, &payment, failed, "failed").await;
        }
        let mut tally = Tally::default();
        if payment.attempted_at.is_none() {
            tally.count(Happening::Attempted);
        }
        tally.count(Happening::Failed);
        let now = self.db.now();
        tx.add(edit(&payment, |payment| {
            payment.status = PaymentStatus::Failed;
            payment.failure_reason = failed.failure_reason.clone();
            payment.failed_at = Some(now);
            notes::attempt(payment, &failed.payment_id, "failed", now);
        }));
        let config = self.config().await?;
        tally.add_to(tx, config.day_of(now)?, config.max_teams);
        if let Some(team) = self.db.team(&payment.team_id).await? {
            self.fail_team(tx, &team).await?;
        }
        Ok(Reported::Noted)
    }

    /// Shows the failure in the rows of a team that waits for its payment.
    async fn fail_team(&self, tx: &mut Tx, team: &Team) -> Result<(), Problem> {
        if team.registration() != RegistrationStatus::PendingPayment {
            return Ok(());
        }
        let members = self.members(team).await?;
        tx.add(edit(team, |team| team.payment_status = PaymentStatus::Failed));
        for member in &members {
            tx.add(Participant::update(&member.key()).payment_status(PaymentStatus::Failed));
        }
        let leader = members.iter().find(|it| it.participant_id == team.leader_participant_id);
        leader.map_or(Ok(()), |leader| self.write_failed(tx, team, leader))
    }

    /// Adds the note of an authorized attempt to a transaction: the money comes with its capture.
    ///
    /// # Errors
    /// What the table reports.
    pub(crate) async fn authorize(
        &self,
        tx: &mut Tx,
        authorized: &GatewayPayment,
    ) -> Result<Reported, Problem> {
        match self.payment_of_order(authorized).await? {
            Some(payment) => self.note_attempt(tx, &payment, authorized, "authorized").await,
            None => Ok(Reported::UnknownOrder),
        }
    }

    /// Takes note of an attempt that changes nothing else.
    async fn note_attempt(
        &self,
        tx: &mut Tx,
        payment: &Payment,
        attempt: &GatewayPayment,
        outcome: &str,
    ) -> Result<Reported, Problem> {
        if notes::knows(payment, &attempt.payment_id, outcome)
            || payment.status >= PaymentStatus::Paid
        {
            return Ok(Reported::Known);
        }
        let now = self.db.now();
        if payment.attempted_at.is_none() {
            let config = self.config().await?;
            let mut tally = Tally::default();
            tally.count(Happening::Attempted);
            tally.add_to(tx, config.day_of(now)?, config.max_teams);
        }
        tx.add(edit(payment, |payment| {
            notes::attempt(payment, &attempt.payment_id, outcome, now);
        }));
        Ok(Reported::Noted)
    }

    /// Returns the payment that an attempt of the gateway is for.
    async fn payment_of_order(&self, attempt: &GatewayPayment) -> Result<Option<Payment>, Problem> {
        match self.db.order(&attempt.order_id).await? {
            Some(lookup) => Ok(self.db.payment(&lookup.payment_id).await?),
            None => Ok(None),
        }
    }
}
