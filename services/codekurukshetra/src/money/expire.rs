//! `expireHolds`: slots of teams that have not paid in time become free.

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, edit};
use monotable_kit::{Problem, repeat};

use crate::money::reconcile::Silence;
use crate::money::tally::Tally;
use crate::money::{Cashier, commit};
use crate::rules::registration::ttl_of_expired;
use crate::rules::statistics::Happening;
use crate::table::{
    CodeKurukshetraReads as _, Participant, PaymentStatus, RegistrationStatus, Team, TeamId,
};

impl Cashier {
    /// Ends the holds that are over, and returns how many. A team whose payment only has not been reported yet is
    /// confirmed instead.
    ///
    /// # Errors
    /// Returns the errors of the table. A team that can't be read does not stop the others.
    pub(crate) async fn expire_holds(&self) -> Result<usize, Problem> {
        let mut expired = 0;
        let (mut first_problem, mut silence) = (None, Silence::default());
        for team_id in self.overdue(self.db.now()).await? {
            // If the gateway can't be asked, a payment that is reported later still confirms the team.
            if !silence.is_long() {
                silence.notice(&self.reconcile_team(&team_id).await);
            }
            match repeat(|| self.expire(&team_id)).await {
                Ok(is_expired) => expired += usize::from(is_expired),
                Err(problem) => _ = first_problem.get_or_insert(problem),
            }
        }
        first_problem.map_or(Ok(expired), Err)
    }

    /// Returns the teams whose hold is over. The index may lag; each is looked at again before it expires.
    async fn overdue(&self, now: Timestamp) -> Result<Vec<TeamId>, Problem> {
        let mut overdue = Vec::new();
        for status in [PaymentStatus::Pending, PaymentStatus::Failed] {
            let mut teams = self.db.teams_by_status(status).skip_unreadable().stream();
            while let Some(team) = teams.next().await {
                let team = team?;
                if is_overdue(&team, now) {
                    overdue.push(team.team_id);
                }
            }
        }
        Ok(overdue)
    }

    /// Ends the hold of a team, unless it has paid meanwhile.
    async fn expire(&self, team_id: &TeamId) -> Result<bool, Problem> {
        let now = self.db.now();
        let team = self.db.team(team_id).await?;
        let Some(team) = team.filter(|team| is_overdue(team, now)) else { return Ok(false) };
        let config = self.config().await?;
        let members = self.members(&team).await?;
        let mut tx = self.db.transact();
        self.held_guards(&team, &members).await?.release(&mut tx);
        tx.add(edit(&team, |team| team.set_registration(RegistrationStatus::Expired)));
        for member in &members {
            let ttl = Some(ttl_of_expired(now));
            tx.add(Participant::update(&member.key()).ttl(ttl));
        }
        let mut tally = Tally { slots: -1, ..Tally::default() };
        tally.count(Happening::Expired);
        tally.add_to(&mut tx, config.day_of(now)?, config.max_teams);
        self.write_expired(&mut tx, &config, &team, &members)?;
        commit(tx).await.map(|_| true)
    }
}

/// Returns whether a team has not paid in time.
fn is_overdue(team: &Team, now: Timestamp) -> bool {
    team.held_until().is_some_and(|until| until <= now)
}
