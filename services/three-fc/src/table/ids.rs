//! Ids, and the start of a game as it stands in keys.

use std::cmp::Ordering;
use std::fmt;

use monotable::model::key::{KeyError, KeyPart, PartKind, PartText};
use monotable::prelude::*;

monotable_kit::ids!(
    /// A league.
    LeagueId,
    /// A season of a league.
    SeasonId,
    /// A team of a season, such as `red`.
    TeamId,
    /// A match day of a season.
    SessionId,
    /// A game.
    GameId,
    /// A goal. Ids sort in the order in which goals were recorded.
    EventId,
    /// A player, in any league.
    PlayerId,
    /// A user. Older programs took the e-mail address.
    UserId,
    /// A line of an audit.
    AuditId,
    /// A readable name in addresses of pages.
    Slug,
    /// A code to join a game with.
    JoinCode,
    /// A hash in the key of a record.
    ScopeId,
);

impl ScopeId {
    /// Takes a hash in hexadecimal digits, which can always be part of a key.
    pub(crate) fn of_hash(hash: String) -> Self {
        Self(hash)
    }
}

/// `Australia/Melbourne` since 2008: daylight saving time from October to April.
const MELBOURNE: &str = "AEST-10AEDT,M10.1.0,M4.1.0/3";

/// When a game starts. New values are written in UTC with milliseconds; a value that an older program wrote
/// otherwise keeps its text until the game is rescheduled, because it is part of keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StartTime {
    text: String,
    instant: Timestamp,
}

impl StartTime {
    /// Returns the instant, by which starts are compared.
    pub fn instant(&self) -> Timestamp {
        self.instant
    }
}

impl From<Timestamp> for StartTime {
    fn from(instant: Timestamp) -> Self {
        Self { text: instant.to_string(), instant }
    }
}

impl TryFrom<String> for StartTime {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse() {
            Ok(instant) => Ok(Self { text, instant }),
            Err(error) => match local(&text) {
                Some(instant) => Ok(Self { text, instant }),
                None => Err(format!("`{text}`: {error}")),
            },
        }
    }
}

/// Reads a time without an offset: a clock in Melbourne, where the older programs were used.
fn local(text: &str) -> Option<Timestamp> {
    let time: jiff::civil::DateTime = text.parse().ok()?;
    let zone = jiff::tz::TimeZone::posix(MELBOURNE).ok()?;
    let instant = zone.to_ambiguous_timestamp(time).compatible().ok()?;
    Timestamp::try_from(instant).ok()
}

impl From<StartTime> for String {
    fn from(start: StartTime) -> Self {
        start.text
    }
}

impl fmt::Display for StartTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instant.fmt(formatter)
    }
}

impl Ord for StartTime {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.instant, &self.text).cmp(&(other.instant, &other.text))
    }
}

impl PartialOrd for StartTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartText for StartTime {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        text.push_str(&self.text);
        Ok(())
    }
}

impl KeyPart for StartTime {
    const KIND: PartKind = PartKind::WORD;

    fn parse(text: &str) -> Result<Self, KeyError> {
        Self::try_from(text.to_owned()).map_err(|_| KeyError::Unparsable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_without_an_offset_are_times_of_melbourne() {
        let check = |text: &str, utc: &str| {
            let start = StartTime::try_from(text.to_owned()).unwrap();
            assert_eq!(start.instant().to_string(), utc, "{text}");
            assert_eq!(String::from(start), text);
        };
        check("2026-02-22T09:00:00", "2026-02-21T22:00:00.000Z");
        check("2026-07-22T09:00", "2026-07-21T23:00:00.000Z");
        check("2026-02-22T09:00:00+00:00", "2026-02-22T09:00:00.000Z");
        assert!(StartTime::try_from("soon".to_owned()).is_err());
    }
}
