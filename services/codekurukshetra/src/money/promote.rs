//! The waiting list: a slot that becomes free goes to the team that has waited longest.

use monotable::model::time::Timestamp;
use monotable::model::{create, delete, edit};
use monotable_kit::{Problem, repeat};

use crate::app::App;
use crate::money::tally::Tally;
use crate::money::{Cashier, Tx, commit};
use crate::rules::registration::hold_until;
use crate::table::{
    CodeKurukshetraReads as _, Config, Payment, PaymentId, RegistrationStatus, Team, WaitlistEntry,
};

/// Teams that one round of work promotes at most.
const PROMOTIONS_MAX: usize = 100;

/// Promotes teams while slots are free, and returns how many.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn promote(app: &App) -> Result<usize, Problem> {
    for promoted in 0..PROMOTIONS_MAX {
        let payment_id: PaymentId = app.new_id()?;
        if !repeat(|| app.cashier.promote_next(&payment_id)).await? {
            return Ok(promoted);
        }
    }
    Ok(PROMOTIONS_MAX)
}

impl Cashier {
    /// Gives a free slot to the first team of the waiting list. Returns false if there is no slot, or no team.
    async fn promote_next(&self, payment_id: &PaymentId) -> Result<bool, Problem> {
        let first = self.db.waitlist().take(1).page().await?.rows.pop();
        let Some(entry) = first else { return Ok(false) };
        let config = self.config().await?;
        if self.db.now() >= config.event_start || !self.has_free_slot(&config).await? {
            return Ok(false);
        }
        let team = self.db.team(&entry.team_id).await?;
        let waits = |team: &Team| team.registration() == RegistrationStatus::Waitlisted;
        match team.filter(waits) {
            Some(team) => self.promote_team(&config, &entry, &team, payment_id).await?,
            // Another program has ended it.
            None => _ = commit(self.db.transact().with(delete(&entry))).await?,
        }
        Ok(true)
    }

    /// Takes a team that ends off the waiting list.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn stop_waiting(&self, tx: &mut Tx, team: &Team) -> Result<(), Problem> {
        if team.registration() == RegistrationStatus::Waitlisted {
            let entries = self.db.waitlist().all().await?;
            let own = entries.iter().filter(|entry| entry.team_id == team.team_id);
            own.for_each(|entry| _ = tx.add(delete(entry)));
        }
        Ok(())
    }

    /// Gives a slot to a team. At a free event it is confirmed at once.
    async fn promote_team(
        &self,
        config: &Config,
        entry: &WaitlistEntry,
        team: &Team,
        payment_id: &PaymentId,
    ) -> Result<(), Problem> {
        let now = self.db.now();
        let members = self.members(team).await?;
        let mut tx = self.db.transact().with(delete(entry));
        let mut tally = Tally { slots: 1, ..Tally::default() };
        if team.amount == 0 {
            tally.confirmed = 1;
            self.confirm_team(&mut tx, config, (team, &members), None)?;
        } else {
            let payment = Payment::of(team, payment_id.clone(), config.day_of(now)?);
            let mut held = team.clone();
            hold(&mut held, config, &payment, now);
            tx.add(edit(team, |team| hold(team, config, &payment, now)));
            tx.add(create(payment));
            let leader = members.iter().find(|it| it.participant_id == team.leader_participant_id);
            if let Some(leader) = leader {
                self.write_held(&mut tx, config, &held, leader)?;
            }
        }
        tally.add_to(&mut tx, config.day_of(now)?, config.max_teams);
        commit(tx).await.map(drop)
    }
}

/// Lets a team hold a slot until it has paid.
pub(crate) fn hold(team: &mut Team, config: &Config, payment: &Payment, now: Timestamp) {
    team.set_registration(RegistrationStatus::PendingPayment);
    team.hold_until = Some(hold_until(now, config.hold_hours));
    team.payment_uuid = Some(payment.payment_id.clone());
}
