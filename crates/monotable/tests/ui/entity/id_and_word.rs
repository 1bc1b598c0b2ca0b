#![allow(unreachable_patterns)]
use monotable::prelude::*;

#[derive(Id, Clone)]
pub struct Number(u64);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pair {
    left: String,
}

#[derive(Id, Clone)]
pub enum Either {
    Left,
}

#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    Open,
    #[serde(rename = "in progress")]
    InProgress,
    #[serde(rename = "Open")]
    Reopened,
    Closed(u8),
}

#[derive(KeyWord, Clone)]
pub struct Word(String);

#[derive(Id, Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Upper(String);

impl From<String> for Upper {
    fn from(text: String) -> Self {
        Self(text.to_uppercase())
    }
}

impl From<Upper> for String {
    fn from(upper: Upper) -> Self {
        upper.0
    }
}

#[derive(Id, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trimmed(#[serde(serialize_with = "trimmed")] String);

fn trimmed<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text.trim())
}

#[derive(KeyWord, Clone, Copy, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Level {
    Low,
    High,
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level as Self
    }
}

impl TryFrom<u8> for Level {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        [Self::Low, Self::High].get(usize::from(number)).copied().ok_or("no level".to_owned())
    }
}

#[derive(KeyWord, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all(serialize = "lowercase", deserialize = "UPPERCASE"))]
pub enum Side {
    Left,
    #[serde(other)]
    Right,
}

/// What has errors is a key part all the same.
#[derive(Entity, Clone, Serialize, Deserialize)]
#[key(pk = "TEAM#{pair}#{status}", sk = "METADATA")]
pub struct Team {
    pub pair: Pair,
    #[immutable]
    pub status: Status,
}

fn main() {
    let _ = Number::new("1").map(|number| number.as_str().len());
}
