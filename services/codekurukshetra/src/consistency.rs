//! Whether rows agree with each other: index keys and facets with the fields that they follow from, copies with their
//! originals, references with the rows that they lead to, guards with who holds them, and counters with what they count.
//!
//! What follows from other rows can be repaired. What contradicts itself, such as a team that is marked as paid while its
//! payment is not, is only reported: another program wrote it, and somebody has to decide.

mod copies;
mod counters;
mod derived;
mod fix;
mod guards;
mod references;

use std::collections::BTreeMap;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::{BoxFuture, Problem};

use self::fix::Fix;
use crate::jobs::merge_college;
use crate::table::{
    Account, CheckedRow, CodeKurukshetra, CodeKurukshetraReads as _, CollegeMerge, Config,
    EmailGuard, NameGuard, OrderLookup, Participant, ParticipantId, Payment, PaymentId,
    StatusFacet, Team, TeamId, TrackFacet,
};

/// Whether what can be repaired is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// It is only reported.
    Never,
    /// It is.
    Derived,
}

/// Something that does not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// What sort of rows: `keys`, `copies`, `references`, `guards`, `states` or `counters`.
    pub(crate) kind: &'static str,
    /// The row, such as `TEAM#1`.
    pub(crate) row: String,
    /// What is wrong with it, without personal data.
    pub(crate) text: String,
    /// Whether it is right now.
    pub(crate) is_repaired: bool,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// Rows that were read.
    pub(crate) rows: usize,
    pub(crate) findings: Vec<Finding>,
}

impl Report {
    /// Returns how many findings are left.
    pub(crate) fn left(&self) -> usize {
        self.findings.iter().filter(|finding| !finding.is_repaired).count()
    }
}

/// A finding on its way, with what would make it right.
struct Found {
    kind: &'static str,
    row: String,
    text: String,
    fix: Option<Fix>,
}

impl Found {
    fn new(kind: &'static str, row: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind, row: row.into(), text: text.into(), fix: None }
    }

    fn fixed_by(self, fix: Fix) -> Self {
        Self { fix: Some(fix), ..self }
    }
}

/// The rows that are compared. Memory is no concern: an event has a few thousand of them.
#[derive(Default)]
struct Rows {
    count: usize,
    now: Timestamp,
    config: Option<Config>,
    teams: BTreeMap<TeamId, Team>,
    participants: BTreeMap<ParticipantId, Participant>,
    payments: BTreeMap<PaymentId, Payment>,
    emails: Vec<EmailGuard>,
    accounts: Vec<Account>,
    names: Vec<NameGuard>,
    orders: Vec<OrderLookup>,
    status_facets: Vec<StatusFacet>,
    track_facets: Vec<TrackFacet>,
    merges: Vec<CollegeMerge>,
    /// Whether names of colleges that are merged are still to be written.
    is_merging: bool,
    unreadable: Vec<String>,
}

impl Rows {
    async fn read(db: &Store<CodeKurukshetra>) -> Result<Self, Problem> {
        let mut rows = Self { now: db.now(), config: db.config().await?, ..Self::default() };
        rows.merges = db.college_merges().consistent().all().await?;
        let tickets = db.job_tickets().all().await?;
        rows.is_merging = tickets.iter().any(|it| it.kind.as_ref() == merge_college::KIND);
        let mut stream = db.checked_rows().stream();
        while let Some(row) = stream.next().await {
            rows.count += 1;
            match row {
                Ok(row) => rows.add(row),
                Err(
                    error @ (monotable::model::Error::Decode { .. }
                    | monotable::model::Error::Key { .. }),
                ) => rows.unreadable.push(error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(rows)
    }

    fn add(&mut self, row: CheckedRow) {
        match row {
            CheckedRow::Team(row) => _ = self.teams.insert(row.team_id.clone(), row),
            CheckedRow::Participant(row) => {
                self.participants.insert(row.participant_id.clone(), row);
            }
            CheckedRow::Payment(row) => _ = self.payments.insert(row.payment_id.clone(), row),
            CheckedRow::EmailGuard(row) => self.emails.push(row),
            CheckedRow::Account(row) => self.accounts.push(row),
            CheckedRow::NameGuard(row) => self.names.push(row),
            CheckedRow::OrderLookup(row) => self.orders.push(row),
            CheckedRow::StatusFacet(row) => self.status_facets.push(row),
            CheckedRow::TrackFacet(row) => self.track_facets.push(row),
        }
    }

    /// Returns the team of a participant, if it holds the participant's address, account and place.
    fn holding_team(&self, participant: &Participant) -> Option<&Team> {
        let team = self.teams.get(&participant.team_id)?;
        (team.registration().has_guards() && participant.erased_at.is_none()).then_some(team)
    }

    /// Returns the participants of a team: those that it lists, and of teams of older programs those that name it.
    fn members<'a>(&'a self, team: &'a Team) -> impl Iterator<Item = &'a Participant> {
        self.participants.values().filter(move |member| {
            member.team_id == team.team_id
                && (team.member_ids.is_empty() || team.member_ids.contains(&member.participant_id))
        })
    }
}

/// Compares all rows, and repairs what may be repaired.
///
/// # Errors
/// Returns the errors of the table. A row with a concurrent change stays as it is and is found the next time.
pub(crate) fn check(db: &Store<CodeKurukshetra>, repair: Repair) -> BoxFuture<'_, Report> {
    Box::pin(async move {
        // Counters are read before what they count: see `counters`.
        let before = counters::Counters::read(db).await?;
        let rows = Rows::read(db).await?;
        let mut found: Vec<Found> = Vec::new();
        let unreadable = |text: &String| Found::new("states", "", text.clone());
        found.extend(rows.unreadable.iter().map(unreadable));
        derived::compare(db, &rows, &mut found).await?;
        copies::compare(&rows, &mut found);
        references::compare(&rows, &mut found);
        guards::compare(&rows, &mut found);
        let mut report = Report { rows: rows.count, findings: Vec::new() };
        for Found { kind, row, text, fix } in found {
            let is_repaired = match fix {
                Some(fix) if repair == Repair::Derived => fix.apply(db).await?,
                _ => false,
            };
            report.findings.push(Finding { kind, row, text, is_repaired });
        }
        counters::compare(db, &before, &rows, repair, &mut report).await?;
        Ok(report)
    })
}
