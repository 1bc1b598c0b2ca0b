//! Values in rows: words, the character and the place of a level, degrees, older expiries.

use std::fmt;

use monotable::prelude::*;
use monotable_kit::Words;
use serde::de::{Deserializer, Error as _, Visitor};

/// How far a game is, as its row says. Whether it is live or paused is in its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum GameStatus {
    /// Its rows are being written; players do not see it.
    Provisioning,
    /// It can be played.
    Ready,
    /// It is over.
    Ended,
    /// It is over, and personal data was removed.
    Archived,
}

/// In which order teams walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum RouteMode {
    /// Each team draws its levels, if not all are played; otherwise the order of the configuration.
    #[default]
    Random,
    /// The order of the configuration.
    Ordered,
    /// The order of the configuration, begun at another place by each team.
    Rotated,
}

/// How soon a team gets hints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// After half of the time.
    Easy,
    /// After the time of the game.
    #[default]
    Normal,
    /// After twice the time.
    Hard,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The player.
    User,
    /// The character.
    Assistant,
    /// An organiser, to everybody.
    System,
}

/// What organisers think of a photo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// Nobody has looked at it yet.
    #[default]
    Pending,
    /// It counts.
    Approved,
    /// It does not count: the team needs another one.
    Rejected,
}

/// What a token lets its bearer do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum TokenRole {
    /// Control the game.
    Organiser,
    /// Watch the game.
    Observer,
    /// Play for a team.
    Player,
}

/// What happened at a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Checkpoint {
    /// A team cleared a level.
    #[default]
    Cleared,
    /// A team has photographed a level.
    Photo,
    /// An organiser let a team skip a level.
    Skipped,
    /// An organiser gave a level back to a team.
    Reopened,
}

/// The character of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Character {
    /// Its name.
    pub name: String,
    /// How it talks, for the narrator. Players never see it.
    #[serde(default)]
    pub system_prompt: String,
}

/// The place of a level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Location {
    /// What it is.
    #[serde(default)]
    pub description: String,
    /// Degrees north.
    pub latitude: Degrees,
    /// Degrees east.
    pub longitude: Degrees,
}

/// An angle. Older programs wrote some as texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Degrees(pub f64);

impl<'de> Deserialize<'de> for Degrees {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrText;

        impl Visitor<'_> for NumberOrText {
            type Value = f64;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number of degrees")
            }

            fn visit_f64<E>(self, value: f64) -> Result<f64, E> {
                Ok(value)
            }

            fn visit_i64<E>(self, value: i64) -> Result<f64, E> {
                Ok(value as f64)
            }

            fn visit_u64<E>(self, value: u64) -> Result<f64, E> {
                Ok(value as f64)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<f64, E> {
                text.trim().parse().map_err(|_| E::custom("a text that is no number"))
            }
        }

        let degrees = deserializer.deserialize_any(NumberOrText)?;
        if degrees.is_finite() { Ok(Self(degrees)) } else { Err(D::Error::custom("no number")) }
    }
}

/// The attribute `ttl` of older programs: a row counts as gone only if it is a number in the past.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OlderExpiry(serde_json::Value);

impl OlderExpiry {
    /// Returns the second from which on the row counts as gone.
    pub fn seconds(&self) -> Option<EpochSeconds> {
        self.0.as_i64().map(EpochSeconds::new)
    }

    /// Returns whether the row counts as gone.
    pub fn is_past(&self, now: Timestamp) -> bool {
        self.seconds().is_some_and(|end| end.is_past(now))
    }
}
