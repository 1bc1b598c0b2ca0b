//! The details of a turn: its opening, the actions, and their results.

use serde::{Deserialize, Serialize};

use super::EventBody;
use crate::rules::state::Action;
use crate::table::{AllianceId, TributeId, TurnId};

/// A turn that accepts actions.
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

/// The result of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnResolved {
    /// The actions of all tributes, in the order of acting.
    pub actions: Vec<TakenAction>,
    /// The results of the actions, in the order of acting.
    pub outcomes: Vec<Outcome>,
    /// The hit points of all living tributes.
    pub hp: Vec<HitPoints>,
    /// Effects that did not fit as separate events, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<EventBody>,
    /// The turn that is open now, unless the match has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<TurnOpening>,
}

/// A tribute's action in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenAction {
    /// The tribute.
    pub tribute_id: TributeId,
    /// The action.
    pub action: Action,
    /// What decided it.
    pub decided_by: Who,
}

/// What decided a tribute's action.
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
    /// The tribute.
    pub tribute_id: TributeId,
    /// The hit points.
    pub hp: u32,
}

/// The result of an action. Rolls are those of the dice, without the tribute's bonus.
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
    /// It crafted an item, or lacked the material.
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
