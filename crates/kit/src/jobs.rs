//! Jobs: work that outlives a request, such as purges, cascades and work that is due in a month.
//!
//! A command creates a [`JobTicket`] in its transaction, so that the work is scheduled exactly if
//! the command takes effect. A worker runs it step by step; the writes of a step and the progress
//! of the job are one transaction. A worker may be killed at any point: another continues when the
//! lease of the step has expired. This module does not know what the jobs do.

mod regular;
mod report;
mod rounds;
mod step;
mod ticket;

use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use monotable::model::{Error, Holds, Rows, Store, Table, delete, edit};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use regular::Regular;
pub use report::JobsReport;
pub use rounds::{JobTurn, Rounds};
pub use step::JobStep;
pub use ticket::{
    JobId, JobKind, JobTicket, JobTicketKey, JobTicketUpdate, PromiseStamps, job_ticket,
};

use self::report::JobsCounts;
use self::rounds::pause;
use self::step::{Runner, runner};
use crate::metrics::Metrics;
use crate::problem::Problem;

/// A table with tickets, and the pattern that lists them:
/// `#[query(pk = "JOBS")] fn job_tickets(&self) -> Rows<JobTicket>;`.
pub trait JobTickets: Table + Holds<JobTicket> {
    /// Returns all tickets.
    fn job_tickets(db: &Store<Self>) -> Rows<JobTicket>;
}

/// How long a worker has for a step, before another may take over.
const LEASE: Duration = Duration::from_secs(60);
/// Steps of one ticket before other tickets get a turn.
const STEPS_PER_TURN: usize = 100;

/// Runs the jobs of tickets.
///
/// ```
/// use monotable::prelude::*;
/// use monotable_kit::Problem;
/// use monotable_kit::jobs::{JobStep, JobTicket, JobTickets, Jobs};
///
/// # #[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
/// # pub struct PlayerId(String);
/// # #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
/// # #[key(pk = "ROSTER", sk = "{player_id}")]
/// # pub struct Player { pub player_id: PlayerId }
/// table! {
///     pub League { name = "league"; key(PK, SK); type_attribute = ItemType; entities(Player, JobTicket); patterns(LeagueReads); }
/// }
///
/// #[access_patterns(League)]
/// pub trait LeagueReads {
///     #[query(pk = "ROSTER")]
///     fn roster(&self) -> Rows<Player>;
///     #[query(pk = "JOBS")]
///     fn job_tickets(&self) -> Rows<JobTicket>;
/// }
///
/// impl JobTickets for League {
///     fn job_tickets(db: &Store<Self>) -> Rows<JobTicket> {
///         LeagueReads::job_tickets(db)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let db = League::open(Embedded::memory()).await?;
/// # db.create(&Player { player_id: PlayerId::new("p1")? }).await?;
/// async fn purge(db: Store<League>, _why: String, _: Option<()>) -> Result<JobStep<League, ()>, Problem> {
///     let page = db.roster().consistent().take(90).page().await?;
///     let deletes = page.rows.iter().fold(db.transact(), |tx, player| tx.with(delete(player)));
///     Ok(match page.next {
///         Some(_) => JobStep::next(deletes, ()),
///         None => JobStep::done(deletes),
///     })
/// }
/// let jobs = Jobs::new(db.clone()).kind("purge", purge);
///
/// // The command promises …
/// let ticket = JobTicket::new("purge", "season-2026", &"it is over", db.now());
/// db.transact().with(create(ticket.map_err(|problem| problem.message)?)).await?;
/// // … and the worker does it.
/// assert_eq!(jobs.run_due().await.map_err(|problem| problem.message)?.done, 1);
/// assert_eq!(db.roster().count().await?, 0);
/// # Ok(())
/// # }
/// ```
pub struct Jobs<T: Table> {
    db: Store<T>,
    kinds: HashMap<&'static str, Runner<T>>,
    rounds: Rounds,
    counts: JobsCounts,
}

impl<T: JobTickets> Jobs<T> {
    /// Creates a worker without kinds of jobs.
    pub fn new(db: Store<T>) -> Self {
        Self { db, kinds: HashMap::new(), rounds: Rounds::default(), counts: JobsCounts::default() }
    }

    /// Returns the table.
    pub(crate) fn store(&self) -> &Store<T> {
        &self.db
    }

    /// Registers metrics of jobs.
    pub fn measure(&self, metrics: &Metrics) {
        self.counts.measure(metrics);
    }

