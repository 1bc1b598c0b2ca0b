//! A day of the calendar: `2026-02-22`.

use std::fmt;
use std::str::FromStr;

use jiff::{Span, civil};
use monotable_design::part::{Charset, Form, PartKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::text::{digits_at, write_digits};
use super::{TimeError, Timestamp};
use crate::key::{KeyError, KeyPart, PartText};

/// A day from `0000-01-01` to `9999-12-31`, written as ten characters that sort.
///
/// ```
/// use monotable_model::time::Date;
///
/// let day: Date = "2026-02-28".parse()?;
/// assert_eq!(day.plus_days(1), Some(Date::new(2026, 3, 1)?));
/// assert_eq!(day.to_string(), "2026-02-28");
/// # Ok::<(), monotable_model::time::TimeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(civil::Date);

/// The length of the text.
const TEXT_BYTES: usize = 10;

impl Date {
    /// The first day that has a text.
    pub const MIN: Self = Self(civil::Date::constant(0, 1, 1));
    /// The last day that has a text.
    pub const MAX: Self = Self(civil::Date::constant(9999, 12, 31));
    /// 1970-01-01.
    pub const EPOCH: Self = Self(civil::Date::constant(1970, 1, 1));

    /// Makes a day from its year, month (from 1) and day of the month (from 1).
    ///
    /// # Errors
    ///
    /// The day does not exist, or it is outside the years 0000 to 9999.
    pub fn new(year: u16, month: u8, day: u8) -> Result<Self, TimeError> {
        let date = || {
            let year = i16::try_from(year).ok()?;
            civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
        };
        date().map_or(Err(TimeError::Range), Self::try_from)
    }

    /// Returns the year, 0 to 9999.
    pub fn year(self) -> u16 {
        self.0.year().unsigned_abs()
    }

    /// Returns the month, 1 to 12.
    pub fn month(self) -> u8 {
        self.0.month().unsigned_abs()
    }

    /// Returns the day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.0.day().unsigned_abs()
    }

    /// Returns the instant at which the day starts in UTC.
    pub fn start(self) -> Timestamp {
        Timestamp::from_civil(self.0.at(0, 0, 0, 0))
    }

    /// Returns the day this many days later, or earlier for a negative number; `None` outside the
    /// years 0000 to 9999.
    pub fn plus_days(self, days: i32) -> Option<Self> {
        let span = Span::new().try_days(days).ok()?;
        Self::try_from(self.0.checked_add(span).ok()?).ok()
    }

    /// Appends the text.
    pub(super) fn write_to(self, out: &mut [u8; TEXT_BYTES]) {
        *out = *b"0000-00-00";
        write_digits(self.year().into(), &mut out[0..4]);
        write_digits(self.month().into(), &mut out[5..7]);
        write_digits(self.day().into(), &mut out[8..10]);
    }

    fn with_text<T>(self, take: impl FnOnce(&str) -> T) -> T {
        let mut bytes = [0; TEXT_BYTES];
        self.write_to(&mut bytes);
        take(std::str::from_utf8(&bytes).unwrap_or_default())
    }
}

/// Reads `YYYY-MM-DD` from the start of a text.
pub(super) fn read_date(text: &[u8]) -> Option<civil::Date> {
    let (year, month, day) =
        (digits_at(text, 0, 4)?, digits_at(text, 5, 7)?, digits_at(text, 8, 10)?);
    if text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    civil::Date::new(year as i16, month as i8, day as i8).ok()
}

impl Default for Date {
    /// 1970-01-01.
    fn default() -> Self {
        Self::EPOCH
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_text(|text| formatter.pad(text))
    }
}

impl FromStr for Date {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let bytes = text.as_bytes();
        let date = if bytes.len() == TEXT_BYTES { read_date(bytes) } else { None };
        date.map(Self).ok_or_else(|| TimeError::Text {
            text: text.to_owned(),
            expected: "day; write it as `2026-01-31`",
        })
    }
}

impl TryFrom<civil::Date> for Date {
    type Error = TimeError;

    fn try_from(date: civil::Date) -> Result<Self, TimeError> {
        if date < Self::MIN.0 { Err(TimeError::Range) } else { Ok(Self(date)) }
    }
}

impl From<Date> for civil::Date {
    fn from(date: Date) -> Self {
        date.0
    }
}

impl From<Timestamp> for Date {
    /// Returns the day in UTC.
    fn from(timestamp: Timestamp) -> Self {
        timestamp.date()
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_text(|text| serializer.serialize_str(text))
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Date;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a day as text")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Date, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

impl PartText for Date {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        self.with_text(|day| text.push_str(day));
        Ok(())
    }
}

impl KeyPart for Date {
    const KIND: PartKind = PartKind {
        form: Form::Date,
        charset: Charset::Date,
        may_be_empty: false,
        width: TEXT_BYTES as u8,
        is_identity: false,
    };

    fn parse(text: &str) -> Result<Self, KeyError> {
        text.parse().map_err(|_| KeyError::Unparsable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_form_is_accepted() {
        for text in
            ["2026-2-1", "2026-02-30", "20260201", "2026-02-01T", "", "２026-02-0", "+026-02-01"]
        {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert_eq!("0000-01-01".parse(), Ok(Date::MIN));
        assert_eq!("9999-12-31".parse(), Ok(Date::MAX));
    }

    #[test]
    fn days_are_limited_to_four_digit_years() {
        assert_eq!(Date::MAX.plus_days(1), None);
        assert_eq!(Date::MIN.plus_days(-1), None);
        assert_eq!(Date::new(10_000, 1, 1), Err(TimeError::Range));
        assert_eq!(Date::new(2026, 2, 29), Err(TimeError::Range));
        assert!(Date::try_from(civil::Date::constant(-1, 12, 31)).is_err());
    }

    #[test]
    fn the_text_sorts_like_the_day() {
        let mut days = [Date::MAX, Date::EPOCH, Date::MIN, Date::new(999, 12, 31).unwrap()];
        let mut texts: Vec<String> = days.iter().map(Date::to_string).collect();
        days.sort();
        texts.sort();
        assert_eq!(days.iter().map(Date::to_string).collect::<Vec<_>>(), texts);
    }

    #[test]
    fn serde_writes_the_text() {
        let day = Date::new(2026, 2, 22).unwrap();
        assert_eq!(serde_json::to_string(&day).unwrap(), "\"2026-02-22\"");
        assert_eq!(serde_json::from_str::<Date>("\"2026-02-22\"").unwrap(), day);
        assert!(serde_json::from_str::<Date>("20260222").is_err());
    }
}
