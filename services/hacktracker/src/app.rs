//! The state of the running service.

use std::ops::Deref;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::outbox::{Lane, LetterSealer, Mailer, Outbox};
use monotable_kit::{
    Background, Bookmarks, BoxFuture, Core, Metrics, Problem, Randomness, State, WorkReport,
};

use crate::api::invites::LANE;
use crate::api::logbook::Logbook;
use crate::jobs;
use crate::table::{HackTracker, ListShards};

/// The running service.
pub struct App {
    core: Core<HackTracker>,
    /// How the lists of everything are spread.
    pub(crate) lists: ListShards,
    /// The plate appearances of games that are viewed.
    pub(crate) logbook: Logbook,
    /// Seals the texts of e-mails while they wait.
    pub(crate) letter_sealer: LetterSealer,
    background: Background<HackTracker>,
}

impl Deref for App {
    type Target = Core<HackTracker>;

    fn deref(&self) -> &Self::Target {
        &self.core
    }
}

impl App {
    /// Starts the service on an open table. Unless keys are set, cursors over sorted lists end with
    /// the process, and pending e-mails cannot be decrypted afterwards.
    pub fn new(db: Store<HackTracker>, randomness: Arc<dyn Randomness>) -> Self {
        let key = randomness.key();
        Self {
            background: Background::new(jobs::jobs(db.clone())),
            core: Core::new(db, randomness, key),
            lists: ListShards::default(),
            logbook: Logbook::default(),
            letter_sealer: LetterSealer::new(&key),
        }
    }

    /// Encrypts waiting e-mails with this key, so that a later process can deliver them. Set it
    /// before the mailer.
    #[must_use]
    pub fn secrets_key(mut self, key: &[u8; 32]) -> Self {
        self.letter_sealer = LetterSealer::new(key);
        self
    }

    /// Delivers e-mails with this mailer; until then they wait.
    ///
    /// # Errors
    /// Returns 500 if the lane of the e-mails can't be part of a key, which never happens.
    pub fn mailer(mut self, mailer: Arc<dyn Mailer>) -> Result<Self, Problem> {
        let lane = Lane::new(LANE).map_err(|error| Problem::internal(error.to_string()))?;
        let (sealer, randomness) = (self.letter_sealer.clone(), Arc::clone(&self.randomness));
        self.background.deliver(Outbox::new(self.db.clone(), lane, mailer, sealer, randomness));
        Ok(self)
    }

    /// Signs cursors over sorted lists with this key, so that other processes accept them.
    #[must_use]
    pub fn cursor_key(mut self, key: [u8; 32]) -> Self {
        self.core.bookmarks = Bookmarks::new(key);
        self
    }

    /// Sets the number of index partitions for the lists of all users, teams and games. Existing
    /// rows are found as long as the number does not decrease.
    #[must_use]
    pub fn list_shards(mut self, count: u16) -> Self {
        self.lists = ListShards::new(count);
        self
    }

    /// Does the background work that is due.
    ///
    /// # Errors
    /// Fails if the scheduled work can't be read. Work that fails is retried later.
    pub fn work(&self) -> BoxFuture<'_, WorkReport> {
        self.background.work()
    }

    /// Deletes expired data, and returns the number of rows: see [`Background::sweep`].
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        self.background.sweep()
    }
}

impl State for App {
    fn now(&self) -> Timestamp {
        self.db.now()
    }

    fn measure(&self, metrics: &Metrics) {
        self.background.measure(metrics);
    }
}
