//! Days of the event's time zone. Zones come from the database that is part of the program, so that every
//! machine agrees.

use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};
use monotable::model::time::{Date, Timestamp};

/// The time zone of events that name no other.
pub const ZONE_DEFAULT: &str = "Asia/Kolkata";

static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A time zone.
#[derive(Clone, Debug)]
pub struct EventZone(TimeZone);

impl Default for EventZone {
    fn default() -> Self {
        Self::named(ZONE_DEFAULT).unwrap_or(Self(TimeZone::UTC))
    }
}

impl EventZone {
    /// Returns the zone of an IANA name.
    ///
    /// # Errors
    /// If there is no such zone, as the message of a field.
    pub fn named(name: &str) -> Result<Self, String> {
        ZONES.get(name).map(Self).map_err(|_| format!("must be a time zone such as {ZONE_DEFAULT}"))
    }

    /// Returns the day on which an instant is.
    pub fn day_of(&self, instant: Timestamp) -> Date {
        let day = jiff::Timestamp::try_from(instant).map(|it| self.0.to_datetime(it).date());
        // Only the first and the last hours of the years 0000 and 9999 have no day of another zone.
        day.ok().and_then(|day| day.try_into().ok()).unwrap_or_else(|| instant.date())
    }

    /// Returns an instant as people of the zone write it, such as `20 September 2025, 15:30`.
    pub fn text(&self, instant: Timestamp) -> String {
        let zoned = jiff::Timestamp::try_from(instant).map(|it| it.to_zoned(self.0.clone()));
        zoned.map_or_else(|_| instant.to_string(), |it| it.strftime("%-d %B %Y, %H:%M").to_string())
    }

    /// Returns the instant at which a day starts.
    pub fn start_of(&self, day: Date) -> Timestamp {
        let (year, month, date) = (day.year(), day.month(), day.day());
        let start =
            jiff::civil::Date::new(year.cast_signed(), month.cast_signed(), date.cast_signed())
                .and_then(|day| day.to_zoned(self.0.clone()));
        start.ok().and_then(|it| it.timestamp().try_into().ok()).unwrap_or_else(|| day.start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> EventZone {
        EventZone::named(name).unwrap()
    }

    #[test]
    fn times_are_written_as_in_the_zone() {
        let instant = "2025-09-20T10:00:00Z".parse().unwrap();
        assert_eq!(zone("Asia/Kolkata").text(instant), "20 September 2025, 15:30");
    }

    #[test]
    fn ck_d16_a_day_begins_at_midnight_of_the_event() {
        for (name, instant, day) in [
            ("Asia/Kolkata", "2026-08-27T18:29:59.999Z", "2026-08-27"),
            ("Asia/Kolkata", "2026-08-27T18:30:00.000Z", "2026-08-28"),
            ("UTC", "2026-08-27T23:59:59.999Z", "2026-08-27"),
            ("America/New_York", "2026-11-01T03:59:59.999Z", "2026-10-31"),
        ] {
            assert_eq!(zone(name).day_of(instant.parse().unwrap()).to_string(), day, "{instant}");
        }
    }

    #[test]
    fn the_start_of_a_day_is_its_first_instant() {
        for (name, day, start) in [
            ("Asia/Kolkata", "2026-08-28", "2026-08-27T18:30:00.000Z"),
            // Clocks go forward at midnight, so the day starts at one o'clock.
            ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"),
        ] {
            let (zone, day) = (zone(name), day.parse().unwrap());
            let found = zone.start_of(day);
            assert_eq!(found.to_string(), start);
            assert_eq!(zone.day_of(found), day);
            let before = Timestamp::from_ms(found.as_ms() - 1).unwrap();
            assert!(zone.day_of(before) < day);
        }
    }

    #[test]
    fn instants_at_the_ends_of_the_calendar_have_a_day() {
        for instant in ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
            let instant: Timestamp = instant.parse().unwrap();
            assert_eq!(zone("Asia/Kolkata").day_of(instant), instant.date());
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["", "IST+5:30", "Asia/Atlantis"] {
            assert!(EventZone::named(name).is_err(), "{name}");
        }
    }
}