    /// Runs jobs of this kind with a function that gets the table, the argument of the ticket and
    /// the cursor of the last step, and returns what to write and the next cursor. A step may be
    /// tried several times, so it must have no effect but the writes that it returns.
    #[must_use]
    pub fn kind<A, C, F, R>(mut self, kind: &'static str, step: F) -> Self
    where
        A: DeserializeOwned,
        C: Serialize + DeserializeOwned,
        F: Fn(Store<T>, A, Option<C>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<JobStep<T, C>, Problem>> + Send + 'static,
    {
        self.kinds.insert(kind, runner(step));
        self
    }

    /// Runs all jobs that are due, each for one turn.
    ///
    /// # Errors
    /// Fails if the tickets can't be read. Failed jobs are counted, and retried later.
    pub async fn run_due(&self) -> Result<JobsReport, Problem> {
        let mut report = JobsReport::default();
        let round = self.round(&mut report).await;
        self.counts.add(&report, round.is_ok());
        round.map(|()| report)
    }

    async fn round(&self, report: &mut JobsReport) -> Result<(), Problem> {
        let tickets = T::job_tickets(&self.db);
        let name = |ticket: &JobTicket| format!("{}#{}", ticket.kind, ticket.job_id);
        let turn = |ticket: JobTicket| async move {
            match self.kinds.get(ticket.kind.as_ref()) {
                None => Ok(JobTurn::Unknown),
                Some(_) if ticket.due_at > self.db.now() => Ok(JobTurn::Waits),
                Some(runner) => Ok(self.turn(ticket, runner, STEPS_PER_TURN).await),
            }
        };
        self.rounds.run(&self.db, tickets, name, turn, report).await
    }

    /// Runs due jobs repeatedly, with this pause in between, and passes each report to `report`. It
    /// never ends by itself; it may be dropped at any point.
    pub async fn run(&self, pause: Duration, mut report: impl FnMut(Result<JobsReport, Problem>)) {
        loop {
            report(self.run_due().await);
            tokio::time::sleep(pause).await;
        }
    }

    /// Runs the first steps of a job that a command has just scheduled, so that callers find them
    /// done. Remaining or failed steps are run like those of all other jobs.
    pub async fn begin(&self, kind: &str, job_id: &str, steps_max: usize) {
        let Some(runner) = self.kinds.get(kind) else { return };
        let mut tickets = T::job_tickets(&self.db).stream();
        while let Some(Ok(ticket)) = tickets.next().await {
            if ticket.kind.as_ref() == kind && ticket.job_id.as_ref() == job_id {
                self.turn(ticket, runner, steps_max).await;
                return;
            }
        }
    }

    /// Claims a ticket and runs steps of its job.
    async fn turn(&self, ticket: JobTicket, runner: &Runner<T>, steps_max: usize) -> JobTurn {
        let leased_until = self.db.now() + LEASE;
        let mut ticket = match self.db.edit(ticket, |ticket| ticket.due_at = leased_until).await {
            Ok(ticket) => ticket,
            // Another worker was faster, or the storage failed and nothing has changed.
            Err(Error::VersionConflict { .. } | Error::NotFound { .. }) => return JobTurn::Waits,
            Err(_) => return JobTurn::Failed,
        };
        for number in 1..=steps_max {
            let is_last_of_turn = number == steps_max;
            match self.step(&ticket, runner, is_last_of_turn).await {
                Ok(Some(advanced)) => ticket = advanced,
                Ok(None) => return JobTurn::Done,
                Err(problem) => {
                    self.put_off(ticket, &problem).await;
                    return JobTurn::Failed;
                }
            }
        }
        JobTurn::Waits
    }

    /// Runs one step; returns `None` if it was the last.
    async fn step(
        &self,
        ticket: &JobTicket,
        runner: &Runner<T>,
        is_last_of_turn: bool,
    ) -> Result<Option<JobTicket>, Problem> {
        let JobStep { mut transaction, next } = runner(self.db.clone(), ticket.clone()).await?;
        let Some(cursor) = next else {
            transaction.with(delete(ticket)).commit().await?;
            return Ok(None);
        };
        let lease = if is_last_of_turn { Duration::ZERO } else { LEASE };
        let due_at = self.db.now() + lease;
        let advanced = transaction.add(edit(ticket, |ticket| {
            ticket.cursor = Some(cursor);
            ticket.due_at = due_at;
            ticket.failures = 0;
            ticket.last_problem = None;
        }));
        let done = transaction.commit().await?;
        Ok(Some(done[advanced].clone()))
    }

    /// Stores a failure and the time of the next attempt. A worker that has lost the ticket to
    /// another one stores nothing; if storing fails, the job is due when its lease expires.
    async fn put_off(&self, ticket: JobTicket, problem: &Problem) {
        let failures = ticket.failures.saturating_add(1);
        let due_at = self.db.now() + pause(failures);
        let noted = self.db.edit(ticket, |ticket| {
            ticket.failures = failures;
            ticket.due_at = due_at;
            ticket.last_problem = Some(problem.code.to_owned());
        });
        let _ = noted.await;
    }
}
