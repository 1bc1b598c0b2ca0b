//! The state that readers see: the newest durable rows with their catalog.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;

use crate::error::{Error, Result};
use crate::faults::FaultState;
use crate::options::{Durability, Options};
use crate::statistics::Meters;
use crate::store::{NewestRows, Snapshot, Store};
use crate::table::Catalog;

/// The newest durable state: to look up tables, and to read single rows.
pub(crate) struct Newest {
    pub(crate) rows: NewestRows,
    pub(crate) catalog: Arc<Catalog>,
}

/// The database at one moment.
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) snapshot: Arc<dyn Snapshot>,
    pub(crate) catalog: Arc<Catalog>,
}

/// The state that readers and the committer share.
pub(crate) struct Shared {
    pub(crate) store: Box<dyn Store>,
    pub(crate) options: Options,
    pub(crate) faults: FaultState,
    pub(crate) meters: Meters,
    newest: ArcSwap<Newest>,
    lagging: Option<Lagging>,
    poisoned: OnceLock<String>,
}

impl Shared {
    pub(crate) fn new(store: Box<dyn Store>, options: Options, catalog: Catalog) -> Self {
        let newest = Newest { rows: store.newest(), catalog: Arc::new(catalog) };
        let lagging = options.faults.index_lag.map(|lag| {
            let now_ms = options.clock.now_ms();
            Lagging { lag, states: Mutex::new(VecDeque::from([(now_ms, newest.rows.snapshot())])) }
        });
        Self {
            store,
            faults: FaultState::new(&options),
            meters: Meters::new(Arc::clone(&options.clock)),
            options,
            newest: ArcSwap::from_pointee(newest),
            lagging,
            poisoned: OnceLock::new(),
        }
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.options.clock.now_ms()
    }

    /// Returns whether every commit is durable when the store returns.
    pub(crate) fn syncs_every_commit(&self) -> bool {
        self.store.is_durable() && self.options.durability == Durability::Full
    }

    /// Returns the newest state.
    pub(crate) fn newest(&self) -> arc_swap::Guard<Arc<Newest>> {
        self.newest.load()
    }

    /// Returns the newest state, for consistent multi-row reads.
    pub(crate) fn view(&self) -> View {
        let newest = self.newest();
        let (snapshot, catalog) = match &newest.rows {
            NewestRows::Published(snapshot) => (Arc::clone(snapshot), Arc::clone(&newest.catalog)),
            // A commit that changes the catalog publishes it while it keeps readers out, so both
            // are from the same moment here.
            NewestRows::Live(rows) => rows.snapshot_with(|| Arc::clone(&self.newest().catalog)),
        };
        View { snapshot, catalog }
    }

    /// Returns the older rows that global indexes show under index lag.
    pub(crate) fn lagging_rows(&self) -> Option<Arc<dyn Snapshot>> {
        self.lagging.as_ref().map(|lagging| lagging.rows(self.now_ms()))
    }

    /// Lets readers see a commit. Live rows are visible already, so only a new catalog needs
    /// publishing.
    pub(crate) fn publish(&self, rows: NewestRows, catalog: &Arc<Catalog>) {
        let is_news = match &rows {
            NewestRows::Published(_) => true,
            NewestRows::Live(_) => !Arc::ptr_eq(catalog, &self.newest().catalog),
        };
        if is_news {
            self.newest.store(Arc::new(Newest { rows, catalog: Arc::clone(catalog) }));
        }
    }

    /// Keeps the state after a commit for the index-lag fault mode.
    pub(crate) fn remember_for_lag(&self) {
        if let Some(lagging) = &self.lagging {
            lagging.push(self.now_ms(), self.view().snapshot);
        }
    }

    /// Refuses writes after a storage failure: the state on disk is unknown until the database is
    /// reopened.
    pub(crate) fn check_poison(&self) -> Result<()> {
        match self.poisoned.get() {
            Some(text) => Err(Error::Poisoned(text.clone())),
            None => Ok(()),
        }
    }

    pub(crate) fn poison(&self, error: &Error) {
        // The first failure is reported, without the sentence that every report adds.
        let reason = match error {
            Error::Poisoned(reason) => reason.clone(),
            error => error.to_string(),
        };
        let _ = self.poisoned.set(reason);
    }
}

/// The index-lag fault mode: older states, until they are no longer the newest one old enough.
struct Lagging {
    lag: Duration,
    states: Mutex<VecDeque<(u64, Arc<dyn Snapshot>)>>,
}

impl Lagging {
    fn push(&self, now_ms: u64, rows: Arc<dyn Snapshot>) {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        states.push_back((now_ms, rows));
        self.prune(&mut states, now_ms);
    }

    fn rows(&self, now_ms: u64) -> Arc<dyn Snapshot> {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        self.prune(&mut states, now_ms);
        Arc::clone(&states[0].1)
    }

    /// Drops states that a newer one, old enough itself, has replaced. One always stays.
    fn prune(&self, states: &mut VecDeque<(u64, Arc<dyn Snapshot>)>, now_ms: u64) {
        let lag_ms = u64::try_from(self.lag.as_millis()).unwrap_or(u64::MAX);
        let visible_ms = now_ms.saturating_sub(lag_ms);
        while states.len() > 1 && states[1].0 <= visible_ms {
            states.pop_front();
        }
    }
}
