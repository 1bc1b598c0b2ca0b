//! What every service has while it runs, besides its own.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use monotable::model::{Store, Table};

use crate::bookmark::Bookmarks;
use crate::events::Events;
use crate::pages::KeptPages;
use crate::problem::Problem;
use crate::randomness::{Ids, Randomness};
use crate::records::{KeepsRequests, Records};

/// The table of a service, and what would otherwise differ from run to run. A service keeps it in its own
/// state and dereferences to it: `app.db`, `app.new_id()`.
pub struct Core<T: Table> {
    /// The table.
    pub db: Store<T>,
    /// Where new ids come from.
    pub ids: Ids,
    /// Where secrets come from.
    pub randomness: Arc<dyn Randomness>,
    /// Who follows what right now.
    pub events: Events,
    /// Where pages of sorted lists end.
    pub bookmarks: Bookmarks,
    /// Pages that everybody sees alike.
    pub pages: KeptPages,
}

impl<T: KeepsRequests> Core<T> {
    /// Starts on an open table. Cursors over sorted lists are signed with a key: one that other processes
    /// know, too, or they end with this one.
    pub fn new(db: Store<T>, randomness: Arc<dyn Randomness>, cursor_key: [u8; 32]) -> Self {
        let bookmarks = Bookmarks::new(cursor_key);
        let ids = Ids::new(Arc::clone(&randomness));
        let events = if db.is_shared() { Events::shared() } else { Events::default() };
        Self { db, ids, randomness, events, bookmarks, pages: KeptPages::default() }
    }

    /// Writes new ids as ULIDs.
    #[must_use]
    pub fn ulids(self) -> Self {
        Self { ids: self.ids.ulids(), ..self }
    }

    /// Returns where the responses to requests with an `Idempotency-Key` are kept: in the table.
    pub fn records(&self) -> Arc<dyn Records> {
        Arc::new(self.db.clone())
    }

    /// Returns a new id, behind all that were given out before.
    ///
    /// # Errors
    /// 500 if it can't be part of a key, which every id of ours can.
    pub fn new_id<I: FromStr<Err: Display>>(&self) -> Result<I, Problem> {
        self.ids.next_of(self.db.now())
    }
}
