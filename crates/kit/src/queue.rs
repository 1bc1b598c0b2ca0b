//! Queues per subject: requests about the same subject wait for each other, which avoids version
//! conflicts. They are an optimization; correctness comes from the conditions of writes.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard};

/// The number of queues; subjects that share one wait for each other.
const QUEUES: usize = 256;

/// The queues of a service. Clones are the same queues.
#[derive(Clone, Debug)]
pub struct Queues(Arc<[Mutex<()>]>);

impl Default for Queues {
    fn default() -> Self {
        Self((0..QUEUES).map(|_| Mutex::default()).collect())
    }
}

impl Queues {
    /// Waits for the caller's turn for a subject.
    pub async fn turn(&self, subject: &str) -> MutexGuard<'_, ()> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(subject);
        let queue = usize::try_from(hash % QUEUES as u64).unwrap_or(0);
        self.0[queue].lock().await
    }
}
