//! How many requests are taken: of everybody together, and writes of one principal.
//!
//! It lives in memory and forgets with the process: it protects this process from too much work. A
//! limit that several processes keep together is a row, `monotable::model::rows::RateWindow`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use monotable::model::time::Timestamp;

use crate::problem::{Problem, ProblemKind};

/// So many requests a second in the long run, and so many at once after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests a second.
    pub per_second: u32,
    /// Requests at once.
    pub burst: u32,
}

/// What is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrottleSettings {
    /// Requests of everybody.
    pub everybody: Rate,
    /// Writes of one principal.
    pub writes_of_one: Rate,
    /// How many principals are remembered at most. Beyond it, who was longest silent is forgotten.
    pub principals_max: usize,
}

impl Default for ThrottleSettings {
    fn default() -> Self {
        Self {
            everybody: Rate { per_second: 1_000, burst: 500 },
            writes_of_one: Rate { per_second: 20, burst: 20 },
            principals_max: 20_000,
        }
    }
}

/// Counts requests and refuses those that are too many.
pub struct Throttle {
    settings: ThrottleSettings,
    state: Mutex<Buckets>,
}

struct Buckets {
    everybody: Bucket,
    /// Two generations: when the recent one is half of what may be remembered, the other is forgotten.
    recent: HashMap<String, Bucket>,
    former: HashMap<String, Bucket>,
}

/// What a request takes from a bucket. A bucket gets as many parts in a millisecond as requests in a
/// second, so that no fraction is lost.
const PARTS_PER_REQUEST: u64 = 1_000;

#[derive(Clone, Copy)]
struct Bucket {
    parts: u64,
    filled_at: Timestamp,
}

impl Throttle {
    /// A throttle that has seen nobody yet.
    pub fn new(settings: ThrottleSettings) -> Self {
        let everybody = Bucket::full(settings.everybody, Timestamp::MIN);
        let (recent, former) = (HashMap::new(), HashMap::new());
        Self { settings, state: Mutex::new(Buckets { everybody, recent, former }) }
    }

    /// Takes a request, or says when to try again. `writer` is who writes, if it is a write of
    /// somebody known.
    ///
    /// # Errors
    /// 429 with the seconds to wait. A refused request is not counted.
    pub fn admit(&self, writer: Option<&str>, now: Timestamp) -> Result<(), Problem> {
        let settings = &self.settings;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let everybody = state.everybody.take(settings.everybody, now)?;
        if let Some(writer) = writer {
            let full = Bucket::full(settings.writes_of_one, now);
            let bucket = state.bucket(writer).unwrap_or(full).take(settings.writes_of_one, now)?;
            state.keep(writer, bucket, settings.principals_max);
        }
        state.everybody = everybody;
        Ok(())
    }
}

impl Default for Throttle {
    fn default() -> Self {
        Self::new(ThrottleSettings::default())
    }
}

impl Buckets {
    fn bucket(&self, writer: &str) -> Option<Bucket> {
        self.recent.get(writer).or_else(|| self.former.get(writer)).copied()
    }

    fn keep(&mut self, writer: &str, bucket: Bucket, principals_max: usize) {
        if let Some(kept) = self.recent.get_mut(writer) {
            *kept = bucket;
            return;
        }
        if self.recent.len() >= (principals_max / 2).max(1) {
            self.former = std::mem::take(&mut self.recent);
        }
        self.recent.insert(writer.to_owned(), bucket);
    }
}

impl Bucket {
    fn full(rate: Rate, now: Timestamp) -> Self {
        Self { parts: u64::from(rate.burst) * PARTS_PER_REQUEST, filled_at: now }
    }

