//! Tributes: their names, abilities and items.

use std::collections::BTreeMap;

use monotable_kit::{FieldType, Words};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::PERSONA_CHARACTERS_MAX;
use crate::table::{AllianceId, TributeId, TurnId, UserId};

/// The sum of a tribute's five stats.
pub const STATS_SUM: u32 = 25;
const HP_BASE: u32 = 10;

/// A fighter of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tribute {
    /// The tribute.
    pub id: TributeId,
    /// Who decides its actions.
    #[serde(rename = "type")]
    pub kind: TributeKind,
    /// Its name, unique in the match.
    pub name: String,
    /// Its abilities.
    #[serde(default)]
    pub stats: Stats,
    /// Hit points; 0 when dead.
    pub hp: u32,
    /// Hit points when unhurt.
    pub max_hp: u32,
    /// Whether it is alive.
    pub alive: bool,
    /// Its items.
    #[serde(default)]
    pub inventory: Vec<Item>,
    /// Its alliance.
    #[serde(default)]
    pub alliance_id: Option<AllianceId>,
    /// Its other effects.
    #[serde(default)]
    pub status_effects: Vec<String>,
    /// Its character.
    #[serde(default)]
    pub persona: Persona,
    /// Its user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    /// Its default action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playstyle: Option<Playstyle>,
    /// The tribute that killed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub killed_by: Option<TributeId>,
    /// The turn in which it died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub died_turn: Option<TurnId>,
    /// Its final rank: 1 for the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Fields of other programs, stored unchanged.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, Value>,
}

impl Tribute {
    /// Returns an unhurt tribute without items.
    #[must_use]
    pub fn new(id: TributeId, kind: TributeKind, name: String, stats: Stats) -> Self {
        let hp = hp_max_of(stats);
        Self {
            id,
            kind,
            name,
            stats,
            hp,
            max_hp: hp,
            alive: true,
            inventory: Vec::new(),
            alliance_id: None,
            status_effects: Vec::new(),
            persona: Persona::default(),
            user_id: None,
            playstyle: None,
            killed_by: None,
            died_turn: None,
            rank: None,
            unknown: BTreeMap::new(),
        }
    }
}

/// Returns the hit points of an unhurt tribute with these stats.
#[must_use]
pub fn hp_max_of(stats: Stats) -> u32 {
    HP_BASE + u32::from(stats.vitality)
}

/// Who decides a tribute's actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum TributeKind {
    /// A player.
    Human,
    /// The service.
    Ai,
    /// A player, and the service in the player's absence.
    Hybrid,
}

/// The abilities of a tribute, 0 to 10 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
pub struct Stats {
    /// Its endurance. Old rows have the name `vit`.
    #[serde(alias = "vit")]
    #[field(range = 0..=10, example = 5)]
    pub vitality: u8,
    /// How well it finds things.
    #[field(range = 0..=10, example = 5)]
    pub wits: u8,
    /// How well it fights.
    #[field(range = 0..=10, example = 5)]
    pub combat: u8,
    /// How well it evades.
    #[field(range = 0..=10, example = 5)]
    pub stealth: u8,
    /// How well it wins others over.
    #[field(range = 0..=10, example = 5)]
    pub charm: u8,
}

impl Default for Stats {
    fn default() -> Self {
        Self { vitality: 5, wits: 5, combat: 5, stealth: 5, charm: 5 }
    }
}

impl Stats {
    pub(crate) fn all(&self) -> [u8; 5] {
        [self.vitality, self.wits, self.combat, self.stealth, self.charm]
    }
}

/// An item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
pub struct Item {
    /// The id of the item, unique in the match.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its bonus for attacks; 0 for items that are not weapons.
    pub power: u8,
    /// The remaining uses: 1 to 3.
    pub durability: u8,
}

/// The character of a tribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
pub struct Persona {
    /// The kind of character.
    #[field(length = 1..=PERSONA_CHARACTERS_MAX, example = "scout")]
    pub archetype: String,
    /// One to three habits.
    #[field(
        items = 1..=3, length = 1..=PERSONA_CHARACTERS_MAX, example = json!(["climbs the tallest tree"])
    )]
    pub quirks: Vec<String>,
    /// Its catchphrase.
    #[field(length = 1..=PERSONA_CHARACTERS_MAX)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catchphrase: Option<String>,
}

impl Default for Persona {
    fn default() -> Self {
        Self {
            archetype: "wanderer".to_owned(),
            quirks: vec!["quiet".to_owned()],
            catchphrase: None,
        }
    }
}

/// The default action of a tribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum Playstyle {
    /// Mostly hunts.
    Aggressive,
    /// Mostly hides and rests.
    Cautious,
    /// Mostly seeks alliances.
    Social,
    /// A little of everything.
    Balanced,
}

impl Playstyle {
    /// Returns the play style of choice 1 to 3 in an invitation: fight, hide or make friends.
    #[must_use]
    pub const fn of_opening(choice: u8) -> Option<Self> {
        match choice {
            1 => Some(Self::Aggressive),
            2 => Some(Self::Cautious),
            3 => Some(Self::Social),
            _ => None,
        }
    }
}

/// The tributes that fill a roster: name, archetype, habit and stats.
const CAST: [(&str, &str, &str, [u8; 5]); 8] = [
    ("Brakka", "warrior", "counts every blow aloud", [6, 3, 8, 4, 4]),
    ("Ilse", "survivor", "sleeps with one eye open", [7, 5, 4, 7, 2]),
    ("Marrow", "hunter", "reads tracks in the dark", [5, 5, 7, 6, 2]),
    ("Quill", "scholar", "writes everything down", [4, 9, 3, 5, 4]),
    ("Sable", "trickster", "never walks in a straight line", [4, 6, 4, 8, 3]),
    ("Tovi", "diplomat", "remembers every name", [4, 5, 4, 3, 9]),
    ("Umber", "wanderer", "hums while walking", [5, 5, 5, 5, 5]),
    ("Wren", "scout", "climbs the tallest tree", [5, 7, 4, 7, 2]),
];

/// Returns the `ordinal`th AI tribute, from 1.
#[must_use]
pub fn tribute_of_ai(ordinal: u32) -> Tribute {
    let place = usize::try_from(ordinal.saturating_sub(1)).unwrap_or_default();
    let (name, archetype, quirk, [vitality, wits, combat, stealth, charm]) =
        CAST[place % CAST.len()];
    let name = match place / CAST.len() {
        0 => name.to_owned(),
        generation => format!("{name} {}", generation + 1),
    };
    let stats = Stats { vitality, wits, combat, stealth, charm };
    let mut tribute = Tribute::new(TributeId::of_ai(ordinal), TributeKind::Ai, name, stats);
    tribute.persona = Persona {
        archetype: archetype.to_owned(),
        quirks: vec![quirk.to_owned()],
        catchphrase: None,
    };
    tribute
}
