//! The background work of a service: scheduled jobs and the e-mails of its outbox.

use crate::box_future::BoxFuture;
use crate::jobs::{JobTickets, Jobs, JobsReport};
use crate::metrics::Metrics;
use crate::outbox::{Outbox, OutboxReport, OutboxTable};

/// The jobs of a service and, once it has a mailer, its e-mails.
pub struct Background<T: OutboxTable> {
    jobs: Jobs<T>,
    outbox: Option<Outbox<T>>,
}

/// The result of a round of background work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkReport {
    /// The result of the jobs.
    pub jobs: JobsReport,
    /// The result of the e-mails.
    pub letters: OutboxReport,
}

impl<T: JobTickets + OutboxTable> Background<T> {
    /// Creates background work of these jobs. E-mails wait until there is an outbox.
    pub fn new(jobs: Jobs<T>) -> Self {
        Self { jobs, outbox: None }
    }

    /// Delivers the e-mails of an outbox.
    pub fn deliver(&mut self, outbox: Outbox<T>) {
        self.outbox = Some(outbox);
    }

    /// Runs the jobs that are due, and delivers the e-mails that are due.
    ///
    /// # Errors
    /// Fails if the scheduled work can't be read. Work that fails is retried later.
    pub fn work(&self) -> BoxFuture<'_, WorkReport> {
        Box::pin(async move {
            let jobs = self.jobs.run_due().await?;
            let letters = match &self.outbox {
                Some(outbox) => outbox.deliver_due().await?,
                None => OutboxReport::default(),
            };
            Ok(WorkReport { jobs, letters })
        })
    }

    /// Runs the first steps of a job that was just scheduled: see [`Jobs::begin`].
    pub fn begin<'a>(
        &'a self,
        kind: &'a str,
        job_id: &'a str,
        steps_max: usize,
    ) -> impl Future<Output = ()> + Send + 'a {
        self.jobs.begin(kind, job_id, steps_max)
    }

    /// Deletes rows that have expired, such as recorded responses and sessions, and the records of
    /// e-mails that were delivered long ago. Returns the number of rows. Once a day is enough.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            let expired = self.jobs.store().delete_expired().await?;
            Ok(match &self.outbox {
                Some(outbox) => expired + outbox.sweep().await?,
                None => expired,
            })
        })
    }

    /// Registers metrics of both.
    pub fn measure(&self, metrics: &Metrics) {
        self.jobs.measure(metrics);
        if let Some(outbox) = &self.outbox {
            outbox.measure(metrics);
        }
    }
}

/// Implements [`JobTickets`] and [`OutboxTable`] for a table by its access patterns `job_tickets`, `outbox` and
/// `delivered`: `background!(League, LeagueReads);`.
#[macro_export]
macro_rules! background {
    ($Table:ty, $Reads:ident) => {
        impl $crate::jobs::JobTickets for $Table {
            fn job_tickets(
                db: &::monotable::model::Store<Self>,
            ) -> ::monotable::model::Rows<$crate::jobs::JobTicket> {
                $Reads::job_tickets(db)
            }
        }

        impl $crate::outbox::OutboxTable for $Table {
            fn outbox(
                db: &::monotable::model::Store<Self>,
                lane: &$crate::outbox::Lane,
            ) -> ::monotable::model::Rows<$crate::outbox::OutboxMessage> {
                $Reads::outbox(db, lane)
            }

            fn delivered(
                db: &::monotable::model::Store<Self>,
                lane: &$crate::outbox::Lane,
            ) -> ::monotable::model::Rows<$crate::outbox::Delivered> {
                $Reads::delivered(db, lane)
            }
        }
    };
}
