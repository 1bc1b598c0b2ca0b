//! Ends of days in time zones whose clocks jump.

use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use monotable_btl_run::rules::schedule::{due_hour, due_hours, is_timezone, next_cutoff};

fn at(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

#[track_caller]
fn check(now: &str, zone: &str, minute_of_day: u16, expected: &str) {
    let cutoff = next_cutoff(at(now), zone, minute_of_day).unwrap();
    assert_eq!(Timestamp::from_millisecond(cutoff).unwrap().to_string(), expected);
}

const NINE: u16 = 21 * 60;
const HALF_PAST_TWO: u16 = 2 * 60 + 30;

#[test]
fn a_day_ends_at_the_local_minute() {
    check("2026-01-10T12:00:00Z", "Europe/Berlin", NINE, "2026-01-10T20:00:00Z");
    check("2026-07-10T12:00:00Z", "Europe/Berlin", NINE, "2026-07-10T19:00:00Z");
    // The end itself belongs to the day that it ends.
    check("2026-07-10T19:00:00Z", "Europe/Berlin", NINE, "2026-07-11T19:00:00Z");
    check("2026-07-10T18:59:59.999Z", "Europe/Berlin", NINE, "2026-07-10T19:00:00Z");
    check("2026-07-10T23:30:00Z", "America/New_York", NINE, "2026-07-11T01:00:00Z");
}

#[test]
fn a_skipped_minute_is_the_next_one_that_exists() {
    // 02:00 to 03:00 is skipped.
    check("2026-03-28T12:00:00Z", "Europe/Berlin", HALF_PAST_TWO, "2026-03-29T01:00:00Z");
    check("2026-03-29T01:00:00Z", "Europe/Berlin", HALF_PAST_TWO, "2026-03-30T00:30:00Z");
    check("2026-03-07T12:00:00Z", "America/New_York", HALF_PAST_TWO, "2026-03-08T07:00:00Z");
    // Lord Howe skips 02:00 to 02:30: half past two exists.
    check("2026-10-03T12:00:00Z", "Australia/Lord_Howe", HALF_PAST_TWO, "2026-10-03T15:30:00Z");
    check("2026-10-03T12:00:00Z", "Australia/Lord_Howe", 135, "2026-10-03T15:30:00Z");
}

#[test]
fn a_minute_that_comes_twice_counts_once() {
    // 02:00 to 03:00 comes twice.
    check("2026-10-24T12:00:00Z", "Europe/Berlin", HALF_PAST_TWO, "2026-10-25T00:30:00Z");
    check("2026-10-25T00:30:00Z", "Europe/Berlin", HALF_PAST_TWO, "2026-10-26T01:30:00Z");
    check("2026-10-31T12:00:00Z", "America/New_York", 90, "2026-11-01T05:30:00Z");
    check("2026-11-01T05:30:00Z", "America/New_York", 90, "2026-11-02T06:30:00Z");
    // Lord Howe repeats 01:30 to 02:00.
    check("2026-04-04T12:00:00Z", "Australia/Lord_Howe", 105, "2026-04-04T14:45:00Z");
    check("2026-04-04T14:45:00Z", "Australia/Lord_Howe", 105, "2026-04-05T15:15:00Z");
}

#[test]
fn a_day_that_never_was_has_no_end() {
    // Samoa went from the 29th to the 31st of December 2011.
    check("2011-12-30T07:00:00Z", "Pacific/Apia", NINE, "2011-12-31T07:00:00Z");
}

/// Every local day of two years has one end, at the local minute unless the clock skips it.
#[test]
fn every_local_day_has_one_end() {
    let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC", "Asia/Kolkata"];
    for zone in zones {
        for minute in [0, 90, 105, 120, 135, HALF_PAST_TWO, 180, NINE, 23 * 60 + 59] {
            let local: TimeZone = TimeZoneDatabase::bundled().get(zone).unwrap();
            let mut cutoff = next_cutoff(at("2025-12-31T12:00:00Z"), zone, minute).unwrap();
            let date = |cutoff| local.to_datetime(Timestamp::from_millisecond(cutoff).unwrap());
            for _ in 0..730 {
                let next = next_cutoff(cutoff, zone, minute).unwrap();
                assert_eq!(
                    date(next).date(),
                    date(cutoff).date().tomorrow().unwrap(),
                    "{zone} at minute {minute}"
                );
                let late = date(next).hour() as u16 * 60 + date(next).minute() as u16 - minute;
                assert!(late <= 60, "{zone} at minute {minute}: {late} minutes late");
                // Whenever the scheduler looks before the end, it sees the same end.
                for early in [1, 1_800_000, 3_600_000, next - cutoff] {
                    assert_eq!(next_cutoff(next - early, zone, minute), Ok(next));
                }
                cutoff = next;
            }
        }
    }
}

#[test]
fn zones_come_from_the_program() {
    assert!(is_timezone("Europe/Berlin") && is_timezone("UTC"));
    assert!(!is_timezone("Europe/Atlantis") && !is_timezone("../../etc/passwd"));
    assert!(next_cutoff(0, "Europe/Atlantis", 0).is_err());
    assert!(next_cutoff(0, "UTC", 24 * 60).is_err());
}

#[test]
fn matches_wait_under_the_hour_of_their_end() {
    let cutoff = at("2026-03-29T01:00:00Z");
    let hour = due_hour(cutoff).unwrap();
    assert_eq!(hour, "2026032901");
    let hours = due_hours(at("2026-03-31T00:59:59Z")).unwrap();
    assert_eq!(hours.first().map(String::as_str), Some("2026032900"));
    assert_eq!(hours.last().map(String::as_str), Some("2026033100"));
    assert!(hours.contains(&hour) && hours.len() == 49);
}
