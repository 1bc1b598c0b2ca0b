//! A cache of values that are derived from the rows of a subject, with the version of a row that
//! changes with every one of them.
//!
//! A value that was complete at a version stays valid as long as the row has that version,
//! whichever process makes the next change, and need not be read again. No decision may depend on a
//! cached value alone: make writes conditional on the version.

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
    /// Counts uses, so that the least recently used entry is removed first.
    uses: u64,
}

struct Entry<V> {
    version: u64,
    read_at: Timestamp,
    value: Arc<V>,
    used: u64,
}

impl<K: Clone + Eq + Hash, V> VersionCache<K, V> {
    /// Caches at most `entries_max` values, each for at most `age_max` after it was read: changes
    /// by programs that don't change the version appear after that time.
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

    /// Returns the cached value of a subject whose row was read at a version, or calls `read`. Its
    /// result is cached if `version_after`, which is awaited afterwards, returns the same version:
    /// then nothing changed in between.
    ///
    /// # Errors
    /// Returns the errors of both functions.
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

    /// Caches a value that was read at a version. Version 0 is never cached: rows of older programs
    /// have no version, and their changes don't change it.
    pub fn keep(&self, subject: K, version: u64, value: Arc<V>, read_at: Timestamp) {
        let mut entries = self.lock();
        let known = entries.by_subject.get(&subject).map(|entry| entry.version);
        // Another request may have cached a newer value.
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

    /// Removes all values.
    pub fn clear(&self) {
        self.lock().by_subject.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Entries<K, V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash, V: Clone> VersionCache<K, V> {
    /// Changes the value of a subject like a transaction that found it at a version and produced
    /// the next. Callers that hold the value keep the old one.
    pub fn advance(&self, subject: &K, version: u64, change: impl FnOnce(&mut V)) {
        let mut entries = self.lock();
        let entry = entries.by_subject.get_mut(subject);
        if let Some(entry) = entry.filter(|entry| entry.version == version) {
            entry.version += 1;
            change(Arc::make_mut(&mut entry.value));
        }
    }
}
