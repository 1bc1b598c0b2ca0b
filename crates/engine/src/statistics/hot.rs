//! The hottest partitions: a Space-Saving sketch of fixed size whose counts decay.
//!
//! Metwally, Agrawal and El Abbadi, "Efficient computation of frequent and top-k elements in data
//! streams", 2005. A new partition replaces the least used one, and inherits its units as a
//! possible error; so no partition that uses more than one part in [`WATCHED_MAX`] of everything is
//! ever missed.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError, TryLockError};

use crate::faults::mix;
use crate::layout::row_key::{AREA_PREFIX_BYTES, HASH_BYTES};

/// How many partitions are watched at once.
const WATCHED_MAX: usize = 64;
/// One request in this many is sampled, and counts for all of them.
const SAMPLED: u64 = 32;
/// The time after which units count half.
const HALF_LIFE_MS: u64 = 60_000;

/// Bytes of a row key that identify its partition: table, area and hash.
const PLACE_BYTES: usize = AREA_PREFIX_BYTES + HASH_BYTES;
type Place = [u8; PLACE_BYTES];

/// Returns whether this request is sampled. Threads share no state to decide it.
pub(crate) fn is_sampled() -> bool {
    thread_local!(static REQUESTS: Cell<u64> = const { Cell::new(0) });
    REQUESTS.with(|requests| {
        let number = requests.get();
        requests.set(number.wrapping_add(1));
        // Not every 32nd: a caller with a periodic pattern would always show the same partition.
        mix(number).is_multiple_of(SAMPLED)
    })
}

/// The partitions that use most units.
#[derive(Debug, Default)]
pub(crate) struct HotPartitions(Mutex<Sketch>);

impl HotPartitions {
    /// Adds the units of a sampled request. If another thread is updating the sketch, the sample is
    /// skipped.
    pub(crate) fn add_sample(&self, row_key: &[u8], units: f64, now_ms: u64) {
        let mut sketch = match self.0.try_lock() {
            Ok(sketch) => sketch,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        sketch.fade(now_ms);
        sketch.add(row_key, units * SAMPLED as f64);
    }

    /// Returns the watched partitions by a row key of each, with the minimum of the units that they
    /// used, most first.
    pub(crate) fn hottest(&self, now_ms: u64) -> Vec<(Vec<u8>, f64)> {
        let mut sketch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sketch.fade(now_ms);
        let mut hottest: Vec<_> = sketch
            .watched
            .iter()
            .map(|watched| (watched.row_key.clone(), watched.units - watched.inherited))
            .collect();
        drop(sketch);
        hottest.sort_by(|left, right| right.1.total_cmp(&left.1));
        hottest
    }
}

#[derive(Debug, Default)]
struct Sketch {
    watched: Vec<Watched>,
    faded_ms: u64,
}

#[derive(Debug)]
struct Watched {
    place: Place,
    /// Any row key of the partition, to name it.
    row_key: Vec<u8>,
    units: f64,
    /// How many of the units may belong to other partitions.
    inherited: f64,
}

impl Sketch {
    /// Halves everything for each half-life that has passed.
    fn fade(&mut self, now_ms: u64) {
        let half_lives = now_ms.saturating_sub(self.faded_ms) / HALF_LIFE_MS;
        if half_lives == 0 {
            return;
        }
        self.faded_ms += half_lives * HALF_LIFE_MS;
        let share = 0.5f64.powi(i32::try_from(half_lives).unwrap_or(i32::MAX));
        for watched in &mut self.watched {
            watched.units *= share;
            watched.inherited *= share;
        }
    }

    fn add(&mut self, row_key: &[u8], units: f64) {
        let Some(&place) = row_key.first_chunk::<PLACE_BYTES>() else {
            return;
        };
        if let Some(watched) = self.watched.iter_mut().find(|watched| watched.place == place) {
            watched.units += units;
            return;
        }
        if self.watched.len() < WATCHED_MAX {
            let row_key = row_key.to_vec();
            self.watched.push(Watched { place, row_key, units, inherited: 0.0 });
            return;
        }
        let least =
            self.watched.iter_mut().min_by(|left, right| left.units.total_cmp(&right.units));
        if let Some(least) = least {
            least.place = place;
            least.row_key.clear();
            least.row_key.extend_from_slice(row_key);
            least.inherited = least.units;
            least.units += units;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_key(partition: u32) -> Vec<u8> {
        let mut key = vec![0; PLACE_BYTES];
        key[PLACE_BYTES - 4..].copy_from_slice(&partition.to_be_bytes());
        key.extend_from_slice(b"name");
        key
    }

    fn units_of(sketch: &Sketch, partition: u32) -> Option<(f64, f64)> {
        let key = row_key(partition);
        let found = sketch.watched.iter().find(|watched| watched.row_key == key)?;
        Some((found.units, found.inherited))
    }

    #[test]
    fn few_partitions_are_counted_exactly() {
        let mut sketch = Sketch::default();
        for partition in 0..WATCHED_MAX as u32 {
            sketch.add(&row_key(partition), f64::from(partition));
            sketch.add(&row_key(partition), 1.0);
        }
        for partition in 0..WATCHED_MAX as u32 {
            assert_eq!(units_of(&sketch, partition), Some((f64::from(partition) + 1.0, 0.0)));
        }
    }

    #[test]
    fn heavy_partitions_are_found_among_many_light_ones() {
        let mut sketch = Sketch::default();
        for round in 0..10_000 {
            sketch.add(&row_key(1000 + round), 1.0);
            if round % 10 == 0 {
                sketch.add(&row_key(1), 1.0);
                sketch.add(&row_key(2), 0.5);
            }
        }
        assert_eq!(sketch.watched.len(), WATCHED_MAX, "the memory is bounded");
        for (partition, used) in [(1, 1000.0), (2, 500.0)] {
            let (units, inherited) = units_of(&sketch, partition).unwrap();
            assert!(units >= used, "never too little: {units} of {used}");
            assert!(units - inherited <= used, "what is certain is: {units} - {inherited}");
            assert!(units - inherited > used / 2.0, "and most of it: {units} - {inherited}");
        }
    }

    #[test]
    fn the_newcomer_takes_the_place_of_the_least_used() {
        let mut sketch = Sketch::default();
        for partition in 0..WATCHED_MAX as u32 {
            sketch.add(&row_key(partition), 10.0 + f64::from(partition));
        }
        sketch.add(&row_key(99), 1.0);
        assert_eq!(units_of(&sketch, 0), None);
        assert_eq!(units_of(&sketch, 99), Some((11.0, 10.0)));
    }

    #[test]
    fn units_fade() {
        let hot = HotPartitions::default();
        let start_ms = 1_800_000_000_000;
        hot.add_sample(&row_key(1), 1.0, start_ms);
        assert_eq!(hot.hottest(start_ms), [(row_key(1), SAMPLED as f64)]);
        let faded = hot.hottest(start_ms + 2 * HALF_LIFE_MS);
        assert_eq!(faded, [(row_key(1), SAMPLED as f64 / 4.0)]);
        hot.add_sample(&row_key(1), 1.0, start_ms);
        let later = hot.hottest(start_ms + 2 * HALF_LIFE_MS);
        assert_eq!(later[0].1, SAMPLED as f64 * 1.25, "a clock that goes back fades nothing");
    }

    #[test]
    fn about_one_request_in_so_many_is_sampled() {
        let sampled = (0..SAMPLED * 1000).filter(|_| is_sampled()).count();
        assert!((800..1200).contains(&sampled), "{sampled}");
    }
}
