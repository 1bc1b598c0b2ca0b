//! Points in time in the form that signatures use: `20261116T003000Z`.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::SignedDuration;
use jiff::civil::DateTime;

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// A point in time, to the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Timestamp {
    text: String,
}

impl Timestamp {
    /// Seconds since 1970 by the system's clock.
    pub(crate) fn seconds_now() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
    }

    /// Returns the time this many seconds after the start of 1970.
    pub(crate) fn new(seconds: u64) -> Self {
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
        let time = EPOCH.saturating_add(SignedDuration::from_secs(seconds));
        Self { text: time.strftime("%Y%m%dT%H%M%SZ").to_string() }
    }

    /// Date and time: `20261116T003000Z`.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the date alone: `20261116`.
    pub(crate) fn day(&self) -> &str {
        &self.text[..8]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_dates() {
        let check = |seconds, expected| {
            assert_eq!(Timestamp::new(seconds).as_str(), expected);
        };
        check(0, "19700101T000000Z");
        check(951_782_399, "20000228T235959Z");
        check(951_782_400, "20000229T000000Z");
        check(1_709_251_199, "20240229T235959Z");
        check(1_735_689_599, "20241231T235959Z");
        check(1_794_787_200, "20261116T000000Z");
        check(4_107_542_400, "21000301T000000Z");
        assert_eq!(Timestamp::new(1_794_787_200).day(), "20261116");
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let date = |day: u64| {
            let number: u64 = Timestamp::new(day * 86_400).day().parse().unwrap();
            (number / 10_000, number / 100 % 100, number % 100)
        };
        let mut before = date(0);
        for day in 1..60_000 {
            let after = date(day);
            let is_next_day = (after.0, after.1, after.2) == (before.0, before.1, before.2 + 1);
            let is_next_month = (after.0, after.1, after.2) == (before.0, before.1 + 1, 1);
            let is_next_year = (after, before.1) == ((before.0 + 1, 1, 1), 12);
            assert!(is_next_day || is_next_month || is_next_year, "{before:?} {after:?}");
            before = after;
        }
    }
}
