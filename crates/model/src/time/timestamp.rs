//! An instant: `2026-02-22T09:30:00.000Z`.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;
use std::time::Duration;

use jiff::tz::Offset;
use jiff::{SignedDuration, civil};
use monotable_design::part::{Charset, Form, PartKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::date::read_date;
use super::text::{digits_at, write_digits};
use super::{Date, EpochSeconds, TimeError};
use crate::key::{KeyError, KeyPart, PartText};

/// An instant in UTC with milliseconds, from the year 0000 to the year 9999.
///
/// It is written only as `YYYY-MM-DDTHH:MM:SS.mmmZ`, whose texts sort like the instants. Other
/// forms of ISO 8601 can be read too, because rows of other programs contain them: without
/// fraction, with microseconds (truncated to milliseconds), with an offset.
///
/// ```
/// use monotable_model::time::Timestamp;
///
/// let start: Timestamp = "2026-02-22T20:30:00+11:00".parse()?;
/// assert_eq!(start.to_string(), "2026-02-22T09:30:00.000Z");
/// assert_eq!(start + std::time::Duration::from_secs(90), "2026-02-22T09:31:30Z".parse()?);
/// # Ok::<(), monotable_model::time::TimeError>(())
/// ```
// Milliseconds instead of a `jiff::Timestamp`, whose range ends a day before the year 9999 does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The length of the text.
const TEXT_BYTES: usize = 24;
const EPOCH: civil::DateTime = civil::DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl Timestamp {
    /// 0000-01-01T00:00:00.000Z.
    pub const MIN: Self = Self(-62_167_219_200_000);
    /// 9999-12-31T23:59:59.999Z.
    pub const MAX: Self = Self(253_402_300_799_999);
    /// 1970-01-01T00:00:00.000Z.
    pub const EPOCH: Self = Self(0);

    /// Makes the instant this many milliseconds after 1970-01-01.
    ///
    /// # Errors
    ///
    /// It is outside the years 0000 to 9999.
    pub const fn from_ms(milliseconds: i64) -> Result<Self, TimeError> {
        if milliseconds < Self::MIN.0 || milliseconds > Self::MAX.0 {
            return Err(TimeError::Range);
        }
        Ok(Self(milliseconds))
    }

    /// Returns the milliseconds since 1970-01-01.
    pub const fn as_ms(self) -> i64 {
        self.0
    }

    /// Returns the day in UTC.
    pub fn date(self) -> Date {
        Date::try_from(self.civil().date()).unwrap_or(Date::MIN)
    }

    /// Returns the whole seconds since 1970-01-01, rounded down.
    pub const fn epoch_seconds(self) -> EpochSeconds {
        EpochSeconds::new(self.0.div_euclid(1000))
    }

    /// Returns the instant after a duration, in whole milliseconds; `None` after the year 9999.
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        let milliseconds = i64::try_from(duration.as_millis()).ok()?;
        Self::from_ms(self.0.checked_add(milliseconds)?).ok()
    }

    /// Returns the instant before a duration, in whole milliseconds; `None` before the year 0000.
    pub fn checked_sub(self, duration: Duration) -> Option<Self> {
        let milliseconds = i64::try_from(duration.as_millis()).ok()?;
        Self::from_ms(self.0.checked_sub(milliseconds)?).ok()
    }

    /// Returns the time since an earlier instant; zero if that is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }

    /// Converts an instant that is known to be in a year of four digits.
    pub(super) fn from_civil(utc: civil::DateTime) -> Self {
        Self(EPOCH.duration_until(utc).as_millis() as i64)
    }

    fn civil(self) -> civil::DateTime {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(timestamp) => Offset::UTC.to_datetime(timestamp),
            // The last day of the year 9999, on the slower path.
            Err(_) => EPOCH.saturating_add(SignedDuration::from_millis(self.0)),
        }
    }

    fn with_text<T>(self, take: impl FnOnce(&str) -> T) -> T {
        let mut bytes = *b"0000-00-00T00:00:00.000Z";
        let utc = self.civil();
        let mut day = [0; 10];
        Date::try_from(utc.date()).unwrap_or(Date::MIN).write_to(&mut day);
        bytes[..10].copy_from_slice(&day);
        write_digits(utc.hour().unsigned_abs().into(), &mut bytes[11..13]);
        write_digits(utc.minute().unsigned_abs().into(), &mut bytes[14..16]);
        write_digits(utc.second().unsigned_abs().into(), &mut bytes[17..19]);
        write_digits(utc.millisecond().unsigned_abs().into(), &mut bytes[20..23]);
        take(std::str::from_utf8(&bytes).unwrap_or_default())
    }
}

