//! The situation of a game, replayed from its plate appearances every time.

use monotable_kit::View;

use super::count::Count;
use crate::table::{AtBat, Game, PlayerId};

/// The situation of a game.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct Situation {
    /// The inning, from 1.
    #[view(example = 2)]
    pub inning: u32,
    /// The outs in it, 0 to 2.
    #[view(example = 1)]
    pub outs: u32,
    /// The batter; absent without a lineup.
    pub batter: Option<BattingPlace>,
    /// The next batter.
    pub on_deck: Option<BattingPlace>,
    /// The one after that.
    pub in_the_hole: Option<BattingPlace>,
}

/// A place in a lineup.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct BattingPlace {
    /// The player.
    #[view(example = "p1")]
    pub player_id: PlayerId,
    /// The place, from 1.
    #[view(example = 1)]
    pub batting_order: u32,
}

/// Returns the situation of a game after its plate appearances, in order.
pub fn situation(game: &Game, at_bats: &[AtBat]) -> Situation {
    let count = Count::after_all(game, at_bats);
    let next = match at_bats.last() {
        Some(last) if has_changed(game, at_bats) => usize::from(last.batting_order),
        _ => at_bats.len(),
    };
    Situation {
        inning: count.inning,
        outs: count.outs,
        batter: place(&game.lineup, next),
        on_deck: place(&game.lineup, next + 1),
        in_the_hole: place(&game.lineup, next + 2),
    }
}

/// Returns whether the lineup has changed since some of the plate appearances were recorded: the
/// game is marked, or a batter has another place now.
fn has_changed(game: &Game, at_bats: &[AtBat]) -> bool {
    let is_elsewhere = |at_bat: &AtBat| {
        let place = usize::from(at_bat.batting_order).checked_sub(1);
        place.and_then(|place| game.lineup.get(place)) != Some(&at_bat.player_id)
    };
    game.lineup_changed == Some(true) || at_bats.iter().any(is_elsewhere)
}

/// Returns the place this many after the first, starting over at the end.
fn place(lineup: &[PlayerId], behind: usize) -> Option<BattingPlace> {
    let index = behind.checked_rem(lineup.len())?;
    let batting_order = u32::try_from(index + 1).ok()?;
    Some(BattingPlace { player_id: lineup.get(index)?.clone(), batting_order })
}
