//! The time a request was signed: `20261115T093000Z`, or the `Date` header of HTTP.
//!
//! Knows no clock: the current time is given.

use std::fmt;

const DAY_SECONDS: i64 = 86_400;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Seconds since 1970, printed in ISO 8601's basic format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timestamp(i64);

/// A day in UTC, printed as `20261115`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl Timestamp {
    pub(super) fn from_unix_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    pub(super) fn plus(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    /// Reads `20261115T093000Z`, the only form of `X-Amz-Date`.
    pub(super) fn parse_basic(text: &str) -> Option<Self> {
        let bytes: &[u8; 16] = text.as_bytes().try_into().ok()?;
        if bytes[8] != b'T' || bytes[15] != b'Z' {
            return None;
        }
        Self::from_parts(
            Day {
                year: digits(&bytes[0..4])?,
                month: digits(&bytes[4..6])?,
                day: digits(&bytes[6..8])?,
            },
            [digits(&bytes[9..11])?, digits(&bytes[11..13])?, digits(&bytes[13..15])?],
        )
    }

    /// Reads the `Date` header: HTTP's `Sun, 15 Nov 2026 09:30:00 GMT`, or the basic format, which
    /// AWS takes there too.
    pub(super) fn parse_date_header(text: &str) -> Option<Self> {
        Self::parse_basic(text).or_else(|| Self::parse_http(text))
    }

    fn parse_http(text: &str) -> Option<Self> {
        let bytes: &[u8; 29] = text.as_bytes().try_into().ok()?;
        let month = MONTHS.iter().position(|name| name.as_bytes() == &bytes[8..11])?;
        let separators = [bytes[3], bytes[4], bytes[7], bytes[11], bytes[16], bytes[19], bytes[22]];
        if &separators != b",    ::" || &bytes[25..29] != b" GMT" {
            return None;
        }
        Self::from_parts(
            Day {
                year: digits(&bytes[12..16])?,
                month: month as i64 + 1,
                day: digits(&bytes[5..7])?,
            },
            [digits(&bytes[17..19])?, digits(&bytes[20..22])?, digits(&bytes[23..25])?],
        )
    }

    fn from_parts(day: Day, [hour, minute, second]: [i64; 3]) -> Option<Self> {
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let days = day.days_since_1970();
        // A day that does not exist, such as 31 April, comes back as another one.
        (Day::from_days_since_1970(days) == day)
            .then_some(Self(days * DAY_SECONDS + hour * 3600 + minute * 60 + second))
    }

    pub(super) fn day(self) -> Day {
        Day::from_days_since_1970(self.0.div_euclid(DAY_SECONDS))
    }
}

impl Day {
    /// Days of the Gregorian calendar, counted in years that begin in March so that the leap day
    /// comes last.
    fn days_since_1970(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let month = (self.month + 9) % 12;
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        year * 365 + leap_days + (153 * month + 2) / 5 + self.day - 1 - 719_468
    }

    fn from_days_since_1970(days: i64) -> Self {
        let days = days + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let year = era * 400 + year_of_era;
        if month < 10 {
            Self { year, month: month + 3, day }
        } else {
            Self { year: year + 1, month: month - 9, day }
        }
    }
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0'))
    })
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}{:02}{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.rem_euclid(DAY_SECONDS);
        let (hour, minute) = (seconds / 3600, seconds / 60 % 60);
        write!(formatter, "{}T{hour:02}{minute:02}{:02}Z", self.day(), seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_basic_format_is_read_and_printed() {
        for (text, seconds) in [
            ("19700101T000000Z", 0),
            ("20000229T235959Z", 951_868_799),
            ("20150830T123600Z", 1_440_938_160),
            ("21000301T000000Z", 4_107_542_400),
            ("19691231T235959Z", -1),
        ] {
            let read = Timestamp::parse_basic(text).unwrap();
            assert_eq!((read, read.to_string().as_str()), (Timestamp(seconds), text));
        }
    }

    #[test]
    fn every_day_of_four_centuries_comes_back() {
        for days in -200_000..200_000 {
            assert_eq!(Day::from_days_since_1970(days).days_since_1970(), days);
        }
    }

    #[test]
    fn the_date_header_of_http_is_read() {
        let read = Timestamp::parse_date_header("Sun, 30 Aug 2015 12:36:00 GMT").unwrap();
        assert_eq!(read.to_string(), "20150830T123600Z");
        assert_eq!(Timestamp::parse_date_header("20150830T123600Z"), Some(read));
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "a",
            "2015-08-30T12:36:00Z",
            "20150830T123600",
            "20150830T123600z",
            "20150830T123600.1Z",
            "20150231T000000Z",
            "20150001T000000Z",
            "20151301T000000Z",
            "20150830T240000Z",
            "20150830T126000Z",
            "20150830T123660Z",
            "2015083éT123600Z",
            "Sun, 30 Aug 2015 12:36:00 CET",
            "Sun, 30 Nov 2015 12:36:0a GMT",
            "Sun; 30 Aug 2015 12:36:00 GMT",
        ] {
            assert_eq!(Timestamp::parse_date_header(text), None, "{text:?}");
        }
    }
}