/// Reads the canonical form.
fn read_exact(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let is_form = bytes.len() == TEXT_BYTES
        && [(10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')]
            .iter()
            .all(|(at, expected)| bytes[*at] == *expected);
    if !is_form {
        return None;
    }
    let time = civil::Time::new(
        digits_at(bytes, 11, 13)? as i8,
        digits_at(bytes, 14, 16)? as i8,
        digits_at(bytes, 17, 19)? as i8,
        digits_at(bytes, 20, 23)? as i32 * 1_000_000,
    );
    Some(Timestamp::from_civil(read_date(bytes)?.to_datetime(time.ok()?)))
}

impl FromStr for Timestamp {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        if let Some(timestamp) = read_exact(text) {
            return Ok(timestamp);
        }
        match text.parse::<jiff::Timestamp>() {
            Ok(timestamp) => timestamp.try_into(),
            Err(_) => Err(TimeError::Text {
                text: text.to_owned(),
                expected: "instant; write it as `2026-01-31T09:30:00.000Z`",
            }),
        }
    }
}

impl TryFrom<jiff::Timestamp> for Timestamp {
    type Error = TimeError;

    /// Truncates to milliseconds.
    fn try_from(timestamp: jiff::Timestamp) -> Result<Self, TimeError> {
        Self::from_ms(timestamp.as_microsecond().div_euclid(1000))
    }
}

impl TryFrom<Timestamp> for jiff::Timestamp {
    type Error = TimeError;

    /// Fails only for the last day of the year 9999.
    fn try_from(timestamp: Timestamp) -> Result<Self, TimeError> {
        Self::from_millisecond(timestamp.0).map_err(|_| TimeError::Range)
    }
}

impl From<Date> for Timestamp {
    /// Returns the start of the day in UTC.
    fn from(date: Date) -> Self {
        date.start()
    }
}

impl TryFrom<EpochSeconds> for Timestamp {
    type Error = TimeError;

    fn try_from(seconds: EpochSeconds) -> Result<Self, TimeError> {
        Self::from_ms(seconds.as_seconds().checked_mul(1000).ok_or(TimeError::Range)?)
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    /// Adds a duration and saturates at [`Timestamp::MAX`].
    fn add(self, duration: Duration) -> Self {
        self.checked_add(duration).unwrap_or(Self::MAX)
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    /// Subtracts a duration and saturates at [`Timestamp::MIN`].
    fn sub(self, duration: Duration) -> Self {
        self.checked_sub(duration).unwrap_or(Self::MIN)
    }
}

impl Default for Timestamp {
    /// 1970-01-01T00:00:00.000Z, for fields that are stamped when they are written.
    fn default() -> Self {
        Self::EPOCH
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_text(|text| formatter.pad(text))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_text(|text| serializer.serialize_str(text))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Timestamp;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an instant as text")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

impl PartText for Timestamp {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        self.with_text(|instant| text.push_str(instant));
        Ok(())
    }
}

impl KeyPart for Timestamp {
    const KIND: PartKind = PartKind {
        form: Form::Instant,
        charset: Charset::Instant,
        may_be_empty: false,
        width: TEXT_BYTES as u8,
        is_identity: false,
    };

    /// Accepts only the canonical form, because another text of the same instant is another key.
    fn parse(text: &str) -> Result<Self, KeyError> {
        read_exact(text).ok_or(KeyError::Unparsable)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&match text.parse::<Timestamp>() {
            Ok(timestamp) => timestamp.to_string(),
            Err(error) => error.to_string(),
        });
    }

    #[test]
    fn the_forms_of_other_programs_are_read() {
        check("2026-02-22T09:30:00.123Z", expect!["2026-02-22T09:30:00.123Z"]);
        check("2026-02-22T09:30:00Z", expect!["2026-02-22T09:30:00.000Z"]);
        check("2025-10-30T12:00:00.123456+00:00", expect!["2025-10-30T12:00:00.123Z"]);
        check("2026-02-22T20:30:00+11:00", expect!["2026-02-22T09:30:00.000Z"]);
        check("2025-09-01T05:30:00.5+05:30", expect!["2025-09-01T00:00:00.500Z"]);
        check("1969-12-31T23:59:59.9999Z", expect!["1969-12-31T23:59:59.999Z"]);
    }

    #[test]
    fn texts_without_a_zone_or_a_time_are_refused() {
        check(
            "2026-02-22T09:30:00",
            expect![
                "`2026-02-22T09:30:00` is not a valid instant; write it as `2026-01-31T09:30:00.000Z`"
            ],
        );
        check(
            "2026-02-22",
            expect!["`2026-02-22` is not a valid instant; write it as `2026-01-31T09:30:00.000Z`"],
        );
        check(
            "2026-02-30T09:30:00.000Z",
            expect![
                "`2026-02-30T09:30:00.000Z` is not a valid instant; write it as `2026-01-31T09:30:00.000Z`"
            ],
        );
    }

    #[test]
    fn instants_are_limited_to_four_digit_years() {
        check("0000-01-01T00:00:00.000Z", expect!["0000-01-01T00:00:00.000Z"]);
        check("9999-12-31T23:59:59.999Z", expect!["9999-12-31T23:59:59.999Z"]);
        assert_eq!("0000-01-01T00:00:00.000Z".parse(), Ok(Timestamp::MIN));
        assert_eq!("9999-12-31T23:59:59.999Z".parse(), Ok(Timestamp::MAX));
        assert_eq!(Timestamp::from_ms(Timestamp::MAX.as_ms() + 1), Err(TimeError::Range));
        assert_eq!(Timestamp::from_ms(Timestamp::MIN.as_ms() - 1), Err(TimeError::Range));
        assert_eq!(Timestamp::MAX.checked_add(Duration::from_millis(1)), None);
        assert_eq!(Timestamp::MIN - Duration::MAX, Timestamp::MIN);
    }

    #[test]
    fn a_key_accepts_only_the_canonical_form() {
        assert!(<Timestamp as KeyPart>::parse("2026-02-22T09:30:00.000Z").is_ok());
        assert!(<Timestamp as KeyPart>::parse("2026-02-22T09:30:00Z").is_err());
        assert!(<Timestamp as KeyPart>::parse("2026-02-22 09:30:00.000Z").is_err());
    }

    #[test]
    fn days_and_seconds_convert() {
        let instant: Timestamp = "2026-02-22T23:59:59.999Z".parse().unwrap();
        assert_eq!(Date::from(instant).to_string(), "2026-02-22");
        assert_eq!(Timestamp::from(instant.date()).to_string(), "2026-02-22T00:00:00.000Z");
        assert_eq!(instant.epoch_seconds(), EpochSeconds::new(1_771_804_799));
        assert_eq!(instant.since(instant - Duration::from_secs(5)), Duration::from_secs(5));
        assert_eq!((instant - Duration::from_secs(5)).since(instant), Duration::ZERO);
        assert_eq!(jiff::Timestamp::try_from(instant).unwrap().try_into(), Ok(instant));
    }

    proptest! {
        #[test]
        fn every_instant_is_read_back_and_sorts(
            one in Timestamp::MIN.0..=Timestamp::MAX.0,
            other in Timestamp::MIN.0..=Timestamp::MAX.0,
        ) {
            let (one, other) = (Timestamp(one), Timestamp(other));
            let (one_text, other_text) = (one.to_string(), other.to_string());
            prop_assert_eq!(one_text.len(), TEXT_BYTES);
            prop_assert_eq!(read_exact(&one_text), Some(one));
            prop_assert_eq!(one.cmp(&other), one_text.cmp(&other_text));
        }
    }
}
