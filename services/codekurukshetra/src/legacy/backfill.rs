//! Brings rows of older programs up to date: the sort keys of indexes, facets, guards, lookups and counters that they did not
//! write, statuses, members and versions of teams, and the encryption of personal data.
//!
//! Rows without the sort key of an index are not in it, so that nobody finds them there. What is derived from rows is left
//! to the same check that runs every night.

use std::collections::BTreeMap;

use monotable::model::{Error, Store};
use monotable_kit::backfill::{Backfill, BackfillReport, Look};
use monotable_kit::{BoxFuture, FieldKeys, Problem, Zone};
use serde::Serialize;

use super::fill;
use crate::consistency::{self, Repair};
use crate::table::{
    CodeKurukshetra, CodeKurukshetraReads as _, Config, LegacyRow, Participant, ParticipantId,
    Payment, PaymentId, Team, TeamId,
};

/// What is counted: rows whose fields were filled, and everything that follows from rows and was missing or wrong.
const COUNTS: [&str; 4] = ["teams", "participants", "payments", DERIVED];
const DERIVED: &str = "derivedRows";
/// Rounds of the check: one repair can be the condition of another.
const ROUNDS_MAX: usize = 4;

/// What was done, and what was not.
pub type Report = BackfillReport<Conflict>;

/// What needs a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "fields are named after what they are of")]
pub enum Conflict {
    /// A telephone number can't be read. It is encrypted as it was.
    OddPhone { participant_id: ParticipantId },
    /// Rows contradict each other.
    Disagreement { row: String, text: String },
}

/// A run of the backfill.
struct Run<'a> {
    db: &'a Store<CodeKurukshetra>,
    keys: &'a FieldKeys,
    zone: Zone,
    backfill: Backfill<Conflict>,
    members: BTreeMap<TeamId, Vec<Participant>>,
    payments: BTreeMap<TeamId, Vec<Payment>>,
    teams: Vec<TeamId>,
}

/// Brings the whole table up to date, and then lets it remove expired rows. It can run while the service is in use, and
/// again.
///
/// # Errors
/// Fails if the table can't be read or written; earlier changes stay.
pub fn backfill<'a>(db: &'a Store<CodeKurukshetra>, keys: &'a FieldKeys) -> BoxFuture<'a, Report> {
    Box::pin(async move {
        let config = db.config().await?;
        let zone = config.map_or_else(Config::usual_timezone, |config| config.timezone);
        let mut run = Run {
            db,
            keys,
            zone: Zone::named(&zone).map_err(Problem::internal)?,
            backfill: Backfill::new(&COUNTS),
            members: BTreeMap::new(),
            payments: BTreeMap::new(),
            teams: Vec::new(),
        };
        run.walk().await?;
        run.fill().await?;
        run.derive().await?;
        // Before, an expiry in the past could have removed members of teams that take part.
        db.enable_expiry().await?;
        Ok(run.backfill.finish())
    })
}

impl Run<'_> {
    /// Reads which rows there are.
    async fn walk(&mut self) -> Result<(), Problem> {
        let mut rows = self.db.legacy_rows().stream();
        while let Some(row) = self.backfill.next(&mut rows).await? {
            match row {
                LegacyRow::Team(row) => self.teams.push(row.team_id),
                LegacyRow::Participant(row) => {
                    self.members.entry(row.team_id.clone()).or_default().push(row);
                }
                LegacyRow::Payment(row) => {
                    self.payments.entry(row.team_id.clone()).or_default().push(row);
                }
            }
        }
        Ok(())
    }

    /// Fills the fields of all rows, each when it is as it was read.
    async fn fill(&self) -> Result<(), Problem> {
        for payment in self.payments.values().flatten() {
            let id = &payment.payment_id;
            let row = format!("PAYMENT#{id}");
            self.backfill.settle(row, || self.fill_payment(id)).await?;
        }
        for person in self.members.values().flatten() {
            let id = &person.participant_id;
            let row = format!("PARTICIPANT#{id}");
            self.backfill.settle(row, || self.fill_participant(id)).await?;
        }
        for team_id in &self.teams {
            let row = format!("TEAM#{team_id}");
            self.backfill.settle(row, || self.fill_team(team_id)).await?;
        }
        Ok(())
    }

    async fn fill_payment(&self, payment_id: &PaymentId) -> Result<Look, Problem> {
        let Some(before) = self.db.payment(payment_id).await? else { return Ok(Look::Settled) };
        let mut after = before.clone();
        fill::payment(&mut after, self.keys, &self.zone)?;
        if after == before {
            return Ok(Look::Settled);
        }
        let edited = self.db.edit(before, |row| *row = after).await.map(drop);
        self.filled("payments", edited)
    }

    async fn fill_participant(&self, participant_id: &ParticipantId) -> Result<Look, Problem> {
        let Some(before) = self.db.participant(participant_id).await? else {
            return Ok(Look::Settled);
        };
        let team = self.db.team(&before.team_id).await?;
        let mut after = before.clone();
        if !fill::participant(&mut after, team.as_ref(), self.keys, self.db.now())? {
            let participant_id = participant_id.clone();
            self.backfill.needs_decision(Conflict::OddPhone { participant_id });
        }
        if after == before {
            return Ok(Look::Settled);
        }
        let edited = self.db.edit(before, |row| *row = after).await.map(drop);
        self.filled("participants", edited)
    }

    async fn fill_team(&self, team_id: &TeamId) -> Result<Look, Problem> {
        let Some(before) = self.db.team(team_id).await? else { return Ok(Look::Settled) };
        let members = self.members.get(team_id).map_or(&[][..], Vec::as_slice);
        let payments = self.payments.get(team_id).map_or(&[][..], Vec::as_slice);
        let mut after: Team = before.clone();
        fill::team(&mut after, members, payments, &self.zone);
        if after == before {
            return Ok(Look::Settled);
        }
        let edited = self.db.edit(before, |row| *row = after).await.map(drop);
        self.filled("teams", edited)
    }

    fn filled(&self, name: &'static str, edited: Result<(), Error>) -> Result<Look, Problem> {
        match edited {
            Ok(()) => self.backfill.repaired(name, 1),
            Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Look::Settled)
    }

    /// Writes what follows from the rows, and reports what contradicts itself.
    async fn derive(&self) -> Result<(), Problem> {
        for round in 1..=ROUNDS_MAX {
            let report = consistency::check(self.db, Repair::Derived).await?;
            let left = report.left();
            let repaired = report.findings.len() - left;
            self.backfill.repaired(DERIVED, repaired as u64);
            if repaired == 0 || round == ROUNDS_MAX {
                for finding in report.findings.into_iter().filter(|it| !it.is_repaired) {
                    let consistency::Finding { row, text, .. } = finding;
                    self.backfill.needs_decision(Conflict::Disagreement { row, text });
                }
                return Ok(());
            }
        }
        Ok(())
    }
}
