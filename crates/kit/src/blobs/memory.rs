//! Blobs in memory: for tests, and for servers that store nothing.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use monotable::model::time::Timestamp;

use super::{BlobKey, BlobStore, StoredBlob, Storing};

/// Blobs in one call of `list`.
const LISTED_MAX: usize = 100;

/// A store in memory. Clones are handles to the same store.
#[derive(Clone, Debug, Default)]
pub struct MemoryBlobs(Arc<Mutex<BTreeMap<BlobKey, (Bytes, Timestamp)>>>);

impl MemoryBlobs {
    /// Returns the keys of all blobs.
    pub fn keys(&self) -> Vec<BlobKey> {
        self.blobs().keys().cloned().collect()
    }

    /// Returns another store with the same blobs.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self(Arc::new(Mutex::new(self.blobs().clone())))
    }

    fn blobs(&self) -> MutexGuard<'_, BTreeMap<BlobKey, (Bytes, Timestamp)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BlobStore for MemoryBlobs {
    fn put<'a>(&'a self, key: &'a BlobKey, bytes: Bytes, now: Timestamp) -> Storing<'a, ()> {
        self.blobs().insert(key.clone(), (bytes, now));
        Box::pin(async { Ok(()) })
    }

    fn get<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, Option<Bytes>> {
        let found = self.blobs().get(key).map(|(bytes, _)| bytes.clone());
        Box::pin(async { Ok(found) })
    }

    fn delete<'a>(&'a self, key: &'a BlobKey) -> Storing<'a, ()> {
        self.blobs().remove(key);
        Box::pin(async { Ok(()) })
    }

    fn list<'a>(
        &'a self,
        first_segment: &'a str,
        after: Option<&'a BlobKey>,
    ) -> Storing<'a, Vec<StoredBlob>> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let blobs = self.blobs();
        let listed = blobs.range((start, Bound::Unbounded));
        let of_segment = listed.filter(|(key, _)| key.segments().next() == Some(first_segment));
        let listed = of_segment
            .map(|(key, (_, stored_at))| StoredBlob { key: key.clone(), stored_at: *stored_at })
            .take(LISTED_MAX)
            .collect();
        Box::pin(async { Ok(listed) })
    }
}
