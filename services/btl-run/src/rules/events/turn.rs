//! The details of a turn: when it is open, the actions, and their results.

use serde::{Deserialize, Serialize};

use super::EventBody;
use crate::rules::state::Action;
use crate::table::{AllianceId, TributeId, TurnId};

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
    /// The actions of all tributes, in the order of acting.
    pub actions: Vec<TakenAction>,
    /// What came of it, in the order of acting.
    pub outcomes: Vec<Outcome>,
    /// The hit points of all living tributes.
    pub hp: Vec<HitPoints>,
    /// Effects that did not fit as separate events, in their order.
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
    /// The last day, on which all tributes hunt.
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
#[allow(missing_docs, reason = "the fields contain the rolls and the tributes")]
pub enum Outcome {
    /// It recovered.
    Rested { tribute_id: TributeId, healed: u32 },
    /// It was hard to hit.
    Hid { tribute_id: TributeId },
    /// It searched.
    Scavenged { tribute_id: TributeId, roll: u32, found: bool },
    /// It found something on its way.
    ExploredToItem { tribute_id: TributeId, roll: u32 },
    /// It found a resting place.
    ExploredToRest { tribute_id: TributeId, roll: u32, healed: u32 },
    /// It walked into a trap.
    ExploredToTrap { tribute_id: TributeId, roll: u32, damage: u32 },
    /// It found nothing.
    ExploredInVain { tribute_id: TributeId, roll: u32 },
    /// It made something, or had not enough to make it of.
    Crafted { tribute_id: TributeId, made: bool },
    /// It gained an ally.
    Allied { tribute_id: TributeId, target_id: TributeId, roll: u32, alliance_id: AllianceId },
    /// Its offer was refused, or there was no tribute to ask.
    Refused {
        tribute_id: TributeId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target_id: Option<TributeId>,
        roll: u32,
    },
    /// It hit a tribute.
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
    /// There was no tribute to hunt.
    NoPrey { tribute_id: TributeId },
}
