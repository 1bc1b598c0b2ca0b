//! What the service knows while it runs: its table, and what would otherwise differ from run to run.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::{Ids, Problem, Randomness, State};

use crate::patterns::HackTracker;

/// The running service.
pub struct App {
    /// The table.
    pub db: Store<HackTracker>,
    /// Where new ids come from.
    pub ids: Ids,
    /// Where secrets come from.
    pub randomness: Arc<dyn Randomness>,
    /// What cursors over sorted lists are signed with.
    pub(crate) cursor_key: [u8; 32],
}

impl App {
    /// The service on an open table. Cursors over sorted lists end with it.
    pub fn new(db: Store<HackTracker>, randomness: Arc<dyn Randomness>) -> Self {
        let mut cursor_key = [0; 32];
        randomness.fill(&mut cursor_key);
        Self { db, ids: Ids::default(), randomness, cursor_key }
    }

    /// Signs cursors over sorted lists with this key, so that other processes take them.
    #[must_use]
    pub fn cursor_key(mut self, key: [u8; 32]) -> Self {
        self.cursor_key = key;
        self
    }

    /// A new id, behind all that were given out before.
    ///
    /// # Errors
    /// 500 if it can't stand in a key, which no id of ours is.
    pub fn new_id<I>(&self) -> Result<I, Problem>
    where
        I: FromStr,
        I::Err: Display,
    {
        let text = self.ids.next(self.db.now());
        text.parse().map_err(|error: I::Err| Problem::internal(error.to_string()))
    }
}

impl State for App {
    fn now(&self) -> Timestamp {
        self.db.now()
    }
}
