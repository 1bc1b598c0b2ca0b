//! The same figures, worked out another way: columns looked up by the words of a result, rates as
//! running means of fractions, rounding by long division.

use std::collections::BTreeMap;

use monotable_hacktracker::table::{AtBat, Game};

/// Returns the columns that a result adds to, once for every time it is named. Empty for unknown
/// results.
fn columns(result: &str, hit_type: Option<&str>) -> &'static [&'static str] {
    match (result.to_uppercase().as_str(), hit_type) {
        ("K", _) => &["PA", "AB", "K"],
        ("BB", _) => &["PA", "BB"],
        ("HBP", _) => &["PA", "HBP"],
        ("1B", _) => &["PA", "AB", "H", "1B", "TB"],
        ("2B", _) => &["PA", "AB", "H", "2B", "TB", "TB"],
        ("3B", _) => &["PA", "AB", "H", "3B", "TB", "TB", "TB"],
        ("HR", _) => &["PA", "AB", "H", "HR", "TB", "TB", "TB", "TB"],
        ("OUT" | "FO", _) => &["PA", "AB"],
        ("SAC" | "SF", Some("bunt")) => &["PA", "SH"],
        ("SAC" | "SF", _) => &["PA", "SF"],
        ("FC", _) => &["PA", "AB", "FC"],
        ("E" | "ROE", _) => &["PA", "AB", "ROE"],
        _ => &[],
    }
}

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fraction(i128, i128);

fn common(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs().max(1) } else { common(b, a % b) }
}

impl Fraction {
    pub(super) fn new(over: i128, under: i128) -> Self {
        let divisor = common(over, under);
        Self(over / divisor, under / divisor)
    }

    fn plus(self, other: Self) -> Self {
        Self::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, other: Self) -> Self {
        Self::new(self.0 * other.0, self.1 * other.1)
    }

    /// Formats three decimals by long division; the fourth and the remainder decide the rounding.
    pub(super) fn text(self) -> String {
        let (mut rest, mut number) = (self.0 % self.1, self.0 / self.1);
        for _ in 0..3 {
            rest *= 10;
            number = number * 10 + rest / self.1;
            rest %= self.1;
        }
        if rest * 10 / self.1 >= 5 {
            number += 1;
        }
        format!("{}.{:03}", number / 1000, number % 1000)
    }
}

/// A mean that is kept up to date value by value.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    of: i128,
    value: Option<Fraction>,
}

impl Mean {
    fn take(&mut self, value: i128) {
        let before = self.value.unwrap_or(Fraction::new(0, 1));
        let weight = Fraction::new(self.of, self.of + 1);
        self.of += 1;
        self.value = Some(before.times(weight).plus(Fraction::new(value, self.of)));
    }
}

/// The statistics of a player, play by play.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    columns: BTreeMap<&'static str, u64>,
    average: Mean,
    on_base: Mean,
    slugging: Mean,
}

impl Figures {
    /// What a play is for its batter.
    pub(super) fn bat(&mut self, at_bat: &AtBat) {
        let added = columns(&at_bat.result, at_bat.hit_type.as_deref());
        if added.is_empty() {
            *self.columns.entry("unrecognised").or_default() += 1;
            return;
        }
        for column in added {
            *self.columns.entry(column).or_default() += 1;
        }
        let counts = |column: &str| added.contains(&column);
        let batted_in = at_bat.rbis.map_or(u64::from(counts("HR")), u64::from);
        *self.columns.entry("RBI").or_default() += batted_in;
        let bases = added.iter().filter(|column| **column == "TB").count() as i128;
        if counts("AB") {
            self.average.take(counts("H").into());
            self.slugging.take(bases);
        }
        if counts("AB") || counts("BB") || counts("HBP") || counts("SF") {
            self.on_base.take((counts("H") || counts("BB") || counts("HBP")).into());
        }
    }

    /// Adds a play in which the player scores.
    pub(super) fn score(&mut self) {
        *self.columns.entry("R").or_default() += 1;
    }

    pub(super) fn column(&self, name: &str) -> u64 {
        self.columns.get(name).copied().unwrap_or(0)
    }

    /// AVG, OBP, SLG, OPS.
    pub(super) fn rates(&self) -> [Option<Fraction>; 4] {
        let (on_base, slugging) = (self.on_base.value, self.slugging.value);
        let both = on_base.zip(slugging).map(|(one, other)| one.plus(other));
        [self.average.value, on_base, slugging, both]
    }
}

/// Returns the figures of a player over plays.
pub(super) fn figures<'a>(player: &str, plays: impl IntoIterator<Item = &'a AtBat>) -> Figures {
    let mut figures = Figures::default();
    for play in plays {
        if play.player_id.as_ref() == player {
            figures.bat(play);
        }
        for runner in play.runs_scored.iter().flatten() {
            if runner.as_ref() == player {
                figures.score();
            }
        }
    }
    figures
}

/// Returns the situation of a game, computed step by step: inning, outs, and the place of the
/// batter.
pub(super) fn replay(game: &Game, plays: &[AtBat]) -> (u32, u32, Option<usize>) {
    let lineup: Vec<&str> = game.lineup.iter().map(|player| player.as_str()).collect();
    let (mut inning, mut outs, mut index) = (1, 0, 0);
    let (mut scored, mut is_over) = (0, false);
    let mut moved = game.lineup_changed == Some(true);
    for play in plays {
        if is_over {
            (inning, outs, scored) = (inning + 1, 0, 0);
        }
        let word = play.result.to_uppercase();
        let usual = u32::from(["K", "OUT", "SAC", "FO", "SF"].contains(&word.as_str()));
        outs += play.outs_on_play.map_or(usual, u32::from);
        let before = scored;
        scored += play.runs_scored.iter().flatten().count();
        let mut has_three = false;
        while outs >= 3 {
            (inning, outs, has_three) = (inning + 1, outs - 3, true);
            scored = 0;
        }
        is_over = match (has_three, play.ends_inning, game.inning_run_limit) {
            (true, ..) => false,
            (false, Some(ends), _) => ends,
            (false, None, Some(limit)) => before < limit.into() && scored >= limit.into(),
            (false, None, None) => false,
        };
        if !lineup.is_empty() {
            index = (index + 1) % lineup.len();
        }
        let place = lineup.iter().position(|name| *name == play.player_id.as_str());
        moved |= place.map(|place| place + 1) != Some(usize::from(play.batting_order));
    }
    if is_over {
        (inning, outs) = (inning + 1, 0);
    }
    match (lineup.is_empty(), plays.last()) {
        (true, _) => (inning, outs, None),
        (false, Some(last)) if moved => {
            (inning, outs, Some(usize::from(last.batting_order) % lineup.len()))
        }
        (false, _) => (inning, outs, Some(index)),
    }
}
