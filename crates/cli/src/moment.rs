//! Moments on the command line.

use std::str::FromStr;

use monotable::prelude::Timestamp;

/// A moment, in milliseconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) u64);

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is not a time; write 2026-11-19T03:00:00Z or seconds since 1970");
        if let Ok(seconds) = text.parse::<u64>() {
            return seconds.checked_mul(1_000).map(Self).ok_or_else(wrong);
        }
        let moment: Timestamp = text.parse().map_err(|_| wrong())?;
        u64::try_from(moment.as_ms()).map(Self).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_iso_8601_or_seconds() {
        assert_eq!("1791500851".parse(), Ok(Moment(1_791_500_851_000)));
        assert_eq!("2026-10-08T23:07:31.275Z".parse(), Ok(Moment(1_791_500_851_275)));
        assert_eq!("2026-10-09T01:07:31+02:00".parse(), Ok(Moment(1_791_500_851_000)));
        for text in ["", "yesterday", "2026-10-08", "-1", "99999999999999999999"] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }
}
