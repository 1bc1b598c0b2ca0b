//! The background work of a service: what its jobs and its outbox have promised.

use crate::box_future::BoxFuture;
use crate::jobs::{JobTickets, Jobs, JobsReport};
use crate::metrics::Metrics;
use crate::outbox::{Outbox, OutboxReport, OutboxTable};

/// The jobs of a service and, once it has a mailer, its e-mails.
pub struct Background<T: OutboxTable> {
    jobs: Jobs<T>,
    outbox: Option<Outbox<T>>,
}

/// What a round of background work did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkReport {
    /// What became of work in steps.
    pub jobs: JobsReport,
    /// What became of e-mails.
    pub letters: OutboxReport,
}

impl<T: JobTickets + OutboxTable> Background<T> {
    /// Does these jobs. E-mails wait until there is an outbox.
    pub fn new(jobs: Jobs<T>) -> Self {
        Self { jobs, outbox: None }
    }

    /// Delivers the e-mails of an outbox.
    pub fn deliver(&mut self, outbox: Outbox<T>) {
        self.outbox = Some(outbox);
    }

    /// Does the work that is due, and delivers the e-mails that are.
    ///
    /// # Errors
    /// If what was promised can't be read. Work that fails is tried again later.
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

    /// Does the first steps of a job that was promised just now: see [`Jobs::begin`].
    pub fn begin<'a>(
        &'a self,
        kind: &'a str,
        job_id: &'a str,
        steps_max: usize,
    ) -> impl Future<Output = ()> + Send + 'a {
        self.jobs.begin(kind, job_id, steps_max)
    }

    /// Deletes rows that have expired, such as recorded responses and sessions, and forgets which e-mails were
    /// delivered long ago. Returns how many rows those were: once a day is enough.
    ///
    /// # Errors
    /// What the table reports.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            let expired = self.jobs.store().delete_expired().await?;
            Ok(match &self.outbox {
                Some(outbox) => expired + outbox.sweep().await?,
                None => expired,
            })
        })
    }

    /// Reports what became of both wherever metrics are shown.
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
