//! The keys of requests, which can be replaced while the server runs.

use std::sync::Arc;

use arc_swap::ArcSwap;
use monotable_wire::sigv4::KeyRing;

/// Keys that can be replaced. Clones share them.
#[derive(Clone)]
pub struct Keys(Arc<ArcSwap<KeyRing>>);

impl Keys {
    /// Accepts requests that are signed with these keys.
    pub fn new(keys: KeyRing) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(keys)))
    }

    /// Accepts only other keys, starting with the next request.
    pub fn replace(&self, keys: KeyRing) {
        self.0.store(Arc::new(keys));
    }

    pub(crate) fn load(&self) -> Arc<KeyRing> {
        self.0.load_full()
    }
}
