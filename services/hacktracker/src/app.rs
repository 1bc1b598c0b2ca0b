//! What the service knows while it runs: its table, and what would otherwise differ from run to run.

use std::fmt::Display;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::str::FromStr;
use std::sync::Arc;

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::{Bookmarks, Events, Ids, Problem, Randomness, State};
use tokio::sync::{Mutex, MutexGuard};

use crate::ids::GameId;
use crate::patterns::HackTracker;

/// How many games are told apart by [`App::turn`]; games that share a number wait for each other.
const TURNS: usize = 256;

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
    /// Where pages of sorted lists end.
    pub(crate) bookmarks: Bookmarks,
    turns: Vec<Mutex<()>>,
}

impl App {
    /// The service on an open table. Cursors over sorted lists end with it.
    pub fn new(db: Store<HackTracker>, randomness: Arc<dyn Randomness>) -> Self {
        let mut cursor_key = [0; 32];
        randomness.fill(&mut cursor_key);
        let turns = (0..TURNS).map(|_| Mutex::default()).collect();
        Self {
            db,
            ids: Ids::default(),
            randomness,
            events: Events::default(),
            bookmarks: Bookmarks::new(cursor_key),
            turns,
        }
    }

    /// Signs cursors over sorted lists with this key, so that other processes take them.
    #[must_use]
    pub fn cursor_key(mut self, key: [u8; 32]) -> Self {
        self.bookmarks = Bookmarks::new(key);
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

    /// Waits for the changes of the same game that this process is making. What is right does not
    /// depend on it, for every change is conditioned on the version of the game; but scorekeepers
    /// with several devices would fail on each other's versions and start over.
    pub(crate) async fn turn(&self, game_id: &GameId) -> MutexGuard<'_, ()> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(game_id);
        let number = usize::try_from(hash % TURNS as u64).unwrap_or_default();
        self.turns[number].lock().await
    }
}

impl State for App {
    fn now(&self) -> Timestamp {
        self.db.now()
    }
}
