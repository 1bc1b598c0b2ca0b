//! What a team gets at a level, by the time that it has been there: a talk, a clue, a map.

use super::shuffle::{Numbers, shuffle};
use crate::table::{Difficulty, Game, Level};

/// Minutes until easy clues, and until the map, unless the game has others.
const CLUE_AFTER_MIN: u32 = 10;
const MAP_AFTER_MIN: u32 = 15;
const MINUTE_MS: u64 = 60_000;

/// What an answer to a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// What the character says.
    Chat,
    /// An easy clue.
    Clue,
    /// A link to a map.
    Map,
}

/// When a team gets clues and the map: milliseconds at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintTimes {
    /// From then on, easy clues.
    pub clue_ms: u64,
    /// From then on, the map.
    pub map_ms: u64,
}

impl HintTimes {
    /// Returns the times of a team by its difficulty.
    pub fn of(game: &Game, difficulty: Difficulty) -> Self {
        let times = |minutes: u32| match difficulty {
            Difficulty::Easy => u64::from(minutes) * MINUTE_MS / 2,
            Difficulty::Normal => u64::from(minutes) * MINUTE_MS,
            Difficulty::Hard => u64::from(minutes) * MINUTE_MS * 2,
        };
        Self {
            clue_ms: times(game.hint_after_min.unwrap_or(CLUE_AFTER_MIN)),
            map_ms: times(game.map_after_min.unwrap_or(MAP_AFTER_MIN)),
        }
    }

    /// Returns what a team gets after a time at a level.
    pub fn kind(self, on_level_ms: u64) -> HintKind {
        if on_level_ms >= self.map_ms {
            HintKind::Map
        } else if on_level_ms >= self.clue_ms {
            HintKind::Clue
        } else {
            HintKind::Chat
        }
    }
}

/// Returns the next easy clue for a team that was given some: each comes once before one comes again. `seed` and
/// `team` decide the order.
pub fn clue(level: &Level, seed: u64, team: u32, given: u32) -> Option<&str> {
    let count = u32::try_from(level.easy_clues.len()).ok().filter(|count| *count > 0)?;
    let purpose = (u64::from(team) << 32) | u64::from(level.position.unwrap_or(0)) << 16;
    let mut order: Vec<&String> = level.easy_clues.iter().collect();
    shuffle(&mut order, &mut Numbers::new(seed, purpose | u64::from(given / count)));
    order.get(usize::try_from(given % count).ok()?).map(|clue| clue.as_str())
}
