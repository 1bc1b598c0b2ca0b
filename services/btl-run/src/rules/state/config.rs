//! The settings and the status of a match.

use monotable_kit::{FieldType, Refuse as _, Words};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The maximum length of an arena's name.
pub const ARENA_CHARACTERS_MAX: usize = 50;
const CRAFTING_SLOTS_MAX: u8 = 4;
const SLOTS_MIN: u8 = 2;

/// The pace of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Turns on demand, three per day.
    Quick,
    /// Turns on demand, two per day.
    Standard,
    /// One turn per real day.
    Long,
}

impl Mode {
    /// Returns the number of turns per day.
    #[must_use]
    pub const fn turns_per_day(self) -> u32 {
        match self {
            Self::Quick => 3,
            Self::Standard => 2,
            Self::Long => 1,
        }
    }

    /// Returns the default number of days.
    #[must_use]
    pub const fn max_days_default(self) -> u32 {
        match self {
            Self::Quick => 5,
            Self::Standard => 10,
            Self::Long => 20,
        }
    }
}

/// Whether a match has started or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Tributes may still join and leave.
    Lobby,
    /// Turns are played.
    Active,
    /// The match is over. Old rows contain `completed`.
    #[serde(alias = "completed")]
    Ended,
}

/// What a match waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The start.
    #[default]
    Lobby,
    /// Actions.
    Collecting,
    /// The end of the transaction that resolves the turn.
    Resolving,
    /// Nothing.
    Ended,
}

/// The enabled parts of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase", default)]
#[field(default)]
pub struct Rules {
    /// Whether items can be found; true by default.
    #[field(example = true)]
    pub items: bool,
    /// Whether two items can be combined into a better one.
    pub crafting: bool,
    /// Whether the game master may send items.
    pub sponsors: bool,
    /// Slots for items; only with crafting.
    #[field(range = 1..=4)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_crafting_slots: Option<u8>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { items: true, crafting: false, sponsors: false, max_crafting_slots: None }
    }
}

impl Rules {
    /// Returns how many items a tribute can carry: two, and up to four with crafting.
    #[must_use]
    pub fn inventory_slots(&self) -> usize {
        let slots = if self.crafting { self.max_crafting_slots } else { None };
        usize::from(slots.unwrap_or(SLOTS_MIN).clamp(SLOTS_MIN, CRAFTING_SLOTS_MAX))
    }

    pub(crate) fn check(&self) -> Result<(), Refusal> {
        match (self.crafting, self.max_crafting_slots) {
            (_, None) | (true, Some(1..=CRAFTING_SLOTS_MAX)) => Ok(()),
            _ => Err(Refusal::InvalidCraftingSlots),
        }
    }
}

/// The style of the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
pub struct Theme {
    /// The voice of the narrator.
    #[field(example = "classic")]
    pub tone: Tone,
    /// The location.
    #[field(length = 1..=ARENA_CHARACTERS_MAX, example = "the old forest")]
    pub arena: String,
}

impl Default for Theme {
    fn default() -> Self {
        Self { tone: Tone::Classic, arena: "the old forest".to_owned() }
    }
}

impl Theme {
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let length = self.arena.trim().chars().count();
        let is_plain = !self.arena.chars().any(char::is_control);
        Refusal::InvalidArena.unless((1..=ARENA_CHARACTERS_MAX).contains(&length) && is_plain)
    }
}

/// The voice of the narrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// A chronicle.
    Classic,
    /// A farce.
    Comedy,
    /// A tragedy.
    Dark,
}
