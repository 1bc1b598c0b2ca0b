//! The table as it is stored, not as the service reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use monotable::Item;
use monotable_btl_run::rules::events::Event;
use monotable_btl_run::rules::state::MatchState;
use serde_json::Value;

use crate::world::World;

/// A row: its keys, its value and the rest of it.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) pk: String,
    pub(crate) sk: String,
    /// The value, in any of the forms that it is written in.
    pub(crate) value: Value,
    pub(crate) ver: Option<u64>,
    pub(crate) ttl: Option<i64>,
}

/// The rows of a match.
#[derive(Debug, Default)]
pub(crate) struct StoredMatch {
    pub(crate) state: Option<Stored>,
    pub(crate) secret: Option<Stored>,
    /// By number.
    pub(crate) events: BTreeMap<u32, Stored>,
    pub(crate) summaries: BTreeSet<u32>,
    pub(crate) rows: Vec<Stored>,
}

/// Returns every row.
pub(crate) fn stored(world: &World) -> Vec<Stored> {
    world.rows().iter().map(Stored::new).collect()
}

impl Stored {
    fn new(item: &Item) -> Self {
        let text = |name: &str| item.get(name).and_then(|value| value.as_s()).map(str::to_owned);
        let number =
            |name: &str| item.get(name).and_then(|value| value.as_n()).map(|n| n.to_string());
        let value = match (text("v"), item.get("v").and_then(|value| value.as_b())) {
            (Some(text), _) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            (None, Some(bytes)) => {
                let mut text = String::new();
                flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
                serde_json::from_str(&text).unwrap()
            }
            (None, None) => {
                number("v").and_then(|n| n.parse().ok()).map_or(Value::Null, Value::Number)
            }
        };
        Self {
            pk: text("pk").unwrap_or_default(),
            sk: text("sk").unwrap_or_default(),
            value,
            ver: number("ver").and_then(|n| n.parse().ok()),
            ttl: number("ttl").and_then(|n| n.parse().ok()),
        }
    }

    /// Returns the value as a number.
    pub(crate) fn number(&self) -> u64 {
        self.value.as_u64().unwrap_or_default()
    }
}

/// Returns the rows of each match.
pub(crate) fn matches(rows: &[Stored]) -> BTreeMap<String, StoredMatch> {
    let mut matches: BTreeMap<String, StoredMatch> = BTreeMap::new();
    for row in rows {
        let Some(id) = row.pk.strip_prefix("match#") else { continue };
        let id = id.split('#').next().unwrap_or(id).to_owned();
        let of_match = matches.entry(id).or_default();
        of_match.rows.push(row.clone());
        match row.sk.split_once('#') {
            Some(("log", number)) => {
                let number: u32 = number.parse().unwrap();
                assert!(of_match.events.insert(number, row.clone()).is_none(), "{number} twice");
            }
            Some(("summary", day)) => {
                of_match.summaries.insert(day.parse().unwrap());
            }
            None if row.sk == "state" => of_match.state = Some(row.clone()),
            None if row.sk == "secret" => of_match.secret = Some(row.clone()),
            _ => {}
        }
    }
    matches
}

impl StoredMatch {
    pub(crate) fn state(&self) -> MatchState {
        let row = self.state.as_ref().unwrap();
        serde_json::from_value(row.value.clone()).unwrap()
    }

    pub(crate) fn log(&self) -> Vec<Event> {
        let events = self.events.values();
        events.map(|row| serde_json::from_value(row.value.clone()).unwrap()).collect()
    }
}
