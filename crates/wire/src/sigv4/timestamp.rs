//! The time of a signature: `20261115T093000Z`, or the `Date` header of HTTP.
//!
//! Knows no clock: callers pass the current time.

use std::fmt;

use jiff::SignedDuration;
use jiff::civil::{self, DateTime};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A second in UTC, printed in ISO 8601's basic format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timestamp(DateTime);

/// A day in UTC, printed as `20261115`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day(civil::Date);

impl Timestamp {
    pub(super) fn from_unix_seconds(seconds: i64) -> Self {
        Self(EPOCH).plus(seconds)
    }

    pub(super) fn plus(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(SignedDuration::from_secs(seconds)))
    }

    /// Reads `20261115T093000Z`, the only form of `X-Amz-Date`.
    pub(super) fn parse_basic(text: &str) -> Option<Self> {
        let bytes: &[u8; 16] = text.as_bytes().try_into().ok()?;
        if bytes[8] != b'T' || bytes[15] != b'Z' {
            return None;
        }
        let month = digits(&bytes[4..6])?;
        Self::from_parts(
            &bytes[0..4],
            month,
            &bytes[6..8],
            [&bytes[9..11], &bytes[11..13], &bytes[13..15]],
        )
    }

    /// Reads the `Date` header: HTTP's `Sun, 15 Nov 2026 09:30:00 GMT`, or the basic format, which
    /// AWS accepts there too.
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
        let month = i16::try_from(month).ok()? + 1;
        Self::from_parts(
            &bytes[12..16],
            month,
            &bytes[5..7],
            [&bytes[17..19], &bytes[20..22], &bytes[23..25]],
        )
    }

    /// Returns the time with these digits, if the day and the time exist.
    fn from_parts(year: &[u8], month: i16, day: &[u8], time: [&[u8]; 3]) -> Option<Self> {
        let small = |number: i16| i8::try_from(number).ok();
        let date = civil::Date::new(digits(year)?, small(month)?, small(digits(day)?)?).ok()?;
        let [hour, minute, second] = time.map(|part| digits(part).and_then(small));
        let time = civil::Time::new(hour?, minute?, second?, 0).ok()?;
        Some(Self(date.to_datetime(time)))
    }

    pub(super) fn day(self) -> Day {
        Day(self.0.date())
    }
}

/// Reads up to four digits.
fn digits(text: &[u8]) -> Option<i16> {
    text.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit().then(|| number * 10 + i16::from(byte - b'0'))
    })
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}{:02}{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second) = (self.0.hour(), self.0.minute(), self.0.second());
        write!(formatter, "{}T{hour:02}{minute:02}{second:02}Z", self.day())
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
            let expected = (Timestamp::from_unix_seconds(seconds), text);
            assert_eq!((read, read.to_string().as_str()), expected);
        }
    }

    #[test]
    fn every_day_of_four_centuries_is_read_back() {
        for days in -200_000..200_000 {
            let day = Timestamp::from_unix_seconds(days * 86_400);
            assert_eq!(Timestamp::parse_basic(&day.to_string()), Some(day));
            assert_ne!(day.day(), day.plus(-1).day());
            assert_eq!(day.day(), day.plus(86_399).day());
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
