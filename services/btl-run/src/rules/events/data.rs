//! The details of events other than a turn's.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::HitPoints;
use crate::rules::state::{Mode, Rules, Theme, Tribute};
use crate::table::{MatchId, TributeId, TurnId, UserId};

/// The caller of an action on a match, and the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Audit {
    /// The token: `host/<match>` or `player/<match>/<tribute>`.
    pub actor: String,
    /// The request.
    pub request_id: String,
    /// The previous value, if the event does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
}

/// The setup of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the fields are those of the state, and are described there")]
pub struct MatchCreated {
    pub match_id: MatchId,
    pub mode: Mode,
    pub rules: Rules,
    pub theme: Theme,
    pub max_days: u32,
    pub roster: Vec<Tribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_user_id: Option<UserId>,
    pub timezone: String,
    pub cutoff_minute_of_day: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_real_days: Option<u32>,
    pub seed_commit: String,
    pub rng_ver: u32,
    pub rules_ver: u32,
    pub shard_count: u32,
}

/// The reason why a tribute left before the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaveReason {
    /// Its player left.
    Left,
    /// The host removed it.
    Removed,
}

/// The cause of a tribute's death.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A hunter killed it.
    Hunt,
    /// Its prey killed it.
    Counter,
    /// The arena.
    Hazard,
    /// A trap.
    Trap,
    /// Dysentery.
    Dysentery,
}

/// The source of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Found by searching.
    Scavenge,
    /// Found while exploring.
    Explore,
    /// Crafted.
    Craft,
}

/// The remaining durability of a used item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// The item.
    pub item_id: String,
    /// The remaining uses; it is removed at 0.
    pub durability: u8,
}

/// An event that a game master caused. None of them kills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Injection {
    /// A part of the arena became dangerous.
    Hazard {
        /// The part: 1 to 4.
        zone: u32,
        /// The remaining hit points of the surviving tributes.
        hp: Vec<HitPoints>,
    },
    /// A sponsor's item.
    ItemDrop {
        /// The tribute that gets it.
        tribute_id: TributeId,
    },
    /// The weather changed.
    Weather {
        /// The new weather.
        text: String,
    },
}

/// The story of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NarrationAttached {
    /// The turn.
    pub turn_id: TurnId,
    /// The story.
    pub narration: String,
    /// The tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether the service wrote it itself because its narrator failed.
    #[serde(default)]
    pub fallback: bool,
    /// The tokens that were used.
    #[serde(default)]
    pub tokens_used: u64,
    /// The narrator's memory from now on, if it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Placing {
    /// The reason.
    pub reason: EndReason,
    /// The winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner_id: Option<TributeId>,
    /// The ranks of all tributes.
    #[serde(default)]
    pub ranking: Vec<Rank>,
}

/// The reason why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// One tribute was left.
    Victory,
    /// No tribute survived; the strongest one before the turn won.
    LastStand,
    /// The last day ended.
    Finale,
    /// The host ended it.
    Cancelled,
}

/// A tribute's rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rank {
    /// The tribute.
    pub tribute_id: TributeId,
    /// The rank: 1 for the winner.
    pub rank: u32,
    /// Its score in the finale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u32>,
}
