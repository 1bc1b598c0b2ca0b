//! The worker that delivers the messages of an outbox.

use std::sync::Arc;
use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable::model::{Error, Store, check_absent, create, delete, edit};

use super::OutboxTable;
use super::mailer::{MailError, Mailer};
use super::message::{DeliveredKey, Lane, OutboxMessage};
use super::report::{OutboxCounts, OutboxReport};
use super::sealed::LetterSealer;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::randomness::Randomness;

/// How often an e-mail is tried before it is given up.
const ATTEMPTS_MAX: u32 = 8;
/// How long a worker has for an e-mail, before another may try.
const LEASE: Duration = Duration::from_secs(60);
/// How long a mailer may take, well within the lease.
const DELIVERY_MAX: Duration = Duration::from_secs(30);
/// The pause after the first failure; it doubles after each further one.
const WAIT_MIN: Duration = Duration::from_secs(30);
/// How long delivered e-mails are remembered.
const REMEMBERED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Delivers the e-mails of a lane.
pub struct Outbox<T: OutboxTable> {
    db: Store<T>,
    lane: Lane,
    mailer: Arc<dyn Mailer>,
    sealer: LetterSealer,
    randomness: Arc<dyn Randomness>,
    counts: OutboxCounts,
}

impl<T: OutboxTable> Outbox<T> {
    /// Creates a worker for a lane, whose e-mails are sealed with this sealer.
    pub fn new(
        db: Store<T>,
        lane: Lane,
        mailer: Arc<dyn Mailer>,
        sealer: LetterSealer,
        randomness: Arc<dyn Randomness>,
    ) -> Self {
        Self { db, lane, mailer, sealer, randomness, counts: OutboxCounts::default() }
    }

    /// Registers metrics of deliveries.
    pub fn measure(&self, metrics: &Metrics) {
        self.counts.measure(metrics);
    }

    /// Delivers everything that is due.
    ///
    /// # Errors
    /// Fails if the storage fails. Remaining e-mails are delivered the next time, and one that was
    /// being delivered may be sent twice.
    pub async fn deliver_due(&self) -> Result<OutboxReport, Problem> {
        let mut report = OutboxReport::default();
        let round = self.round(&mut report).await;
        self.counts.add(&report, round.is_ok());
        round.map(|()| report)
    }

    async fn round(&self, report: &mut OutboxReport) -> Result<(), Problem> {
        let mut messages = T::outbox(&self.db, &self.lane).stream();
        while let Some(message) = messages.next().await {
            let message = message?;
            let count = if message.due_at <= self.db.now() {
                self.deliver(message, report).await?
            } else {
                &mut report.waiting
            };
            *count += 1;
        }
        Ok(())
    }

    /// Deletes the records of e-mails that were delivered long ago, and returns how many.
    ///
    /// # Errors
    /// Fails if the storage fails.
    pub async fn sweep(&self) -> Result<usize, Problem> {
        let oldest = self.db.now() - REMEMBERED;
        let mut forgotten = 0;
        let mut letters = T::delivered(&self.db, &self.lane).stream();
        while let Some(letter) = letters.next().await {
            let letter = letter?;
            if letter.stamps.created < oldest {
                let key = DeliveredKey::new(letter.lane, letter.letter_id);
                forgotten += usize::from(self.db.delete_by_key(&key).await?);
            }
        }
        Ok(forgotten)
    }

