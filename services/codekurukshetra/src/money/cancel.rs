//! `cancel`: a team takes part no more.

use monotable::model::edit;
use monotable_kit::Problem;

use crate::money::tally::Tally;
use crate::money::{Cashier, Tx};
use crate::table::{
    AccountId, CodeKurukshetraReads as _, Payment, PaymentStatus, RegistrationStatus, Team,
};

impl Cashier {
    /// Adds the end of a team to a transaction: its slot and its guards become free. What it has paid is returned if an
    /// administrator ends it, and else marked: administrators decide about refunds.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn cancel(
        &self,
        tx: &mut Tx,
        team: &Team,
        administrator: Option<&AccountId>,
    ) -> Result<(), Problem> {
        let (config, now) = (self.config().await?, self.db.now());
        let members = self.members(team).await?;
        self.held_guards(team, &members).await?.release(tx);
        self.stop_waiting(tx, team).await?;
        let before = team.registration();
        tx.add(edit(team, |team| team.set_registration(RegistrationStatus::Cancelled)));
        let tally = Tally {
            slots: -i64::from(before.has_slot()),
            confirmed: -i64::from(before == RegistrationStatus::Confirmed),
            ..Tally::default()
        };
        tally.add_to(tx, config.day_of(now)?, config.max_teams);
        for payment in self.paid_payments(team).await? {
            // Also if it is being returned: the bank may decline that.
            tx.add(edit(&payment, |payment| payment.needs_refund = Some(true)));
            if let Some(administrator) = administrator {
                let (by, reason) = (administrator.clone(), "The team was cancelled.");
                self.promise_again(tx, &payment, by, reason).await?;
            } else {
                let (team, id) = (&team.team_id, &payment.payment_id);
                let text = format!("The leader has withdrawn team {team}, which has paid {id}.");
                self.alert(tx, id.as_ref(), "refund_due", text)?;
            }
        }
        Ok(())
    }

    /// Returns the payments of a team that the service has the money of.
    async fn paid_payments(&self, team: &Team) -> Result<Vec<Payment>, Problem> {
        let is_paid =
            |payment: &Payment| payment.status == PaymentStatus::Paid && payment.amount > 0;
        if let Some(payment_id) = &team.payment_uuid {
            return Ok(self.db.payment(payment_id).await?.into_iter().filter(is_paid).collect());
        }
        // Teams of older programs do not name their payment.
        let payments = self.db.payments_of(&team.team_id).all().await?;
        Ok(payments.into_iter().filter(is_paid).collect())
    }
}