    /// The bucket without one request.
    fn take(self, rate: Rate, now: Timestamp) -> Result<Self, Problem> {
        let per_millisecond = u64::from(rate.per_second);
        let passed_ms = u64::try_from(now.since(self.filled_at).as_millis()).unwrap_or(u64::MAX);
        let full = Self::full(rate, now).parts;
        let parts = self.parts.saturating_add(passed_ms.saturating_mul(per_millisecond)).min(full);
        match parts.checked_sub(PARTS_PER_REQUEST) {
            // A clock that goes back gives nothing twice.
            Some(parts) => Ok(Self { parts, filled_at: self.filled_at.max(now) }),
            None => {
                let wait_ms = (PARTS_PER_REQUEST - parts).div_ceil(per_millisecond.max(1));
                Err(too_many(wait_ms.div_ceil(1_000)))
            }
        }
    }
}

fn too_many(seconds: u64) -> Problem {
    let mut problem = Problem::new(
        ProblemKind::RateLimited,
        "RATE_LIMITED",
        "Too many requests; try again soon.",
    );
    problem.retry_after_seconds = Some(seconds.max(1));
    problem
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn throttle(
        everybody: (u32, u32),
        writes_of_one: (u32, u32),
        principals_max: usize,
    ) -> Throttle {
        let rate = |(per_second, burst)| Rate { per_second, burst };
        Throttle::new(ThrottleSettings {
            everybody: rate(everybody),
            writes_of_one: rate(writes_of_one),
            principals_max,
        })
    }

    fn admitted(throttle: &Throttle, writer: Option<&str>, now: Timestamp) -> usize {
        (0..1_000).take_while(|_| throttle.admit(writer, now).is_ok()).count()
    }

    #[test]
    fn a_burst_is_taken_and_then_the_rate() {
        let throttle = throttle((10, 5), (1, 1), 10);
        let start = Timestamp::EPOCH;
        assert_eq!(admitted(&throttle, None, start), 5);
        assert_eq!(admitted(&throttle, None, start + Duration::from_millis(99)), 0);
        assert_eq!(admitted(&throttle, None, start + Duration::from_millis(100)), 1);
        assert_eq!(admitted(&throttle, None, start + Duration::from_secs(3_600)), 5);
        // The clock goes back: nothing is given twice.
        assert_eq!(admitted(&throttle, None, start), 0);
        assert_eq!(admitted(&throttle, None, start + Duration::from_secs(3_600)), 0);
    }

    #[test]
    fn one_writer_does_not_slow_another_nor_readers() {
        let throttle = throttle((100, 100), (2, 2), 10);
        assert_eq!(admitted(&throttle, Some("u1"), Timestamp::EPOCH), 2);
        assert_eq!(admitted(&throttle, Some("u2"), Timestamp::EPOCH), 2);
        // The refused ones were not counted for everybody.
        assert_eq!(admitted(&throttle, None, Timestamp::EPOCH), 96);
    }

    #[test]
    fn the_time_to_wait_is_told() {
        let slow = throttle((100, 100), (1, 1), 10);
        slow.admit(Some("u1"), Timestamp::EPOCH).unwrap();
        let problem = slow.admit(Some("u1"), Timestamp::EPOCH).unwrap_err();
        assert_eq!((problem.status(), problem.retry_after_seconds), (429, Some(1)));
        let never = throttle((100, 100), (0, 0), 10);
        assert_eq!(never.admit(Some("u1"), Timestamp::EPOCH).unwrap_err().status(), 429);
    }

    #[test]
    fn memory_is_bounded_and_who_comes_often_is_remembered() {
        let throttle = throttle((0, 100_000), (0, 100), 10);
        for stranger in 0..50 {
            throttle.admit(Some("regular"), Timestamp::EPOCH).unwrap();
            throttle.admit(Some(&stranger.to_string()), Timestamp::EPOCH).unwrap();
        }
        let state = throttle.state.lock().unwrap();
        assert!(state.recent.len() + state.former.len() <= 10);
        assert_eq!(state.bucket("regular").unwrap().parts, 50 * PARTS_PER_REQUEST);
        assert!(state.bucket("0").is_none());
    }
}
