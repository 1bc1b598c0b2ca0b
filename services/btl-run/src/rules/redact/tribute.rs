//! A tribute as others see it, and as its player does.

use serde::Serialize;

use crate::rules::state::{Item, Persona, Playstyle, Stats, Tribute, TributeKind};
use crate::table::{AllianceId, TributeId, TurnId};

/// A tribute as a viewer sees it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the fields are those of a tribute, and are described there")]
pub struct TributeView<'a> {
    pub id: &'a TributeId,
    #[serde(rename = "type")]
    pub kind: TributeKind,
    pub name: &'a str,
    pub hp: u32,
    pub max_hp: u32,
    pub alive: bool,
    pub item_count: usize,
    pub alliance_id: Option<&'a AllianceId>,
    pub status_effects: &'a [String],
    pub persona: &'a Persona,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub killed_by: Option<&'a TributeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub died_turn: Option<&'a TurnId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// What only its player sees.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnView<'a>>,
}

/// What only the player of a tribute sees.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of a tribute, and are described there")]
pub struct OwnView<'a> {
    pub stats: Stats,
    pub inventory: &'a [Item],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playstyle: Option<Playstyle>,
}

impl<'a> TributeView<'a> {
    pub(crate) fn new(tribute: &'a Tribute, is_own: bool) -> Self {
        let own = is_own.then_some(OwnView {
            stats: tribute.stats,
            inventory: &tribute.inventory,
            playstyle: tribute.playstyle,
        });
        Self {
            id: &tribute.id,
            kind: tribute.kind,
            name: &tribute.name,
            hp: tribute.hp,
            max_hp: tribute.max_hp,
            alive: tribute.alive,
            item_count: tribute.inventory.len(),
            alliance_id: tribute.alliance_id.as_ref(),
            status_effects: &tribute.status_effects,
            persona: &tribute.persona,
            killed_by: tribute.killed_by.as_ref(),
            died_turn: tribute.died_turn.as_ref(),
            rank: tribute.rank,
            own,
        }
    }
}
