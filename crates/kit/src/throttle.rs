//! Rate limits: per caller, and for all callers together.
//!
//! A caller is a principal or, for anonymous requests, an address. Under overload the capacity is
//! shared equally: a caller within its share is admitted however much others send.
//!
//! The counts are in memory and end with the process: they protect this process from too much work.
//! A limit that is shared by several processes is a row, `monotable::model::rows::RateWindow`.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

use crate::problem::{Problem, ProblemKind};

/// A sustained rate, and the burst that is admitted after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests per second.
    pub per_second: u32,
    /// Requests at once.
    pub burst: u32,
}

/// The limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrottleSettings {
    /// Requests of all callers together. Half of the burst is reserved for callers within their share.
    pub everybody: Rate,
    /// Requests of one caller.
    pub requests_of_one: Rate,
    /// Writes of one caller.
    pub writes_of_one: Rate,
    /// The maximum number of tracked callers. Beyond it, the least recently active ones are
    /// removed.
    pub callers_max: usize,
}

impl Default for ThrottleSettings {
    fn default() -> Self {
        Self {
            everybody: Rate { per_second: 1_000, burst: 500 },
            requests_of_one: Rate { per_second: 500, burst: 500 },
            writes_of_one: Rate { per_second: 20, burst: 100 },
            callers_max: 20_000,
        }
    }
}

impl ThrottleSettings {
    /// Admits everything: for tests, measurements, and hosts that limit requests elsewhere.
    pub fn unlimited() -> Self {
        let any = Rate { per_second: u32::MAX, burst: u32::MAX };
        Self {
            everybody: any,
            requests_of_one: any,
            writes_of_one: any,
            callers_max: Self::default().callers_max,
        }
    }
}

/// The sender of a request for the purpose of limits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A principal, by id.
    Principal(String),
    /// Anonymous clients at an address.
    Address(IpAddr),
    /// Anonymous clients whose address is unknown.
    Unknown,
}

/// Counts requests and refuses those above the limits.
pub struct Throttle {
    settings: ThrottleSettings,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    everybody: Bucket,
    callers: Callers,
    /// The second since the start that `active` belongs to.
    second: u64,
    /// Callers with a request in this second.
    active: u32,
    /// Callers with a request in the second before.
    active_before: u32,
}

/// Callers in two generations: when the recent one reaches half of the maximum, the older one is
/// removed.
#[derive(Default)]
struct Callers {
    recent: HashMap<Caller, Usage>,
    former: HashMap<Caller, Usage>,
}

/// The remaining requests of a caller, and those of the current second.
#[derive(Clone, Copy)]
struct Usage {
    requests: Bucket,
    writes: Bucket,
    second: u64,
    used: u32,
}

/// The parts that a request takes from a bucket. A bucket gains as many parts per millisecond as
/// requests per second, so no fraction is lost.
const PARTS_PER_REQUEST: u64 = 1_000;

#[derive(Clone, Copy)]
struct Bucket {
    parts: u64,
    filled_ms: u64,
}

impl Throttle {
    /// Creates a throttle without callers.
    pub fn new(settings: ThrottleSettings) -> Self {
        let state = State {
            everybody: Bucket::full(settings.everybody, 0),
            callers: Callers::default(),
            second: 0,
            active: 0,
            active_before: 0,
        };
        Self { settings, started: Instant::now(), state: Mutex::new(state) }
    }

