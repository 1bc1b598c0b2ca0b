//! The deserialization of an event. `#[serde(flatten)]` would collect its details in a tree first,
//! which is half of the cost of reading a day.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{Audit, Event, EventBody, Visibility};
use crate::table::TurnId;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredEvent {
    seq: u32,
    timestamp: i64,
    #[serde(rename = "type")]
    kind: String,
    data: Box<RawValue>,
    #[serde(default)]
    turn_id: Option<TurnId>,
    #[serde(default)]
    day: u32,
    #[serde(default)]
    turn: u32,
    #[serde(default)]
    visibility: Visibility,
    #[serde(default)]
    audit: Option<Audit>,
}

/// The content, with the type first, so that the details are read with their type.
#[derive(Serialize)]
struct StoredBody<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    data: &'a RawValue,
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredEvent { seq, timestamp, kind, data, turn_id, day, turn, visibility, audit } =
            StoredEvent::deserialize(deserializer)?;
        let text = serde_json::to_string(&StoredBody { kind: &kind, data: &data });
        let body: Result<EventBody, _> = text.and_then(|text| serde_json::from_str(&text));
        let body = body.map_err(D::Error::custom)?;
        Ok(Self { seq, timestamp, body, turn_id, day, turn, visibility, audit })
    }
}
