//! The state that every running service has, besides its own.

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

/// The table of a service, and its sources of ids and randomness. A service keeps it in its own
/// state and dereferences to it: `app.db`, `app.new_id()`.
pub struct Core<T: Table> {
    /// The table.
    pub db: Store<T>,
    /// The source of ids.
    pub ids: Ids,
    /// The source of secrets.
    pub randomness: Arc<dyn Randomness>,
    /// The event streams.
    pub events: Events,
    /// The cursors of sorted lists.
    pub bookmarks: Bookmarks,
    /// The cached pages.
    pub pages: KeptPages,
}

impl<T: KeepsRequests> Core<T> {
    /// Starts on an open table. Cursors of sorted lists are signed with a key; to stay valid in
    /// other processes and after a restart, it must be the same there.
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

    /// Returns the storage of the responses to requests with an `Idempotency-Key`: the table.
    pub fn records(&self) -> Arc<dyn Records> {
        Arc::new(self.db.clone())
    }

    /// Returns a new id, which sorts after all earlier ones.
    ///
    /// # Errors
    /// Returns 500 if it can't be part of a key; generated ids always can.
    pub fn new_id<I: FromStr<Err: Display>>(&self) -> Result<I, Problem> {
        self.ids.next_of(self.db.now())
    }
}
