//! When the days of a long match end, and under which keys the service looks for them.
//!
//! A day ends at a minute of the local clock. Where the clock skips that minute, the day ends at the
//! first minute after the gap; where the clock shows it twice, at the first. So every local day has one
//! end. Zones come from the database that is part of the program, so that every machine agrees.

use std::sync::LazyLock;

use jiff::civil::{Date, Time};
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, ToSpan as _};

const HOUR_MS: i64 = 3_600_000;
/// How long a due match is searched for.
const DUE_HOURS: i64 = 48;

static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The error of a time or a zone that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such time or time zone")]
pub struct NoSuchTime;

impl From<jiff::Error> for NoSuchTime {
    fn from(_: jiff::Error) -> Self {
        Self
    }
}

/// Returns whether the IANA database knows a zone of this name.
#[must_use]
pub fn is_timezone(name: &str) -> bool {
    ZONES.get(name).is_ok()
}

/// Returns the end of the local day that is open at `now`: the first one after it, in milliseconds since 1970.
///
/// # Errors
///
/// Fails if the time zone or the minute is invalid.
pub fn next_cutoff(now: i64, timezone: &str, minute_of_day: u16) -> Result<i64, NoSuchTime> {
    let zone = ZONES.get(timezone)?;
    let time = time_of(minute_of_day)?;
    let mut date = zone.to_datetime(Timestamp::from_millisecond(now)?).date();
    // A gap can carry yesterday's end into today.
    date = date.yesterday()?;
    loop {
        if let Some(cutoff) = cutoff_of(&zone, date, time)?
            && cutoff > now
        {
            return Ok(cutoff);
        }
        date = date.tomorrow()?;
    }
}

fn time_of(minute_of_day: u16) -> Result<Time, NoSuchTime> {
    let part = |number: u16| i8::try_from(number).map_err(|_| NoSuchTime);
    Ok(Time::new(part(minute_of_day / 60)?, part(minute_of_day % 60)?, 0, 0)?)
}

/// Returns when the day ends; `None` for a day that the zone skips as a whole.
fn cutoff_of(zone: &TimeZone, date: Date, time: Time) -> Result<Option<i64>, NoSuchTime> {
    let start = |date: Date| zone.to_timestamp(date.to_datetime(Time::midnight()));
    if start(date)? == start(date.checked_add(1.day())?)? {
        return Ok(None);
    }
    let ambiguous = zone.to_ambiguous_timestamp(date.to_datetime(time));
    let moment = match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => {
            let before = ambiguous.earlier()?;
            let change = zone.following(before).next().ok_or(NoSuchTime)?;
            change.timestamp()
        }
        AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => {
            ambiguous.earlier()?
        }
    };
    Ok(Some(moment.as_millisecond()))
}

/// Returns the hours in which matches may be due at `now`, oldest first.
///
/// # Errors
///
/// Fails if `now` is not a valid time.
pub fn due_hours(now: i64) -> Result<Vec<String>, NoSuchTime> {
    hours_from(now - DUE_HOURS * HOUR_MS, now)
}

/// Returns the hours from one moment to another, both included, oldest first.
///
/// # Errors
///
/// Fails if they are not valid times.
pub fn hours_from(from: i64, to: i64) -> Result<Vec<String>, NoSuchTime> {
    let hour = |milliseconds: i64| milliseconds.div_euclid(HOUR_MS);
    (hour(from)..=hour(to)).map(|hour| due_hour(hour * HOUR_MS)).collect()
}

/// Returns the hour of a moment, `yyyymmddHH` in UTC.
///
/// # Errors
///
/// Fails if it is not a valid time.
pub fn due_hour(milliseconds: i64) -> Result<String, NoSuchTime> {
    let moment = Timestamp::from_millisecond(milliseconds)?;
    Ok(TimeZone::UTC.to_datetime(moment).strftime("%Y%m%d%H").to_string())
}
