//! The state of the running service: its table, its narrator, and its sources of randomness.

use std::ops::Deref;
use std::sync::Arc;

use monotable::model::time::Timestamp;
use monotable::model::{Error, Store};
use monotable_kit::{CallCounters, Core, LimitsCalls, Metrics, Problem, Randomness, State};

use crate::jobs::Backlog;
use crate::jobs::narrate::NarrationCounts;
use crate::kv::Kv;
use crate::legacy::{Repairs, Restored, restore};
use crate::refusal::Refusal;
use crate::rules::narration::{Narrator, Offline};
use crate::rules::rng::Seed;
use crate::table::{BtlRun, BtlRunReads as _, MatchId, MatchRow};

/// The tokens that narrators may use in a match.
pub const TOKENS_MAX: u64 = 50_000;

/// The state of the running service. Clones share it.
#[derive(Clone)]
pub struct App {
    pub(crate) core: Arc<Core<BtlRun>>,
    /// The rows of the table by their keys.
    pub kv: Kv,
    /// Writes stories.
    pub narrator: Arc<dyn Narrator>,
    /// The tokens that narrators may use in a match.
    pub tokens_max: u64,
    /// Whether stories are written as soon as their turns are resolved, and not only by background
    /// work.
    pub narrates_at_once: bool,
    /// The number of stories and their cost.
    pub narration: NarrationCounts,
    /// The background work.
    pub(crate) backlog: Arc<Backlog>,
    /// The repairs.
    pub(crate) repairs: Repairs,
}

impl Deref for App {
    type Target = Core<BtlRun>;

    fn deref(&self) -> &Self::Target {
        &self.core
    }
}

impl App {
    /// Starts the service on an open table, with the narrator that needs no network. Cursors of
    /// lists end with the process.
    pub fn new(db: Store<BtlRun>, randomness: Arc<dyn Randomness>) -> Self {
        let cursor_key = randomness.key();
        Self::with_cursor_key(db, randomness, cursor_key)
    }

    /// Starts the service, and signs cursors with a key that other processes use, too.
    pub fn with_cursor_key(
        db: Store<BtlRun>,
        randomness: Arc<dyn Randomness>,
        cursor_key: [u8; 32],
    ) -> Self {
        Self {
            kv: Kv::new(db.clone()),
            core: Arc::new(Core::new(db, randomness, cursor_key)),
            narrator: Arc::new(Offline),
            tokens_max: TOKENS_MAX,
            narrates_at_once: false,
            narration: NarrationCounts::default(),
            backlog: Arc::default(),
            repairs: Repairs::default(),
        }
    }

    /// Generates the seed of a match.
    pub(crate) fn new_seed(&self) -> Seed {
        Seed::new(self.randomness.key())
    }

    /// Returns milliseconds since 1970, as in events.
    pub fn now_ms(&self) -> i64 {
        self.db.now().as_ms()
    }

    /// Returns the current match exactly as it is stored, so that it can be changed. Older programs
    /// did not maintain the version in the value, so the row's version is used.
    ///
    /// # Errors
    ///
    /// Returns 404 if it does not exist.
    pub async fn match_row(&self, match_id: &MatchId) -> Result<MatchRow, Problem> {
        self.find_match(match_id).await?.ok_or_else(|| Refusal::MatchNotFound.into())
    }

    /// Returns the match like [`match_row`](Self::match_row), if there is one. A state that can't
    /// be read is rebuilt from its log.
    ///
    /// # Errors
    /// Returns 500 if neither the state nor the log can be read.
    pub async fn find_match(&self, match_id: &MatchId) -> Result<Option<MatchRow>, Problem> {
        match self.db.match_state(match_id).await {
            Err(error @ Error::Decode { .. }) => match restore(self, match_id).await? {
                Restored::Written | Restored::Known => Ok(self.db.match_state(match_id).await?),
                Restored::Unsound(reason) => {
                    Err(Problem::internal(format!("{error}; its log can't replace it: {reason}")))
                }
            },
            found => Ok(found?),
        }
    }
}

impl LimitsCalls for App {
    fn call_counters(&self) -> &dyn CallCounters {
        &self.db
    }
}

impl State for App {
    fn now(&self) -> Timestamp {
        self.db.now()
    }

    fn measure(&self, metrics: &Metrics) {
        self.kv.measure(metrics);
        self.narration.measure(metrics);
        self.backlog.counts.measure(metrics);
        self.repairs.measure(metrics);
    }
}
