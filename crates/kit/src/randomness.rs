//! Ids and randomness, injected: with the same ones, a service is deterministic.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use ulid::Ulid;
use uuid::{Timestamp, Uuid};

use crate::problem::Problem;

/// Generates random bytes.
pub trait Randomness: Send + Sync {
    /// Fills the bytes. Secrets are generated from them, so they must be unpredictable.
    fn fill(&self, bytes: &mut [u8]);

    /// Returns a random key.
    fn key(&self) -> [u8; 32] {
        let mut key = [0; 32];
        self.fill(&mut key);
        key
    }
}

/// The operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        let filled = getrandom::fill(bytes);
        assert!(filled.is_ok(), "the operating system gives no randomness: {filled:?}");
    }
}

/// Generates ids that sort by time and, within a process, strictly in the order of their
/// generation: UUIDs of version 7, or the same bits as ULIDs.
pub struct Ids {
    randomness: Arc<dyn Randomness>,
    last: Mutex<Last>,
    text: fn(Uuid) -> String,
}

/// The beginning of the last id.
#[derive(Default)]
struct Last {
    ms: u64,
    /// Counts the ids of a millisecond, starting at a random number.
    counter: u64,
}

/// The bits of an id after the time: those of the counter, and random ones.
const COUNTER_BITS: u32 = 42;
const RANDOM_BITS: u32 = 32;

impl Default for Ids {
    fn default() -> Self {
        Self::new(Arc::new(SystemRandomness))
    }
}

impl Ids {
    /// Creates a generator with this randomness.
    pub fn new(randomness: Arc<dyn Randomness>) -> Self {
        Self { randomness, last: Mutex::default(), text: |id| id.to_string() }
    }

    /// Writes ids as ULIDs.
    #[must_use]
    pub fn ulids(self) -> Self {
        Self { text: |id| Ulid::from_bytes(id.into_bytes()).to_string(), ..self }
    }

    /// Returns the next id at this time.
    pub fn next(&self, now: monotable::model::time::Timestamp) -> String {
        let now_ms = u64::try_from(now.as_ms()).unwrap_or(0);
        let (start, [rest, ..]) = (self.random(), self.random().map(u128::from));
        // The counter starts in the lower half, so that it does not overflow soon.
        let start = (u64::from(start[0]) << 32 | u64::from(start[1])) >> (65 - COUNTER_BITS);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = match last.counter + 1 {
            next if now_ms <= last.ms && next >> COUNTER_BITS == 0 => {
                Last { counter: next, ..*last }
            }
            _ => Last { ms: now_ms.max(last.ms + 1), counter: start },
        };
        let tail = u128::from(last.counter) << RANDOM_BITS | rest;
        let nanoseconds = u32::try_from(last.ms % 1_000 * 1_000_000).unwrap_or(0);
        let bits = (COUNTER_BITS + RANDOM_BITS) as u8;
        let time = Timestamp::from_unix_time(last.ms / 1_000, nanoseconds, tail, bits);
        (self.text)(Uuid::new_v7(time))
    }

    fn random(&self) -> [u32; 2] {
        let mut bytes = [0; 8];
        self.randomness.fill(&mut bytes);
        let bits = u64::from_le_bytes(bytes);
        [bits as u32, (bits >> 32) as u32]
    }

    /// Returns the time in a ULID; `None` for any other text.
    pub fn ulid_time(text: &str) -> Option<monotable::model::time::Timestamp> {
        let ms = i64::try_from(Ulid::from_string(text).ok()?.timestamp_ms()).ok()?;
        monotable::model::time::Timestamp::from_ms(ms).ok()
    }

    /// Returns the next id at this time, as an id of a type.
    ///
    /// # Errors
    /// Returns 500 if the type does not accept such ids; the types of services do.
    pub fn next_of<I>(&self, now: monotable::model::time::Timestamp) -> Result<I, Problem>
    where
        I: FromStr<Err: Display>,
    {
        self.next(now).parse().map_err(|error: I::Err| Problem::internal(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use monotable::model::time::Timestamp;

    use super::*;

    #[test]
    fn ids_are_given_out_in_order_whatever_the_clock_does() {
        let at = |milliseconds: i64| Timestamp::from_ms(1_800_000_000_000 + milliseconds).unwrap();
        let mut times = vec![at(0); 10_000];
        times.extend([at(1), at(1), at(-5_000), at(0), at(2)]);
        for (ids, length) in [(Ids::default(), 36), (Ids::default().ulids(), 26)] {
            let given: Vec<String> = times.iter().map(|time| ids.next(*time)).collect();
            assert!(given.is_sorted_by(|one, next| one < next));
            assert_eq!(given[0].len(), length);
        }
        assert!(
            Ids::default().ulids().next(at(0)).starts_with("01MCC5RM00"),
            "the time comes first"
        );
    }

    #[test]
    fn the_time_of_a_ulid_is_in_it() {
        let now = Timestamp::from_ms(1_800_000_000_123).unwrap();
        assert_eq!(Ids::ulid_time(&Ids::default().ulids().next(now)), Some(now));
        assert_eq!(Ids::ulid_time(&Ids::default().next(now)), None);
        assert_eq!(Ids::ulid_time("e1"), None);
    }

    #[test]
    fn ids_follow_from_the_randomness() {
        struct Sevens;
        impl Randomness for Sevens {
            fn fill(&self, bytes: &mut [u8]) {
                bytes.fill(7);
            }
        }
        let at = |milliseconds: i64| Timestamp::from_ms(1_800_000_000_000 + milliseconds).unwrap();
        let given = || {
            let ids = Ids::new(Arc::new(Sevens));
            [0, 0, 1, -1].map(|milliseconds| ids.next(at(milliseconds)))
        };
        assert_eq!(given(), given());
        assert!(given().is_sorted_by(|one, next| one < next));
        assert_ne!(Ids::default().next(at(0)), Ids::default().next(at(0)));
    }
}
