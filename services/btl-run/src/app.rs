//! What the service knows while it runs: its table, its narrator, and what would otherwise differ from
//! run to run.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use monotable::model::time::Timestamp;
use monotable::model::{Error, Store};
use monotable_kit::{
    Bookmarks, CallCounters, Events, Ids, LimitsCalls, LogSink, Metrics, Problem, Randomness,
    Records, State,
};

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

/// The running service. Clones are the same one.
#[derive(Clone)]
pub struct App {
    /// The table.
    pub db: Store<BtlRun>,
    /// Its rows by their keys.
    pub kv: Kv,
    /// Where new ids come from.
    pub ids: Arc<Ids>,
    /// Where seeds, codes and secrets come from.
    pub randomness: Arc<dyn Randomness>,
    /// Who follows what right now.
    pub events: Events,
    /// Who tells what happened.
    pub narrator: Arc<dyn Narrator>,
    /// The tokens that narrators may use in a match.
    pub tokens_max: u64,
    /// Whether stories are told as soon as their turns are resolved, and not only by the work.
    pub narrates_at_once: bool,
    /// What was told, and what it cost.
    pub narration: NarrationCounts,
    /// Where pages of lists end.
    pub(crate) bookmarks: Bookmarks,
    /// What is done in the background.
    pub(crate) backlog: Arc<Backlog>,
    /// What was repaired.
    pub(crate) repairs: Repairs,
}

impl App {
    /// The service on an open table, with the narrator that needs no network. Cursors over lists end
    /// with it.
    pub fn new(db: Store<BtlRun>, randomness: Arc<dyn Randomness>) -> Self {
        let mut cursor_key = [0; 32];
        randomness.fill(&mut cursor_key);
        Self {
            kv: Kv::new(db.clone()),
            db,
            ids: Arc::default(),
            randomness,
            events: Events::default(),
            narrator: Arc::new(Offline),
            tokens_max: TOKENS_MAX,
            narrates_at_once: false,
            narration: NarrationCounts::default(),
            bookmarks: Bookmarks::new(cursor_key),
            backlog: Arc::default(),
            repairs: Repairs::default(),
        }
    }

    /// Where the answers to requests with an `Idempotency-Key` are kept: in the table of the service.
    pub fn records(&self) -> Arc<dyn Records> {
        Arc::new(self.db.clone())
    }

    /// Signs cursors with this key, so that other processes take them.
    #[must_use]
    pub fn cursor_key(mut self, key: [u8; 32]) -> Self {
        self.bookmarks = Bookmarks::new(key);
        self
    }

    /// Lets this narrator tell the stories.
    #[must_use]
    pub fn narrator(mut self, narrator: Arc<dyn Narrator>) -> Self {
        self.narrator = narrator;
        self
    }

    /// Lets stories be told as soon as their turns are resolved, beside the requests.
    #[must_use]
    pub fn narrates_at_once(mut self) -> Self {
        self.narrates_at_once = true;
        self
    }

    /// Lets narrators use so many tokens in a match.
    #[must_use]
    pub fn tokens_max(mut self, tokens: u64) -> Self {
        self.tokens_max = tokens;
        self
    }

    /// Writes a line to this log for each repair.
    #[must_use]
    pub fn log(mut self, log: Arc<dyn LogSink>) -> Self {
        self.repairs = self.repairs.log(log);
        self
    }

    /// A new id, behind all that were given out before.
    ///
    /// # Errors
    /// 500 if it can't stand in a key, which no id of ours is.
    pub fn new_id<I: FromStr<Err: Display>>(&self) -> Result<I, Problem> {
        self.ids.next_of(self.db.now())
    }

    /// Draws the seed of a match.
    pub(crate) fn new_seed(&self) -> Seed {
        let mut bytes = [0; 32];
        self.randomness.fill(&mut bytes);
        Seed::new(bytes)
    }

    /// Milliseconds since 1970, as events have them.
    pub fn now_ms(&self) -> i64 {
        self.db.now().as_ms()
    }

    /// The match as it is now, and exactly as it is stored, so that it can be changed. Older programs let
    /// the version inside drift away: the row's is the one that counts.
    ///
    /// # Errors
    /// 404 if there is none.
    pub async fn match_row(&self, match_id: &MatchId) -> Result<MatchRow, Problem> {
        self.find_match(match_id).await?.ok_or_else(|| Refusal::MatchNotFound.into())
    }

    /// The match as [`match_row`](Self::match_row) gives it, if there is one. A state that can't be read is
    /// rebuilt from its log.
    ///
    /// # Errors
    /// 500 if neither the state nor the log can be read.
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
        self.backlog.measure(metrics);
        self.repairs.measure(metrics);
    }
}
