//! What the gateway reports of attempts that brought no money: authorized and failed ones.

use monotable::model::{Entity as _, edit};
use monotable_kit::Problem;

use crate::money::capture::Captured;
use crate::money::tally::Tally;
use crate::money::{Cashier, Tx, notes};
use crate::rules::payment::can_become;
use crate::rules::statistics::Happening;
use crate::table::{
    CodeKurukshetraReads as _, Participant, Payment, PaymentStatus, RegistrationStatus, Team,
};
use monotable_kit::payment_gateway::GatewayPayment;

impl Cashier {
    /// Adds what follows from a failed attempt to a transaction. A payment that was paid stays so.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn fail(
        &self,
        tx: &mut Tx,
        failed: &GatewayPayment,
    ) -> Result<Captured, Problem> {
        let Some(payment) = self.payment_of_order(failed).await? else {
            return Ok(Captured::UnknownOrder);
        };
        if !can_become(payment.status, PaymentStatus::Failed) {
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
        Ok(Captured::Noted)
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
    /// Returns the errors of the table.
    pub(crate) async fn authorize(
        &self,
        tx: &mut Tx,
        authorized: &GatewayPayment,
    ) -> Result<Captured, Problem> {
        match self.payment_of_order(authorized).await? {
            Some(payment) => self.note_attempt(tx, &payment, authorized, "authorized").await,
            None => Ok(Captured::UnknownOrder),
        }
    }

    /// Adds the note of a captured payment of another amount than the team owes to a transaction, with an alert, unless it is
    /// known.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn note_other_amount(
        &self,
        tx: &mut Tx,
        captured: &GatewayPayment,
    ) -> Result<(), Problem> {
        const KIND: &str = "other_amount";
        let Some(payment) = self.payment_of_order(captured).await? else { return Ok(()) };
        if self.note_attempt(tx, &payment, captured, KIND).await? != Captured::Noted {
            return Ok(());
        }
        let paid_id = &captured.payment_id;
        let text = format!("The payment {paid_id} has another amount than the team owes.");
        self.alert(tx, paid_id.as_ref(), KIND, text)
    }

    /// Takes note of an attempt that changes nothing else.
    async fn note_attempt(
        &self,
        tx: &mut Tx,
        payment: &Payment,
        attempt: &GatewayPayment,
        outcome: &str,
    ) -> Result<Captured, Problem> {
        if notes::knows(payment, &attempt.payment_id, outcome)
            || payment.status >= PaymentStatus::Paid
        {
            return Ok(Captured::Known);
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
        Ok(Captured::Noted)
    }

    /// Returns the payment that an attempt of the gateway is for.
    async fn payment_of_order(&self, attempt: &GatewayPayment) -> Result<Option<Payment>, Problem> {
        match self.db.order(&attempt.order_id).await? {
            Some(lookup) => Ok(self.db.payment(&lookup.payment_id).await?),
            None => Ok(None),
        }
    }
}
