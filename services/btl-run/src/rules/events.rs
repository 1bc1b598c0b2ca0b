//! The events of a match: the log is the source of truth, the state is its fold.
//!
//! Events are facts with everything that a replay needs. This module neither rolls dice nor knows
//! rules.

mod apply;
mod data;
mod fold;
mod read;
mod turn;

use monotable_kit::Words;
use serde::{Deserialize, Serialize};

pub(crate) use apply::apply;
pub use data::{
    Audit, Cause, Cost, EndReason, Injection, LeaveReason, MatchCreated, NarrationAttached,
    Placing, Rank, Source,
};
pub(crate) use fold::append;
pub use fold::{FoldError, fold, replay};
pub use turn::{HitPoints, Outcome, TakenAction, TurnOpening, TurnResolved, Who};

use crate::rules::state::{Action, Item, MatchState, Rules, Tribute, TributeKind};
use crate::table::{AllianceId, TributeId, TurnId};

/// The number of the last event that a log can hold: keys have six digits.
pub const SEQ_MAX: u32 = 999_999;

/// An event of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its number in the log: from 1, without gaps.
    pub seq: u32,
    /// When it happened, in milliseconds since 1970.
    pub timestamp: i64,
    /// The content.
    #[serde(flatten)]
    pub body: EventBody,
    /// The turn in which it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// The game's day.
    pub day: u32,
    /// The turn of the day.
    pub turn: u32,
    /// Who may see the details.
    pub visibility: Visibility,
    /// The caller, if the event is neither a player's move nor a result of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
}

/// Who may see the details of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone.
    #[default]
    Public,
    /// The acting tribute; all others see only that something happened.
    Actor,
    /// The game master.
    Gm,
}

/// What happened, with its details.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    content = "data",
    rename_all = "SCREAMING_SNAKE_CASE",
    rename_all_fields = "camelCase"
)]
pub enum EventBody {
    /// The match was created.
    MatchCreated(Box<MatchCreated>),
    /// A tribute joined, possibly in place of an AI tribute.
    TributeJoined {
        /// The tribute.
        tribute: Box<Tribute>,
        /// The tribute that was replaced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaces: Option<TributeId>,
    },
    /// A tribute left before the start.
    TributeLeft {
        /// The tribute.
        tribute_id: TributeId,
        /// The reason.
        reason: LeaveReason,
    },
    /// The first turn is open.
    MatchStarted(TurnOpening),
    /// A tribute's action was set or changed.
    TributeActionSubmitted {
        /// The tribute.
        tribute_id: TributeId,
        /// The action.
        action: Action,
    },
    /// A turn was resolved.
    TurnResolved(Box<TurnResolved>),
    /// A tribute died.
    TributeDied {
        /// The tribute.
        tribute_id: TributeId,
        /// The cause.
        cause: Cause,
        /// The tribute that killed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        killed_by: Option<TributeId>,
        /// Its rank.
        rank: u32,
    },
    /// An alliance has a new member.
    AllianceFormed {
        /// The alliance.
        alliance_id: AllianceId,
        /// All members.
        members: Vec<TributeId>,
    },
    /// An alliance ended, because one member attacked another.
    AllianceBroken {
        /// The alliance.
        alliance_id: AllianceId,
        /// The attacker.
        by: TributeId,
        /// The tribute that was attacked.
        against: TributeId,
    },
    /// A tribute has a new item.
    ItemGained {
        /// The tribute.
        tribute_id: TributeId,
        /// The item.
        item: Item,
        /// Its source.
        source: Source,
    },
    /// A tribute used items.
    ItemUsed {
        /// The tribute.
        tribute_id: TributeId,
        /// The remaining durability.
        costs: Vec<Cost>,
    },
    /// A hazard struck the arena.
    Hazard {
        /// The level: the damage to tributes that do not hide.
        level: u32,
        /// The remaining hit points of those hit.
        hits: Vec<HitPoints>,
    },
    /// A sponsor sent an item.
    SponsorDrop {
        /// The tribute that gets it.
        tribute_id: TributeId,
        /// The item.
        item: Item,
    },
    /// The game master changed the rules.
    RulesChanged {
        /// The new rules.
        rules: Rules,
    },
    /// An announcement of the game master.
    GmAnnouncement {
        /// The text.
        text: String,
    },
    /// The game master caused an event.
    GmEventInjected(Injection),
    /// The story of a turn.
    NarrationAttached(Box<NarrationAttached>),
    /// The match ended.
    MatchEnded(Placing),
}

impl EventBody {
    /// Returns the visibility of the details of an event like this.
    #[must_use]
    pub const fn visibility(&self) -> Visibility {
        match self {
            Self::TributeActionSubmitted { .. }
            | Self::ItemGained { .. }
            | Self::ItemUsed { .. }
            | Self::SponsorDrop { .. } => Visibility::Actor,
            Self::MatchCreated(_)
            | Self::TributeJoined { .. }
            | Self::TributeLeft { .. }
            | Self::MatchStarted(_)
            | Self::TurnResolved(_)
            | Self::TributeDied { .. }
            | Self::AllianceFormed { .. }
            | Self::AllianceBroken { .. }
            | Self::Hazard { .. }
            | Self::RulesChanged { .. }
            | Self::GmAnnouncement { .. }
            | Self::GmEventInjected(_)
            | Self::NarrationAttached(_)
            | Self::MatchEnded(_) => Visibility::Public,
        }
    }

    /// Returns whether the event adds a new AI tribute.
    #[must_use]
    pub fn adds_ai(&self) -> bool {
        match self {
            Self::TributeJoined { tribute, replaces: None } => tribute.kind == TributeKind::Ai,
            _ => false,
        }
    }

    /// Returns whether only the resolution of a turn creates such events.
    #[must_use]
    pub const fn is_of_resolution(&self) -> bool {
        matches!(
            self,
            Self::TurnResolved(_)
                | Self::TributeDied { .. }
                | Self::AllianceFormed { .. }
                | Self::AllianceBroken { .. }
                | Self::ItemGained { .. }
                | Self::ItemUsed { .. }
                | Self::Hazard { .. }
        )
    }
}

/// Returns the bodies as the next events of a match, in the turn that is open.
#[must_use]
pub fn numbered(state: &MatchState, bodies: Vec<EventBody>, now: i64) -> Vec<Event> {
    (state.log_seq + 1..)
        .zip(bodies)
        .map(|(seq, body)| Event {
            seq,
            timestamp: now,
            visibility: body.visibility(),
            body,
            turn_id: state.turn_id.clone(),
            day: state.day,
            turn: state.turn,
            audit: None,
        })
        .collect()
}
