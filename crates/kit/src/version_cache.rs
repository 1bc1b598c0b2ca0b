//! Values that follow from the rows of a subject, kept in memory with the version of the row that every
//! change of them changes, too.
//!
//! What was complete at a version is complete for as long as the row has it, in whichever process the next
//! change is made, and need not be read again. Nothing may be decided by such a value alone: condition
//! writes on the version.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use monotable::model::time::Timestamp;

/// Values by subject and version.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use monotable::model::time::Timestamp;
/// use monotable_kit::VersionCache;
///
/// let cache = VersionCache::new(512, Duration::from_secs(5));
/// let now = Timestamp::default();
/// cache.keep("game-1", 7, Arc::new(vec!["single"]), now);
/// assert_eq!(cache.find(&"game-1", 7, now), Some(Arc::new(vec!["single"])));
/// assert_eq!(cache.find(&"game-1", 8, now), None);
/// // What a transaction adds on version 7 makes version 8.
/// cache.advance(&"game-1", 7, |plays| plays.push("double"));
/// assert_eq!(cache.find(&"game-1", 8, now), Some(Arc::new(vec!["single", "double"])));
/// ```
pub struct VersionCache<K, V> {
    entries_max: usize,
    age_max: Duration,
    entries: Mutex<Entries<K, V>>,
}

struct Entries<K, V> {
    by_subject: HashMap<K, Entry<V>>,
    /// Counts uses, so that the entry that was not used for longest goes first.
    uses: u64,
}

struct Entry<V> {
    version: u64,
    read_at: Timestamp,
    value: Arc<V>,
    used: u64,
}

impl<K: Clone + Eq + Hash, V> VersionCache<K, V> {
    /// Keeps at most so many values, each for at most so long after it was read: programs that change rows
    /// and leave the version as it is are not seen before.
    pub fn new(entries_max: usize, age_max: Duration) -> Self {
        let entries = Entries { by_subject: HashMap::new(), uses: 0 };
        Self { entries_max, age_max, entries: Mutex::new(entries) }
    }

    /// Returns the value of a subject at a version.
    pub fn find(&self, subject: &K, version: u64, now: Timestamp) -> Option<Arc<V>> {
        let mut entries = self.lock();
        entries.uses += 1;
        let used = entries.uses;
        let entry = entries.by_subject.get_mut(subject)?;
        entry.used = used;
        let is_fresh = now < entry.read_at + self.age_max;
        (is_fresh && entry.version == version).then(|| Arc::clone(&entry.value))
    }

    /// Returns the value of a subject whose row was read at a version: the one that is kept, or what `read`
    /// returns. That is kept if `version_after`, which is awaited after it, is still the version: what did not
    /// change in between is complete.
    ///
    /// # Errors
    /// What the two fail with.
    pub async fn read<E>(
        &self,
        subject: &K,
        version: u64,
        now: Timestamp,
        read: impl Future<Output = Result<V, E>>,
        version_after: impl Future<Output = Result<Option<u64>, E>>,
    ) -> Result<Arc<V>, E> {
        if let Some(known) = self.find(subject, version, now) {
            return Ok(known);
        }
        let value = Arc::new(read.await?);
        if version_after.await? == Some(version) {
            self.keep(subject.clone(), version, Arc::clone(&value), now);
        }
        Ok(value)
    }

    /// Keeps the value that was read of a subject at a version. Version 0 is never kept: rows of older
    /// programs have no version, and do not change it.
    pub fn keep(&self, subject: K, version: u64, value: Arc<V>, read_at: Timestamp) {
        let mut entries = self.lock();
        let known = entries.by_subject.get(&subject).map(|entry| entry.version);
        // What another request keeps already may be newer.
        if version == 0 || known.is_some_and(|known| known > version) {
            return;
        }
        if known.is_none() && entries.by_subject.len() >= self.entries_max {
            let oldest = entries.by_subject.iter().min_by_key(|(_, entry)| entry.used);
            if let Some(oldest) = oldest.map(|(subject, _)| subject.clone()) {
                entries.by_subject.remove(&oldest);
            }
        }
        let entry = Entry { version, read_at, value, used: entries.uses };
        entries.by_subject.insert(subject, entry);
    }

    /// Forgets all values.
    pub fn clear(&self) {
        self.lock().by_subject.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Entries<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash, V: Clone> VersionCache<K, V> {
    /// Changes the value of a subject as a transaction did that found it at a version and made the next.
    /// Callers that have the value keep what it was.
    pub fn advance(&self, subject: &K, version: u64, change: impl FnOnce(&mut V)) {
        let mut entries = self.lock();
        let entry = entries.by_subject.get_mut(subject);
        if let Some(entry) = entry.filter(|entry| entry.version == version) {
            entry.version += 1;
            change(Arc::make_mut(&mut entry.value));
        }
    }
}
