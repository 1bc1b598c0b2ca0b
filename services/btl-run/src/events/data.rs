//! The details of events.

use serde::{Deserialize, Serialize};

use crate::ids::{AllianceId, MatchId, TributeId, TurnId, UserId};
use crate::state::{Action, Item, Mode, Rules, Theme, Tribute};

use super::EventBody;

/// How a match was set up.
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

/// Why a tribute went before the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaveReason {
    /// Its player left.
    Left,
    /// The host removed it.
    Removed,
}

/// A turn that takes actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnOpening {
    /// The game's day.
    pub day: u32,
    /// The turn of the day.
    pub turn: u32,
    /// The turn.
    pub turn_id: TurnId,
    /// When it was opened, in milliseconds since 1970.
    pub opens_at: i64,
    /// When it is resolved at the latest, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff_at: Option<i64>,
}

/// What a turn came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnResolved {
    /// What everybody set out to do, in the order of acting.
    pub actions: Vec<TakenAction>,
    /// What came of it, in the order of acting.
    pub outcomes: Vec<Outcome>,
    /// Hit points of everybody who lives.
    pub hp: Vec<HitPoints>,
    /// Effects that found no room as events of their own, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<EventBody>,
    /// The turn that is open now, unless the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<TurnOpening>,
}

/// What a tribute set out to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenAction {
    /// Who.
    pub tribute_id: TributeId,
    /// What.
    pub action: Action,
    /// Who decided so.
    pub decided_by: Who,
}

/// Who decided what a tribute does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Its player.
    Player,
    /// Its persona or play style.
    Policy,
    /// The last day, on which everybody hunts.
    LastDay,
}

/// A tribute and a number of hit points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HitPoints {
    /// Who.
    pub tribute_id: TributeId,
    /// How many.
    pub hp: u32,
}

/// What came of an action. Rolls are what the dice show, without what the tribute adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "the fields say who rolled what against whom")]
pub enum Outcome {
    /// It recovered.
    Rested { tribute_id: TributeId, healed: u32 },
    /// It was hard to hit.
    Hid { tribute_id: TributeId },
    /// It searched.
    Scavenged { tribute_id: TributeId, roll: u32, found: bool },
    /// It found something on its way.
    ExploredToItem { tribute_id: TributeId, roll: u32 },
    /// It found a good place.
    ExploredToRest { tribute_id: TributeId, roll: u32, healed: u32 },
    /// It walked into a trap.
    ExploredToTrap { tribute_id: TributeId, roll: u32, damage: u32 },
    /// It found nothing.
    ExploredInVain { tribute_id: TributeId, roll: u32 },
    /// It made something, or had not enough to make it of.
    Crafted { tribute_id: TributeId, made: bool },
    /// It won somebody over.
    Allied { tribute_id: TributeId, target_id: TributeId, roll: u32, alliance_id: AllianceId },
    /// It asked in vain, or there was nobody to ask.
    Refused {
        tribute_id: TributeId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target_id: Option<TributeId>,
        roll: u32,
    },
    /// It hit somebody.
    Hit { tribute_id: TributeId, target_id: TributeId, attack: u32, defence: u32, damage: u32 },
    /// It missed.
    Missed { tribute_id: TributeId, target_id: TributeId, attack: u32, defence: u32 },
    /// It missed by so much that it was hit.
    Countered {
        tribute_id: TributeId,
        target_id: TributeId,
        attack: u32,
        defence: u32,
        damage: u32,
    },
    /// There was nobody to hunt.
    NoPrey { tribute_id: TributeId },
}

/// Of what a tribute died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Somebody hunted it.
    Hunt,
    /// It hunted somebody who hit back.
    Counter,
    /// The arena.
    Hazard,
    /// A trap.
    Trap,
    /// Dysentery.
    Dysentery,
}

/// Where an item came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// It was searched for.
    Scavenge,
    /// It lay by the way.
    Explore,
    /// It was made.
    Craft,
}

/// What using an item left of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Which item.
    pub item_id: String,
    /// How often it can still be used; it is gone at 0.
    pub durability: u8,
}

/// What a game master made happen. Nothing of it kills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Injection {
    /// A part of the arena turned dangerous.
    Hazard {
        /// Which part: 1 to 4.
        zone: u32,
        /// The hit points that those who are there have left.
        hp: Vec<HitPoints>,
    },
    /// An item fell from the sky.
    ItemDrop {
        /// For whom.
        tribute_id: TributeId,
    },
    /// The weather changed.
    Weather {
        /// To what.
        text: String,
    },
}

/// The story of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NarrationAttached {
    /// Of which turn.
    pub turn_id: TurnId,
    /// The story.
    pub narration: String,
    /// What it is about.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether the service told it because its narrator could not.
    #[serde(default)]
    pub fallback: bool,
    /// What the narrator cost.
    #[serde(default)]
    pub tokens_used: u64,
    /// What the narrator remembers from now on, where that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Placing {
    /// Why.
    pub reason: EndReason,
    /// Who won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner_id: Option<TributeId>,
    /// Everybody's place.
    #[serde(default)]
    pub ranking: Vec<Rank>,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// One tribute was left.
    Victory,
    /// Nobody was left; who stood best before the turn won.
    LastStand,
    /// The last day was over.
    Finale,
    /// The host ended it.
    Cancelled,
}

/// A tribute's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rank {
    /// Who.
    pub tribute_id: TributeId,
    /// Which place: 1 for the winner.
    pub rank: u32,
    /// What the finale gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u32>,
}

impl EventBody {
    /// The item that the event hands over, with its new owner.
    #[must_use]
    pub const fn handed(&self) -> Option<(&TributeId, &Item)> {
        match self {
            Self::ItemGained { tribute_id, item, .. } | Self::SponsorDrop { tribute_id, item } => {
                Some((tribute_id, item))
            }
            _ => None,
        }
    }
}
