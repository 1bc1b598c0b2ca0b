//! What readers see: the newest durable snapshot with the catalog that belongs to it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;

use crate::error::{Error, Result};
use crate::faults::FaultState;
use crate::options::{Durability, Options};
use crate::statistics::Meters;
use crate::store::{Snapshot, Store};
use crate::table::Catalog;

/// The database at one moment.
pub(crate) struct View {
    pub(crate) snapshot: Arc<dyn Snapshot>,
    pub(crate) catalog: Arc<Catalog>,
}

/// What readers and the committer share.
pub(crate) struct Shared {
    pub(crate) store: Box<dyn Store>,
    pub(crate) options: Options,
    pub(crate) faults: FaultState,
    pub(crate) meters: Meters,
    newest: ArcSwap<View>,
    lagging: Option<Lagging>,
    poisoned: OnceLock<String>,
}

impl Shared {
    pub(crate) fn new(store: Box<dyn Store>, options: Options, catalog: Catalog) -> Self {
        let view = Arc::new(View { snapshot: store.snapshot(), catalog: Arc::new(catalog) });
        let lagging = options.faults.index_lag.map(|lag| {
            let now_ms = options.clock.now_ms();
            Lagging { lag, views: Mutex::new(VecDeque::from([(now_ms, Arc::clone(&view))])) }
        });
        Self {
            store,
            faults: FaultState::new(&options),
            meters: Meters::new(Arc::clone(&options.clock)),
            options,
            newest: ArcSwap::from(view),
            lagging,
            poisoned: OnceLock::new(),
        }
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.options.clock.now_ms()
    }

    /// Whether a commit is durable when the store has taken it.
    pub(crate) fn syncs_every_commit(&self) -> bool {
        self.store.is_durable() && self.options.durability == Durability::Full
    }

    /// The newest state.
    pub(crate) fn view(&self) -> arc_swap::Guard<Arc<View>> {
        self.newest.load()
    }

    /// The state that global indexes show: the newest one, or an older one under index lag.
    pub(crate) fn index_view(&self) -> Arc<View> {
        match &self.lagging {
            Some(lagging) => lagging.view(self.now_ms()),
            None => self.newest.load_full(),
        }
    }

    pub(crate) fn publish(&self, view: View) {
        let view = Arc::new(view);
        if let Some(lagging) = &self.lagging {
            lagging.push(self.now_ms(), Arc::clone(&view));
        }
        self.newest.store(view);
    }

    /// Refuses writes after a storage failure: what is on disk is unknown until it is reopened.
    pub(crate) fn check_poison(&self) -> Result<()> {
        match self.poisoned.get() {
            Some(text) => Err(Error::Poisoned(text.clone())),
            None => Ok(()),
        }
    }

    pub(crate) fn poison(&self, error: &Error) {
        // The first failure is the one to report.
        let _ = self.poisoned.set(error.to_string());
    }
}

/// The index-lag fault mode: older views, until they are no longer the newest one old enough.
struct Lagging {
    lag: Duration,
    views: Mutex<VecDeque<(u64, Arc<View>)>>,
}

impl Lagging {
    fn push(&self, now_ms: u64, view: Arc<View>) {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        views.push_back((now_ms, view));
        self.prune(&mut views, now_ms);
    }

    fn view(&self, now_ms: u64) -> Arc<View> {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        self.prune(&mut views, now_ms);
        Arc::clone(&views[0].1)
    }

    /// Drops views that a younger one, old enough itself, has replaced. One always stays.
    fn prune(&self, views: &mut VecDeque<(u64, Arc<View>)>, now_ms: u64) {
        let lag_ms = u64::try_from(self.lag.as_millis()).unwrap_or(u64::MAX);
        let visible_ms = now_ms.saturating_sub(lag_ms);
        while views.len() > 1 && views[1].0 <= visible_ms {
            views.pop_front();
        }
    }
}