    /// Admits a request, or returns when to retry. The time is monotonic: a wall clock that is set
    /// back would refuse everyone until it has caught up.
    ///
    /// # Errors
    /// Returns 429 with the seconds to wait. A refused request is not counted.
    pub fn admit(&self, caller: Caller, is_write: bool, now: Instant) -> Result<(), Problem> {
        let settings = &self.settings;
        let now_ms = now.saturating_duration_since(self.started).as_millis();
        let now_ms = u64::try_from(now_ms).unwrap_or(u64::MAX);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.turn_to(now_ms / 1_000);
        let mut usage =
            state.callers.usage(&caller).unwrap_or_else(|| Usage::new(settings, now_ms));
        if usage.second != state.second {
            (usage.second, usage.used) = (state.second, 0);
        }
        usage.requests = usage.requests.take(settings.requests_of_one, 0, now_ms)?;
        if is_write {
            usage.writes = usage.writes.take(settings.writes_of_one, 0, now_ms)?;
        }
        let is_first = usage.used == 0;
        let share = settings.everybody.per_second / state.sharing(is_first);
        let reserved = if usage.used < share.max(1) { 0 } else { settings.everybody.burst / 2 };
        state.everybody = state.everybody.take(settings.everybody, reserved, now_ms)?;
        state.active += u32::from(is_first);
        usage.used = usage.used.saturating_add(1);
        state.callers.keep(caller, usage, settings.callers_max);
        Ok(())
    }
}

impl Default for Throttle {
    fn default() -> Self {
        Self::new(ThrottleSettings::default())
    }
}

impl State {
    fn turn_to(&mut self, second: u64) {
        if second > self.second {
            self.active_before = if second == self.second + 1 { self.active } else { 0 };
            (self.second, self.active) = (second, 0);
        }
    }

    /// Returns the number of callers that share the capacity now; `is_first` includes a new one.
    fn sharing(&self, is_first: bool) -> u32 {
        (self.active + u32::from(is_first)).max(self.active_before).max(1)
    }
}

impl Callers {
    fn usage(&self, caller: &Caller) -> Option<Usage> {
        self.recent.get(caller).or_else(|| self.former.get(caller)).copied()
    }

    fn keep(&mut self, caller: Caller, usage: Usage, callers_max: usize) {
        if let Some(kept) = self.recent.get_mut(&caller) {
            *kept = usage;
            return;
        }
        if self.recent.len() >= (callers_max / 2).max(1) {
            self.former = std::mem::take(&mut self.recent);
        }
        self.recent.insert(caller, usage);
    }
}

impl Usage {
    fn new(settings: &ThrottleSettings, now_ms: u64) -> Self {
        Self {
            requests: Bucket::full(settings.requests_of_one, now_ms),
            writes: Bucket::full(settings.writes_of_one, now_ms),
            second: 0,
            used: 0,
        }
    }
}

impl Bucket {
    fn full(rate: Rate, now_ms: u64) -> Self {
        Self { parts: u64::from(rate.burst) * PARTS_PER_REQUEST, filled_ms: now_ms }
    }

    /// Returns the bucket without one request, if the reserved parts stay in it.
    fn take(self, rate: Rate, reserved: u32, now_ms: u64) -> Result<Self, Problem> {
        let per_millisecond = u64::from(rate.per_second);
        let passed_ms = now_ms.saturating_sub(self.filled_ms);
        let full = Self::full(rate, now_ms).parts;
        let parts = self.parts.saturating_add(passed_ms.saturating_mul(per_millisecond)).min(full);
        let needed = (u64::from(reserved) + 1) * PARTS_PER_REQUEST;
        if parts < needed {
            let wait_ms = (needed - parts).div_ceil(per_millisecond.max(1));
            return Err(too_many(wait_ms.div_ceil(1_000)));
        }
        Ok(Self { parts: parts - PARTS_PER_REQUEST, filled_ms: self.filled_ms.max(now_ms) })
    }
}

