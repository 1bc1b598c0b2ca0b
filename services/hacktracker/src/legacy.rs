//! Forms that older programs wrote, read into today's, and the backfill that rewrites them.

pub mod backfill;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::table::PlayerId;

/// Returns a lineup of ids, or of objects with an order each; null is an empty one.
pub(crate) fn lineup<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<PlayerId>, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct LineupSlot {
        player_id: PlayerId,
        batting_order: Option<u32>,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Entry {
        Id(PlayerId),
        Slot(LineupSlot),
    }

    let entries = Option::<Vec<Entry>>::deserialize(deserializer)?.unwrap_or_default();
    let mut places: Vec<(u32, PlayerId)> = entries
        .into_iter()
        .zip(1..)
        .map(|(entry, position)| match entry {
            Entry::Id(id) => (position, id),
            Entry::Slot(slot) => (slot.batting_order.unwrap_or(position), slot.player_id),
        })
        .collect();
    places.sort_by_key(|(order, _)| *order);
    Ok(places.into_iter().map(|(_, id)| id).collect())
}

/// Returns a coordinate, or its text.
pub(crate) fn coordinate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Coordinate {
        Number(f64),
        Text(String),
    }

    match Coordinate::deserialize(deserializer)? {
        Coordinate::Number(number) => Ok(number),
        Coordinate::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

/// Reads a value, or the default if it has another form.
pub(crate) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Read<T> {
        Value(T),
        Odd(IgnoredAny),
    }

    Ok(match Read::deserialize(deserializer)? {
        Read::Value(value) => value,
        Read::Odd(_) => T::default(),
    })
}

/// Returns a small number, or its text; 0 for everything else.
pub(crate) fn small<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Small {
        Number(u8),
        Text(String),
        Odd(IgnoredAny),
    }

    Ok(match Small::deserialize(deserializer)? {
        Small::Number(number) => number,
        Small::Text(text) => text.trim().parse().unwrap_or_default(),
        Small::Odd(_) => 0,
    })
}
