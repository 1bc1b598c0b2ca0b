//! Commands of a match, one after the other within this process.
//!
//! Versions decide who was first, also between processes. This only spares those who come at the same
//! moment from losing to each other again and again: a turn's last minute is when everybody chooses.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use http::Method;
use monotable_kit::Request;
use tokio::sync::{Mutex, MutexGuard};

/// Matches share queues, so that their number is known. Two that do only wait a little longer.
const QUEUES: usize = 64;

/// Where commands wait for each other.
#[derive(Clone, Debug)]
pub(crate) struct Queues(Arc<[Mutex<()>; QUEUES]>);

impl Default for Queues {
    fn default() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Mutex::new(()))))
    }
}

impl Queues {
    /// Waits until nobody who came before works on the match that a request is for. Those who only
    /// look, or are for no match, wait for nobody.
    pub(crate) async fn turn(&self, method: &Method, call: &Request) -> Option<MutexGuard<'_, ()>> {
        let match_id = call.path.get("id").filter(|_| *method != Method::GET)?;
        let mut hasher = DefaultHasher::new();
        match_id.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % QUEUES as u64).unwrap_or_default();
        Some(self.0[place].lock().await)
    }
}
