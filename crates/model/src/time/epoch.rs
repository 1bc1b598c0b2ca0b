//! Seconds since 1970, the form of time that DynamoDB's expiry uses.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;
use std::time::Duration;

use monotable_design::part::PartKind;
use serde::{Deserialize, Serialize};

use super::{TimeError, Timestamp};
use crate::key::{KeyError, KeyPart, PartText};

/// Whole seconds since 1970-01-01 UTC, stored as a number.
///
/// Any number is allowed, because rows of other programs may contain any; only times from 1970 to
/// 2286, which have ten digits, are valid in a key.
///
/// ```
/// use monotable_model::time::{EpochSeconds, Timestamp};
///
/// let now: Timestamp = "2026-02-22T09:30:00.750Z".parse()?;
/// let expiry = EpochSeconds::from(now) + std::time::Duration::from_secs(1800);
/// assert_eq!(expiry.as_seconds(), 1_771_754_400);
/// assert!(!expiry.is_past(now));
/// # Ok::<(), monotable_model::time::TimeError>(())
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct EpochSeconds(i64);

/// The number of digits in a key.
const DIGITS: u8 = 10;

impl EpochSeconds {
    /// Makes the time this many seconds after 1970-01-01, or before it.
    pub const fn new(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Returns the seconds since 1970-01-01.
    pub const fn as_seconds(self) -> i64 {
        self.0
    }

    /// Returns whether a row with this expiry is absent at an instant: from exactly that second on.
    pub const fn is_past(self, now: Timestamp) -> bool {
        self.0 <= now.epoch_seconds().0
    }
}

impl From<Timestamp> for EpochSeconds {
    /// Truncates to whole seconds.
    fn from(timestamp: Timestamp) -> Self {
        timestamp.epoch_seconds()
    }
}

impl Add<Duration> for EpochSeconds {
    type Output = Self;

    /// Adds whole seconds and saturates at the greatest number.
    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add_unsigned(duration.as_secs()))
    }
}

impl Sub<Duration> for EpochSeconds {
    type Output = Self;

    /// Subtracts whole seconds and saturates at the smallest number.
    fn sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub_unsigned(duration.as_secs()))
    }
}

impl fmt::Display for EpochSeconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

impl FromStr for EpochSeconds {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        text.parse().map(Self).map_err(|_| TimeError::Text {
            text: text.to_owned(),
            expected: "number of seconds since 1970",
        })
    }
}

impl PartText for EpochSeconds {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        match u64::try_from(self.0) {
            Ok(seconds) => seconds.write(pad.max(DIGITS), text),
            Err(_) => Err(KeyError::Character { text: self.to_string(), character: '-' }),
        }
    }
}

impl KeyPart for EpochSeconds {
    const KIND: PartKind = PartKind { width: DIGITS, ..PartKind::unsigned(DIGITS) };

    fn parse(text: &str) -> Result<Self, KeyError> {
        u64::parse(text)
            .ok()
            .and_then(|seconds| i64::try_from(seconds).ok())
            .map(Self)
            .ok_or(KeyError::Unparsable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_digits_are_valid_in_a_key() {
        let mut text = String::new();
        EpochSeconds(1_700_000).write(0, &mut text).unwrap();
        assert_eq!(text, "0001700000");
        assert_eq!(EpochSeconds::parse(&text), Ok(EpochSeconds(1_700_000)));
        assert!(EpochSeconds(-1).write(0, &mut text).is_err());
        assert_eq!(
            EpochSeconds(10_000_000_000).write(0, &mut text),
            Err(KeyError::TooWide { number: 10_000_000_000, pad: 10 })
        );
    }

    #[test]
    fn a_number_is_stored() {
        assert_eq!(serde_json::to_string(&EpochSeconds(30)).unwrap(), "30");
        assert_eq!(serde_json::from_str::<EpochSeconds>("30").unwrap(), EpochSeconds(30));
        assert!(serde_json::from_str::<EpochSeconds>("\"30\"").is_err());
    }

    #[test]
    fn an_expiry_is_past_from_its_own_second_on() {
        let at = |ms| Timestamp::from_ms(ms).unwrap();
        assert!(!EpochSeconds(10).is_past(at(9_999)));
        assert!(EpochSeconds(10).is_past(at(10_000)));
    }

    #[test]
    fn instants_outside_the_calendar_do_not_convert() {
        assert_eq!(Timestamp::try_from(EpochSeconds(i64::MAX)), Err(TimeError::Range));
        assert_eq!(Timestamp::try_from(EpochSeconds(1)), Timestamp::from_ms(1000));
        assert_eq!(EpochSeconds::from(Timestamp::from_ms(-1).unwrap()), EpochSeconds(-1));
    }
}