fn too_many(seconds: u64) -> Problem {
    let seconds = seconds.max(1);
    let message = format!("Too many requests. Try again in {seconds} s.");
    let mut problem = Problem::new(ProblemKind::RateLimited, "RATE_LIMITED", message);
    problem.retry_after_seconds = Some(seconds);
    problem
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ada() -> Caller {
        Caller::Principal("ada".to_owned())
    }

    fn bob() -> Caller {
        Caller::Principal("bob".to_owned())
    }

    fn rate((per_second, burst): (u32, u32)) -> Rate {
        Rate { per_second, burst }
    }

    fn throttle(everybody: (u32, u32), of_one: (u32, u32), writes: (u32, u32)) -> Throttle {
        Throttle::new(ThrottleSettings {
            everybody: rate(everybody),
            requests_of_one: rate(of_one),
            writes_of_one: rate(writes),
            callers_max: 100,
        })
    }

    fn address(number: u8) -> Caller {
        Caller::Address(IpAddr::from([192, 0, 2, number]))
    }

    fn admitted(throttle: &Throttle, caller: Caller, is_write: bool, now: Instant) -> usize {
        (0..1_000).take_while(|_| throttle.admit(caller.clone(), is_write, now).is_ok()).count()
    }

    #[test]
    fn a_burst_is_admitted_and_then_the_rate() {
        let throttle = throttle((10, 5), (100, 100), (1, 1));
        let start = throttle.started;
        assert_eq!(admitted(&throttle, ada(), false, start), 5);
        assert_eq!(admitted(&throttle, ada(), false, start + Duration::from_millis(99)), 0);
        assert_eq!(admitted(&throttle, ada(), false, start + Duration::from_millis(100)), 1);
        assert_eq!(admitted(&throttle, ada(), false, start + Duration::from_secs(3_600)), 5);
        // Requests with times in another order get nothing twice.
        assert_eq!(admitted(&throttle, ada(), false, start), 0);
    }

    #[test]
    fn one_caller_does_not_use_up_what_others_may_send() {
        let throttle = throttle((1_000, 1_000), (20, 10), (2, 2));
        let now = throttle.started;
        assert_eq!(admitted(&throttle, ada(), true, now), 2);
        // Refused writes are not counted as requests.
        assert_eq!(admitted(&throttle, ada(), false, now), 8);
        assert_eq!(admitted(&throttle, bob(), false, now), 10);
        assert_eq!(admitted(&throttle, address(1), true, now), 2);
        assert_eq!(admitted(&throttle, address(2), false, now), 10);
        assert_eq!(admitted(&throttle, Caller::Unknown, false, now), 10);
    }

    #[test]
    fn under_overload_every_caller_gets_its_share() {
        let throttle = throttle((100, 100), (1_000, 1_000), (1_000, 1_000));
        let start = throttle.started;
        let mut refused = 0;
        for ms in 0..5_000 {
            let now = start + Duration::from_millis(ms);
            for _ in 0..20 {
                refused += usize::from(throttle.admit(ada(), false, now).is_err());
            }
            // Nine others send five requests per second each; every share is ten.
            if ms % 200 == 199 {
                for number in 0..9 {
                    throttle.admit(address(number), false, now).unwrap();
                }
            }
        }
        assert!(refused > 90_000, "{refused}");
    }

    #[test]
    fn a_caller_that_is_alone_may_use_everything() {
        let throttle = throttle((100, 100), (1_000, 1_000), (1_000, 1_000));
        assert_eq!(admitted(&throttle, ada(), false, throttle.started), 100);
    }

    #[test]
    fn the_time_to_wait_is_in_the_problem() {
        let slow = throttle((100, 100), (100, 100), (1, 1));
        slow.admit(ada(), true, slow.started).unwrap();
        let problem = slow.admit(ada(), true, slow.started).unwrap_err();
        assert_eq!((problem.status(), problem.retry_after_seconds), (429, Some(1)));
        let never = throttle((100, 100), (100, 100), (0, 0));
        assert_eq!(never.admit(ada(), true, never.started).unwrap_err().status(), 429);
    }

    #[test]
    fn memory_is_bounded_and_callers_that_come_often_are_remembered() {
        let mut throttle = throttle((0, 100_000), (0, 100), (0, 100));
        throttle.settings.callers_max = 10;
        let now = throttle.started;
        for number in 0..50 {
            throttle.admit(ada(), false, now).unwrap();
            throttle.admit(address(number), false, now).unwrap();
        }
        let callers = &throttle.state.lock().unwrap().callers;
        assert!(callers.recent.len() + callers.former.len() <= 10);
        let ada = callers.usage(&ada()).unwrap();
        assert_eq!(ada.requests.parts, 50 * PARTS_PER_REQUEST);
        assert!(callers.usage(&address(0)).is_none());
    }
}