    /// Delivers due messages repeatedly, with this pause in between, and passes each report to
    /// `report`. It never ends by itself; it may be dropped at any point.
    pub async fn run(
        &self,
        pause: Duration,
        mut report: impl FnMut(Result<OutboxReport, Problem>),
    ) {
        let mut sweep_at = self.db.now();
        loop {
            report(self.deliver_due().await);
            if sweep_at <= self.db.now() {
                // What was not deleted now is deleted the next time.
                let _ = self.sweep().await;
                sweep_at = self.db.now() + Duration::from_secs(60 * 60);
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Delivers one message, and returns the counter of its result.
    async fn deliver<'r>(
        &self,
        message: OutboxMessage,
        report: &'r mut OutboxReport,
    ) -> Result<&'r mut usize, Problem> {
        if message.attempts >= ATTEMPTS_MAX {
            // The worker of the last attempt was killed.
            let error = message.last_error.clone();
            self.bury(&message, error).await?;
            return Ok(&mut report.dead);
        }
        let message = match self.claim(&message).await? {
            Claim::Ours(message) => *message,
            Claim::Others => return Ok(&mut report.waiting),
            Claim::Repeated => {
                lost_is_fine(self.db.delete(&message).await)?;
                return Ok(&mut report.repeated);
            }
        };
        match self.send(&message).await {
            Ok(()) => {
                self.finish(&message).await?;
                Ok(&mut report.delivered)
            }
            Err(MailError::Later(error)) if message.attempts < ATTEMPTS_MAX => {
                self.put_off(message, error).await?;
                Ok(&mut report.failed)
            }
            Err(MailError::Later(error) | MailError::Never(error)) => {
                self.bury(&message, Some(error.to_owned())).await?;
                Ok(&mut report.dead)
            }
        }
    }

    /// Passes an e-mail to the mailer.
    async fn send(&self, message: &OutboxMessage) -> Result<(), MailError> {
        // A server that is started with the right key delivers it.
        let letter = message.open(&self.sealer);
        let letter = letter.ok_or(MailError::Later("the e-mail was sealed with another key"))?;
        let sent = tokio::time::timeout(DELIVERY_MAX, self.mailer.deliver(&letter)).await;
        sent.unwrap_or(Err(MailError::Later("the mailer took too long")))
    }

    /// Claims a message for the time of a lease, unless its e-mail was delivered before.
    async fn claim(&self, message: &OutboxMessage) -> Result<Claim, Problem> {
        let leased_until = self.db.now() + LEASE;
        let delivered = DeliveredKey::new(message.lane.clone(), message.letter_id()?);
        let mut tx = self.db.transact();
        let claimed = tx.add(edit(message, |message| {
            message.letter = message.sealed(&self.sealer);
            message.attempts += 1;
            message.due_at = leased_until;
        }));
        let repeated = tx.add(check_absent(&delivered));
        match tx.commit().await {
            Ok(done) => Ok(Claim::Ours(Box::new(done[claimed].clone()))),
            Err(error) if error.of(claimed).is_some_and(is_lost) => Ok(Claim::Others),
            Err(error) if matches!(error.of(repeated), Some(Error::Exists { .. })) => {
                Ok(Claim::Repeated)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Records that an e-mail was delivered.
    async fn finish(&self, message: &OutboxMessage) -> Result<(), Problem> {
        let delivered = message.delivered()?;
        let mut tx = self.db.transact();
        let gone = tx.add(delete(message));
        let delivered = tx.add(create(delivered));
        match tx.commit().await {
            // The same e-mail was delivered meanwhile for another message.
            Err(error)
                if error.of(gone).is_none()
                    && matches!(error.of(delivered), Some(Error::Exists { .. })) =>
            {
                lost_is_fine(self.db.delete(message).await)
            }
            finished => lost_is_fine(finished.map(drop)),
        }
    }

    async fn put_off(&self, message: OutboxMessage, error: &str) -> Result<(), Problem> {
        let due_at = self.next_attempt(message.attempts);
        let put_off = self.db.edit(message, |message| {
            message.due_at = due_at;
            message.last_error = Some(error.to_owned());
        });
        lost_is_fine(put_off.await.map(drop))
    }

    async fn bury(&self, message: &OutboxMessage, error: Option<String>) -> Result<(), Problem> {
        let dead = message.dead(error, &self.sealer);
        lost_is_fine(self.db.transact().with(delete(message)).with(create(dead)).await.map(drop))
    }

    /// Returns when to retry after this number of attempts: later each time, with jitter.
    fn next_attempt(&self, attempts: u32) -> Timestamp {
        let wait = WAIT_MIN.saturating_mul(2_u32.saturating_pow(attempts.saturating_sub(1)));
        let mut byte = [0];
        self.randomness.fill(&mut byte);
        self.db.now() + wait + wait.saturating_mul(u32::from(byte[0])) / 1_024
    }
}

/// The result of a claim.
enum Claim {
    Ours(Box<OutboxMessage>),
    Others,
    Repeated,
}

/// Returns whether another writer has changed the row meanwhile.
fn is_lost(error: &Error) -> bool {
    matches!(error, Error::VersionConflict { .. } | Error::NotFound { .. })
}

/// Ignores a lost race: a worker that took over the message finishes it.
fn lost_is_fine(done: Result<(), Error>) -> Result<(), Problem> {
    match done {
        Err(Error::Transaction { failures })
            if failures.iter().any(|failure| is_lost(&failure.error)) =>
        {
            Ok(())
        }
        Err(error) if is_lost(&error) => Ok(()),
        done => Ok(done?),
    }
}
