//! Measures whether a client keeps the minimum rate at which it must send or read when memory is
//! short.

use std::time::Duration;

use tokio::time::Instant;

/// How often clients that hold memory are checked.
pub(crate) const CHECKED_EVERY: Duration = Duration::from_millis(100);
/// How far a client may fall behind the minimum rate: networks deliver in bursts.
const SLACK_MAX: Duration = Duration::from_secs(1);

/// The remaining time of a client: transferred bytes extend it, up to a bound, so that a client
/// that was fast once may not stop for long.
#[derive(Debug)]
pub(crate) struct Pace {
    bytes_per_second_min: usize,
    slack: Duration,
    noted: Instant,
}

impl Pace {
    /// Creates the pace of a client that starts now; without a minimum rate no client is slow.
    pub(crate) fn new(bytes_per_second_min: usize, now: Instant) -> Self {
        Self { bytes_per_second_min, slack: SLACK_MAX, noted: now }
    }

    /// Records the bytes since the last call.
    pub(crate) fn note(&mut self, bytes: usize, now: Instant) {
        let spent = now.saturating_duration_since(self.noted);
        self.noted = now;
        if self.bytes_per_second_min > 0 {
            let earned = bytes as f64 / self.bytes_per_second_min as f64;
            let slack = self.slack.saturating_sub(spent) + Duration::from_secs_f64(earned);
            self.slack = slack.min(SLACK_MAX);
        }
    }

    /// Starts again, after a wait that the client did not cause.
    pub(crate) fn restart(&mut self, now: Instant) {
        *self = Self::new(self.bytes_per_second_min, now);
    }

    pub(crate) fn is_slow(&self) -> bool {
        self.slack.is_zero()
    }

    /// Returns the time of the next check.
    pub(crate) fn next_check(&self) -> Instant {
        self.noted + CHECKED_EVERY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks whether a client is slow after each of these steps of milliseconds and bytes, at
    /// 1,000 bytes per second.
    fn check(steps: &[(u64, usize)], expected: &[bool]) {
        let mut now = Instant::now();
        let mut pace = Pace::new(1_000, now);
        let slow = steps.iter().map(|&(millis, bytes)| {
            now += Duration::from_millis(millis);
            pace.note(bytes, now);
            pace.is_slow()
        });
        assert_eq!(slow.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn who_stops_is_slow_after_a_second_however_fast_before() {
        check(&[(500, 0), (400, 0), (100, 0)], &[false, false, true]);
        check(&[(10, 1_000_000), (999, 0), (1, 0)], &[false, false, true]);
    }

    #[test]
    fn the_least_rate_is_enough_also_in_bursts() {
        check(&[(100, 100); 50], &[false; 50]);
        check(&[(900, 900); 9], &[false; 9]);
        // A tenth slower uses up the slack in ten seconds.
        check(&[(900, 810), (900, 810), (8_000, 0)], &[false, false, true]);
    }

    #[test]
    fn who_was_slow_can_catch_up() {
        check(&[(2_000, 0), (1, 500), (400, 0), (100, 0)], &[true, false, false, true]);
    }

    #[test]
    fn without_a_least_rate_nobody_is_slow() {
        let start = Instant::now();
        let mut pace = Pace::new(0, start);
        pace.note(0, start + Duration::from_secs(1_000));
        assert!(!pace.is_slow());
    }
}
