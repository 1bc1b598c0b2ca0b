//! Whether a client keeps up the least rate at which it must send or read when memory is short.

use std::time::Duration;

use tokio::time::Instant;

/// How often clients that hold memory are looked at.
pub(crate) const CHECKED_EVERY: Duration = Duration::from_millis(100);
/// How far behind the least rate a client may fall: networks deliver in bursts.
const SLACK_MAX: Duration = Duration::from_secs(1);

/// The time that a client has left: bytes that move give more of it, up to a bound, so that nobody who
/// was fast once may stop for long.
#[derive(Debug)]
pub(crate) struct Pace {
    bytes_per_second_min: usize,
    slack: Duration,
    noted: Instant,
}

impl Pace {
    /// The pace of a client that begins now; without a least rate nobody is slow.
    pub(crate) fn new(bytes_per_second_min: usize, now: Instant) -> Self {
        Self { bytes_per_second_min, slack: SLACK_MAX, noted: now }
    }

    /// Notes what has moved since the last time.
    pub(crate) fn note(&mut self, bytes: usize, now: Instant) {
        let spent = now.saturating_duration_since(self.noted);
        self.noted = now;
        if self.bytes_per_second_min > 0 {
            let earned = bytes as f64 / self.bytes_per_second_min as f64;
            let slack = self.slack.saturating_sub(spent) + Duration::from_secs_f64(earned);
            self.slack = slack.min(SLACK_MAX);
        }
    }

    /// Begins anew, after a wait that was not the client's.
    pub(crate) fn restart(&mut self, now: Instant) {
        *self = Self::new(self.bytes_per_second_min, now);
    }

    pub(crate) fn is_slow(&self) -> bool {
        self.slack.is_zero()
    }

    /// When to look again.
    pub(crate) fn next_check(&self) -> Instant {
        self.noted + CHECKED_EVERY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a client is slow behind each of these steps of milliseconds and bytes, at 1,000 bytes a
    /// second.
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
