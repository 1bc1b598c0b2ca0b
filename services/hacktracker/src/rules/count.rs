//! The count of a game: its inning and its outs, replayed play by play.
//!
//! A plate appearance contains its inning and its outs when it was recorded. An earlier correction
//! changes them, so the replay determines them.

use crate::table::{AtBat, Game};

use super::log::runs;

/// Inning and outs at a point of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The inning, from 1.
    pub inning: u32,
    /// The outs in it, 0 to 2.
    pub outs: u32,
    /// The runs in it.
    runs: usize,
}

impl Default for Count {
    fn default() -> Self {
        Self { inning: 1, outs: 0, runs: 0 }
    }
}

impl Count {
    /// Returns the count after plate appearances, in order.
    pub fn after_all(game: &Game, at_bats: &[AtBat]) -> Self {
        at_bats.iter().fold(Self::default(), |count, at_bat| count.after(game, at_bat))
    }

    /// Returns the count after a plate appearance. An inning ends with the third out, with the run that
    /// reaches the limit of the game, or when the play ends it.
    #[must_use]
    pub fn after(self, game: &Game, at_bat: &AtBat) -> Self {
        let outs = self.outs + u32::from(at_bat.outs_made());
        if outs >= 3 {
            return Self { inning: self.inning + outs / 3, outs: outs % 3, runs: 0 };
        }
        let runs = self.runs + runs(at_bat).len();
        let reaches = |limit: u8| (self.runs + 1..=runs).contains(&usize::from(limit));
        let ends = at_bat.ends_inning.unwrap_or_else(|| game.inning_run_limit.is_some_and(reaches));
        if ends {
            return Self { inning: self.inning + 1, outs: 0, runs: 0 };
        }
        Self { inning: self.inning, outs, runs }
    }
}

impl AtBat {
    /// Moves it to a point of its game. An inning that a request set differently is kept, as are
    /// those of older programs, which did not distinguish the two; it is then flagged.
    pub fn move_to(&mut self, count: Count) {
        let replayed = (
            u8::try_from(count.inning).unwrap_or(u8::MAX),
            u8::try_from(count.outs).unwrap_or_default(),
        );
        let is_said = self.situation_mismatch == Some(true) || self.stamps.version == 0;
        if !is_said || self.inning == 0 {
            (self.inning, self.outs) = replayed;
        }
        let differs = (self.inning, self.outs) != replayed;
        self.situation_mismatch = differs.then_some(true);
    }
}

/// Returns the plate appearances of a game, in order, each with the count from replaying those
/// before it.
pub fn replayed(game: &Game, at_bats: &[AtBat]) -> Vec<AtBat> {
    let mut count = Count::default();
    let mut replayed = at_bats.to_vec();
    for at_bat in &mut replayed {
        at_bat.move_to(count);
        count = count.after(game, at_bat);
    }
    replayed
}
