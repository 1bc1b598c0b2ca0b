//! The time zone of a service: pages show and read times in it. Programs send and receive UTC.

use std::sync::LazyLock;

use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use monotable::model::time::{Date, Timestamp};

/// The zones are compiled into the program, so that every machine has the same ones.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The length of `2026-06-01T09:30`, and with seconds: the forms in which browsers send a local
/// time.
const MINUTE_LENGTH: usize = 16;
const SECOND_LENGTH: usize = 19;

/// A time zone. By default it is UTC, and pages do not name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone(Option<TimeZone>);

impl Zone {
    /// Returns the zone of an IANA name, such as `Australia/Melbourne`.
    ///
    /// # Errors
    /// Returns a message for the operator if there is no such zone.
    pub fn named(name: &str) -> Result<Self, String> {
        let wrong = |_| format!("there is no time zone {name:?}; give one such as Europe/Berlin");
        ZONES.get(name).map(|zone| Self(Some(zone))).map_err(wrong)
    }

    /// Returns its name, if pages show it.
    pub fn name(&self) -> Option<&str> {
        self.0.as_ref().and_then(TimeZone::iana_name)
    }

    /// Returns the day of a time.
    pub fn day(&self, at: Timestamp) -> Date {
        let [year, month, day] = [0..4, 5..7, 8..10].map(|part| {
            self.local(at).get(part).and_then(|digits| digits.parse::<u16>().ok()).unwrap_or(0)
        });
        let small = |part: u16| u8::try_from(part).unwrap_or(0);
        Date::new(year, small(month), small(day)).unwrap_or_else(|_| at.date())
    }

    /// Returns the time of day: `09:30`.
    pub fn clock(&self, at: Timestamp) -> String {
        self.local(at).chars().skip("2026-06-01T".len()).take("09:30".len()).collect()
    }

    /// Returns a time as people write it: `20 September 2026, 15:30`.
    pub fn text(&self, at: Timestamp) -> String {
        let zone = self.0.clone().unwrap_or(TimeZone::UTC);
        let zoned = jiff::Timestamp::try_from(at).map(|at| at.to_zoned(zone));
        zoned.map_or_else(|_| at.to_string(), |at| at.strftime("%-d %B %Y, %H:%M").to_string())
    }

    /// Returns a time as in a form field: `2026-06-01T09:30:00`.
    pub(crate) fn local(&self, at: Timestamp) -> String {
        let zoned = self.0.as_ref().zip(jiff::Timestamp::try_from(at).ok());
        let text = zoned
            .map_or_else(|| at.to_string(), |(zone, at)| format!("{:.0}", zone.to_datetime(at)));
        text.chars().take(SECOND_LENGTH).collect()
    }

    /// Returns the time of a form field, as programs send it. A time that clocks skip becomes the
    /// one after the gap; of one that clocks show twice, the first is used.
    pub(crate) fn utc(&self, local: &str) -> String {
        let is_local =
            matches!(local.len(), MINUTE_LENGTH | SECOND_LENGTH) && !local.ends_with('Z');
        let at = self.0.as_ref().filter(|_| is_local).and_then(|zone| {
            let local: DateTime = local.parse().ok()?;
            let at = zone.to_ambiguous_timestamp(local).compatible().ok()?;
            Timestamp::try_from(at).ok()
        });
        match (at, local.len()) {
            (Some(at), _) => at.to_string(),
            (None, MINUTE_LENGTH) if is_local => format!("{local}:00Z"),
            (None, _) if is_local => format!("{local}Z"),
            (None, _) => local.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_clocks_in_the_zone() {
        let melbourne = Zone::named("Australia/Melbourne").unwrap();
        let check = |zone: &Zone, utc: &str, local: &str| {
            let at: Timestamp = utc.parse().unwrap();
            assert_eq!(zone.local(at), local);
            let back: Timestamp = zone.utc(local).parse().unwrap();
            assert_eq!(back, at, "{local}");
        };
        check(&melbourne, "2026-02-21T22:00:00Z", "2026-02-22T09:00:00");
        check(&melbourne, "2026-07-21T23:00:00Z", "2026-07-22T09:00:00");
        check(&Zone::default(), "2026-07-21T23:00:00Z", "2026-07-21T23:00:00");
        let at: Timestamp = "2026-02-21T22:05:59.900Z".parse().unwrap();
        assert_eq!(melbourne.day(at).to_string(), "2026-02-22");
        assert_eq!(
            (melbourne.clock(at), Zone::default().clock(at)),
            ("09:05".into(), "22:05".into())
        );
        assert_eq!(melbourne.text(at), "22 February 2026, 09:05");
        assert_eq!(Zone::default().text(at), "21 February 2026, 22:05");
        assert_eq!(melbourne.utc("2026-02-22T09:00"), "2026-02-21T22:00:00.000Z");
        // Clocks go from 02:00 to 03:00 on 4 October 2026, and from 03:00 back to 02:00 on 5 April 2026.
        assert_eq!(melbourne.utc("2026-10-04T02:30"), "2026-10-03T16:30:00.000Z");
        assert_eq!(melbourne.utc("2026-04-05T02:30"), "2026-04-04T15:30:00.000Z");
        assert_eq!(Zone::default().utc("2026-06-01T09:30"), "2026-06-01T09:30:00Z");
        for other in ["2026-02-22T09:00:00Z", "2026-02-22T09:00:00+01:00", "soon", ""] {
            assert_eq!(melbourne.utc(other), other);
        }
        assert_eq!((melbourne.name(), Zone::default().name()), (Some("Australia/Melbourne"), None));
        assert!(Zone::named("Mars/Olympus").unwrap_err().contains("Mars/Olympus"));
    }
}
