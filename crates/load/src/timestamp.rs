//! Points in time in the form that signatures use: `20261116T003000Z`.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY_SECONDS: u64 = 24 * 60 * 60;

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

    /// The point in time so many seconds after 1970 began.
    pub(crate) fn new(seconds: u64) -> Self {
        let (year, month, day) = date(seconds / DAY_SECONDS);
        let second = seconds % DAY_SECONDS;
        let (hour, minute) = (second / 3600, second / 60 % 60);
        let second = second % 60;
        Self { text: format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z") }
    }

    /// Date and time: `20261116T003000Z`.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The date alone: `20261116`.
    pub(crate) fn day(&self) -> &str {
        &self.text[..8]
    }
}

/// Year, month and day, so many days after 1970 began. Years are counted from March here, so that a
/// leap day is the last day of its year.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_IN_400_YEARS: u64 = 146_097;
    const DAYS_FROM_MARCH_OF_YEAR_0: u64 = 719_468;
    let days = days + DAYS_FROM_MARCH_OF_YEAR_0;
    let (cycle, day_of_cycle) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
    let leap_days = day_of_cycle / 1_460 + day_of_cycle / 146_096;
    let year_of_cycle = (day_of_cycle + day_of_cycle / 36_524 - leap_days) / 365;
    let year_start = 365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100;
    let day_of_year = day_of_cycle - year_start;
    // From March on, five months in turn have 153 days.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * cycle + year_of_cycle + u64::from(month <= 2);
    (year, month, day)
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
