//! The state of a match, exactly as its row holds it.
//!
//! Names and values are those that clients know; newer fields may be missing in old rows. This
//! module does not change a match: see [`crate::rules::events`].

mod action;
mod check;
mod config;
mod name;
mod tribute;

use std::collections::BTreeMap;

use monotable_kit::FieldType;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use action::{Action, ActionKind, FREE_TEXT_CHARACTERS_MAX};
pub use check::{PERSONA_CHARACTERS_MAX, ROSTER_MAX, ROSTER_MIN};
pub use config::{ARENA_CHARACTERS_MAX, Mode, Phase, Rules, Status, Theme, Tone};
pub use name::tribute_name;
pub use tribute::{
    Item, Persona, Playstyle, STATS_SUM, Stats, Tribute, TributeKind, hp_max_of, tribute_of_ai,
};

use crate::table::{AllianceId, MatchId, TributeId, TurnId, UserId};

/// The version of the rules for new matches.
pub const RULES_VERSION: u32 = 1;
/// The version of the random numbers in new matches.
pub const RNG_VERSION: u32 = 1;
/// The default end of a day in a long match: 21:00.
pub const CUTOFF_MINUTE_DEFAULT: u16 = 21 * 60;

/// A match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchState {
    /// The match.
    pub match_id: MatchId,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
    /// The pace.
    pub mode: Mode,
    /// The enabled parts of the game.
    #[serde(default)]
    pub rules: Rules,
    /// The style of the story.
    #[serde(default)]
    pub theme: Theme,
    /// Whether it has started or ended.
    pub status: Status,
    /// The game's day, from 1.
    pub day: u32,
    /// The turn of the day, from 1; 0 in the lobby.
    pub turn: u32,
    /// The day after which the finale decides.
    pub max_days: u32,
    /// The tributes, in the order in which they came.
    pub roster: Vec<Tribute>,
    /// The alliances.
    #[serde(default)]
    pub alliances: Vec<Alliance>,
    /// The actions of tributes when the turn is resolved.
    #[serde(default)]
    pub pending_actions: BTreeMap<TributeId, Action>,
    /// The number of the last event.
    #[serde(default)]
    pub log_seq: u32,
    /// The narrator's memory.
    #[serde(default)]
    pub memory_blob: String,
    /// The version of the row. Storage sets it; events do not know it.
    #[serde(default)]
    pub version: u64,
    /// The creator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_user_id: Option<UserId>,
    /// What the match waits for.
    #[serde(default)]
    pub phase: Phase,
    /// The turn that is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// When the first turn was opened, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<i64>,
    /// When the open turn was opened, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_opens_at: Option<i64>,
    /// When the open turn of a long match is resolved at the latest, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day_cutoff_at: Option<i64>,
    /// The IANA time zone in which days of a long match end.
    #[serde(default = "utc")]
    pub timezone: String,
    /// The local minute at which they end.
    #[serde(default = "cutoff_minute")]
    pub cutoff_minute_of_day: u16,
    /// The number of real days after which a long match ends: 7, 14 or 30.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_real_days: Option<u32>,
    /// The SHA-256 of the seed, in hexadecimal digits.
    #[serde(default)]
    pub seed_commit: String,
    /// The version of the random numbers.
    #[serde(default = "rng_version")]
    pub rng_ver: u32,
    /// The version of the rules.
    #[serde(default = "rules_version")]
    pub rules_ver: u32,
    /// The winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner_id: Option<TributeId>,
    /// The number of partitions of the log; 0 for one. Fixed at creation.
    #[serde(default)]
    pub shard_count: u32,
    /// Fields of other programs, stored unchanged.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, Value>,
}

/// Tributes that do not fight each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase")]
pub struct Alliance {
    /// The alliance.
    pub id: AllianceId,
    /// Its members, in the order of joining; at least two.
    pub members: Vec<TributeId>,
}

impl MatchState {
    /// Returns the tribute with this id.
    #[must_use]
    pub fn tribute(&self, id: &TributeId) -> Option<&Tribute> {
        self.roster.iter().find(|tribute| tribute.id == *id)
    }

    pub(crate) fn tribute_mut(&mut self, id: &TributeId) -> Option<&mut Tribute> {
        self.roster.iter_mut().find(|tribute| tribute.id == *id)
    }

    /// Returns the living tributes, in the order of the roster.
    pub fn living(&self) -> impl Iterator<Item = &Tribute> {
        self.roster.iter().filter(|tribute| tribute.alive)
    }

    /// Returns the ids of the living, sorted: the only order that draws may depend on.
    #[must_use]
    pub fn living_ids(&self) -> Vec<TributeId> {
        let mut ids: Vec<TributeId> = self.living().map(|tribute| tribute.id.clone()).collect();
        ids.sort();
        ids
    }

    /// Returns whether both are in one alliance.
    #[must_use]
    pub fn are_allies(&self, one: &TributeId, other: &TributeId) -> bool {
        let alliance = |id| self.tribute(id).and_then(|tribute| tribute.alliance_id.as_ref());
        alliance(one).is_some() && alliance(one) == alliance(other)
    }

    /// Returns how many tributes an alliance may have: a quarter of the roster, rounded up.
    #[must_use]
    pub fn alliance_members_max(&self) -> usize {
        self.roster.len().div_ceil(4)
    }
}

fn utc() -> String {
    "UTC".to_owned()
}

const fn cutoff_minute() -> u16 {
    CUTOFF_MINUTE_DEFAULT
}

const fn rng_version() -> u32 {
    RNG_VERSION
}

const fn rules_version() -> u32 {
    RULES_VERSION
}
