//! What the service knows while it runs: its table, and what would otherwise differ from run to run.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::jobs::{Jobs, JobsReport};
use monotable_kit::outbox::{Lane, LetterSealer, Mailer, Outbox, OutboxReport};
use monotable_kit::{
    Bookmarks, BoxFuture, Events, Ids, Metrics, Problem, Randomness, Records, State,
};

use crate::api::invites::LANE;
use crate::api::logbook::Logbook;
use crate::jobs::{delete_game, purge};
use crate::table::{HackTracker, ListShards};

/// The running service.
pub struct App {
    /// The table.
    pub db: Store<HackTracker>,
    /// Where new ids come from.
    pub ids: Ids,
    /// Where secrets come from.
    pub randomness: Arc<dyn Randomness>,
    /// Who follows what right now.
    pub events: Events,
    /// How the lists of everything are spread.
    pub(crate) lists: ListShards,
    /// Where pages of sorted lists end.
    pub(crate) bookmarks: Bookmarks,
    /// The plate appearances of games that are looked at.
    pub(crate) logbook: Logbook,
    /// Seals the texts of letters while they wait.
    pub(crate) letter_sealer: LetterSealer,
    jobs: Jobs<HackTracker>,
    outbox: Option<Outbox<HackTracker>>,
}

/// What a round of work in the background did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// What became of work in steps.
    pub jobs: JobsReport,
    /// What became of letters.
    pub letters: OutboxReport,
}

impl App {
    /// The service on an open table. Cursors over sorted lists end with it, and nobody can read the
    /// letters that still wait then, unless keys are set.
    pub fn new(db: Store<HackTracker>, randomness: Arc<dyn Randomness>) -> Self {
        let mut cursor_key = [0; 32];
        randomness.fill(&mut cursor_key);
        let jobs = delete_game::known_to(Jobs::new(db.clone()), &db);
        let jobs = purge::known_to(jobs, &db);
        Self {
            db,
            ids: Ids::default(),
            randomness,
            events: Events::default(),
            lists: ListShards::default(),
            bookmarks: Bookmarks::new(cursor_key),
            logbook: Logbook::default(),
            letter_sealer: LetterSealer::new(&cursor_key),
            jobs,
            outbox: None,
        }
    }

    /// Where the answers to requests with an `Idempotency-Key` are kept: in the table of the service.
    pub fn records(&self) -> Arc<dyn Records> {
        Arc::new(self.db.clone())
    }

    /// Seals letters that wait with this key, so that a later process can deliver them. Set it before the
    /// mailer.
    #[must_use]
    pub fn secrets_key(mut self, key: &[u8; 32]) -> Self {
        self.letter_sealer = LetterSealer::new(key);
        self
    }

    /// Lets letters be delivered by this; until then they wait.
    ///
    /// # Errors
    /// 500 if the lane of the letters can't stand in a key, which it can.
    pub fn mailer(mut self, mailer: Arc<dyn Mailer>) -> Result<Self, Problem> {
        let lane = Lane::new(LANE).map_err(|error| Problem::internal(error.to_string()))?;
        let (sealer, randomness) = (self.letter_sealer.clone(), Arc::clone(&self.randomness));
        self.outbox = Some(Outbox::new(self.db.clone(), lane, mailer, sealer, randomness));
        Ok(self)
    }

    /// Does the work that commands have promised and that is due, and delivers their letters.
    ///
    /// # Errors
    /// If what is promised can't be read. Work that fails is tried again another time.
    pub fn work(&self) -> BoxFuture<'_, Work> {
        Box::pin(async move {
            let jobs = self.jobs.run_due().await?;
            let letters = match &self.outbox {
                Some(outbox) => outbox.deliver_due().await?,
                None => OutboxReport::default(),
            };
            Ok(Work { jobs, letters })
        })
    }

    /// Forgets what need not be remembered any more: once an hour is enough.
    ///
    /// # Errors
    /// What the table says.
    pub fn sweep(&self) -> BoxFuture<'_, usize> {
        Box::pin(async move {
            let letters = match &self.outbox {
                Some(outbox) => outbox.sweep().await?,
                None => 0,
            };
            Ok(letters + purge::answers(&self.db).await?)
        })
    }

    /// Signs cursors over sorted lists with this key, so that other processes take them.
    #[must_use]
    pub fn cursor_key(mut self, key: [u8; 32]) -> Self {
        self.bookmarks = Bookmarks::new(key);
        self
    }

    /// Spreads the lists of all users, teams and games over so many partitions of their index. Rows that
    /// were written before are found as long as the number does not become smaller.
    #[must_use]
    pub fn list_shards(mut self, count: u16) -> Self {
        self.lists = ListShards::new(count);
        self
    }

    /// A new id, behind all that were given out before.
    ///
    /// # Errors
    /// 500 if it can't stand in a key, which no id of ours is.
    pub fn new_id<I: FromStr<Err: Display>>(&self) -> Result<I, Problem> {
        self.ids.next_of(self.db.now())
    }
}

impl State for App {
    fn now(&self) -> Timestamp {
        self.db.now()
    }

    fn measure(&self, metrics: &Metrics) {
        self.jobs.measure(metrics);
        if let Some(outbox) = &self.outbox {
            outbox.measure(metrics);
        }
    }
}
