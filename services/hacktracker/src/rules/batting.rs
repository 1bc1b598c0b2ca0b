//! The batting line: sums over plate appearances, and the rates that follow from the sums.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use monotable_kit::{Field, FieldType, Kind, Schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::log::runs;
use super::rate::Rate;
use crate::rules::results::{HitType, Outcome};
use crate::table::{AtBat, PlayerId};

/// Sums over plate appearances. Those with an unknown result count only as `unrecognised`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BattingLine {
    /// PA.
    pub plate_appearances: u64,
    /// 1B.
    pub singles: u64,
    /// 2B.
    pub doubles: u64,
    /// 3B.
    pub triples: u64,
    /// HR.
    pub home_runs: u64,
    /// BB.
    pub walks: u64,
    /// HBP.
    pub hit_by_pitch: u64,
    /// K.
    pub strikeouts: u64,
    /// FC.
    pub fielders_choices: u64,
    /// ROE.
    pub reached_on_error: u64,
    /// SF.
    pub sacrifice_flies: u64,
    /// SH.
    pub sacrifice_hits: u64,
    /// RBI.
    pub runs_batted_in: u64,
    /// R.
    pub runs: u64,
    /// Plate appearances with unknown results, which are not counted otherwise.
    pub unrecognised: u64,
}

impl BattingLine {
    /// Counts a plate appearance of the batter. Runs are counted for the players who scored, by
    /// [`BattingLine::runs`].
    pub fn bat(&mut self, at_bat: &AtBat) {
        let Some(outcome) = at_bat.outcome() else {
            self.unrecognised += 1;
            return;
        };
        self.plate_appearances += 1;
        // The batter of a home run bats in at least one run.
        let own = u8::from(at_bat.is_home_run());
        self.runs_batted_in += u64::from(at_bat.rbis.unwrap_or(own));
        match outcome {
            Outcome::Strikeout => self.strikeouts += 1,
            Outcome::Walk => self.walks += 1,
            Outcome::HitByPitch => self.hit_by_pitch += 1,
            Outcome::Single => self.singles += 1,
            Outcome::Double => self.doubles += 1,
            Outcome::Triple => self.triples += 1,
            Outcome::HomeRun => self.home_runs += 1,
            Outcome::Out => {}
            Outcome::Sacrifice if at_bat.ball() == Some(HitType::Bunt) => self.sacrifice_hits += 1,
            Outcome::Sacrifice => self.sacrifice_flies += 1,
            Outcome::FieldersChoice => self.fielders_choices += 1,
            Outcome::Error => self.reached_on_error += 1,
        }
    }

    /// H.
    pub fn hits(&self) -> u64 {
        self.singles + self.doubles + self.triples + self.home_runs
    }

    /// AB: a fielder's choice and an error of the defence are among them.
    pub fn at_bats(&self) -> u64 {
        let others = self.walks + self.hit_by_pitch + self.sacrifice_flies + self.sacrifice_hits;
        self.plate_appearances - others
    }

    /// TB.
    pub fn total_bases(&self) -> u64 {
        self.singles + 2 * self.doubles + 3 * self.triples + 4 * self.home_runs
    }

    /// AVG.
    pub fn average(&self) -> Option<Rate> {
        Rate::of(self.hits(), self.at_bats())
    }

    /// OBP.
    pub fn on_base(&self) -> Option<Rate> {
        let reached = self.walks + self.hit_by_pitch;
        Rate::of(self.hits() + reached, self.at_bats() + reached + self.sacrifice_flies)
    }

    /// SLG.
    pub fn slugging(&self) -> Option<Rate> {
        Rate::of(self.total_bases(), self.at_bats())
    }

    /// OPS.
    pub fn on_base_plus_slugging(&self) -> Option<Rate> {
        Some(self.on_base()?.plus(self.slugging()?))
    }

    /// Returns the columns of sums, in the order in which they are shown.
    pub fn sums(&self) -> [(&'static str, u64); 17] {
        [
            ("PA", self.plate_appearances),
            ("AB", self.at_bats()),
            ("R", self.runs),
            ("H", self.hits()),
            ("1B", self.singles),
            ("2B", self.doubles),
            ("3B", self.triples),
            ("HR", self.home_runs),
            ("RBI", self.runs_batted_in),
            ("BB", self.walks),
            ("HBP", self.hit_by_pitch),
            ("K", self.strikeouts),
            ("FC", self.fielders_choices),
            ("ROE", self.reached_on_error),
            ("SF", self.sacrifice_flies),
            ("SH", self.sacrifice_hits),
            ("TB", self.total_bases()),
        ]
    }

    /// Returns the columns of rates, in the order in which they are shown.
    pub fn rates(&self) -> [(&'static str, Option<Rate>); 4] {
        [
            ("AVG", self.average()),
            ("OBP", self.on_base()),
            ("SLG", self.slugging()),
            ("OPS", self.on_base_plus_slugging()),
        ]
    }
}

impl AddAssign for BattingLine {
    fn add_assign(&mut self, other: Self) {
        self.plate_appearances += other.plate_appearances;
        self.singles += other.singles;
        self.doubles += other.doubles;
        self.triples += other.triples;
        self.home_runs += other.home_runs;
        self.walks += other.walks;
        self.hit_by_pitch += other.hit_by_pitch;
        self.strikeouts += other.strikeouts;
        self.fielders_choices += other.fielders_choices;
        self.reached_on_error += other.reached_on_error;
        self.sacrifice_flies += other.sacrifice_flies;
        self.sacrifice_hits += other.sacrifice_hits;
        self.runs_batted_in += other.runs_batted_in;
        self.runs += other.runs;
        self.unrecognised += other.unrecognised;
    }
}

/// The columns by name, and the number of unrecognised results.
impl Serialize for BattingLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        let mut map = serializer.serialize_map(None)?;
        for (name, sum) in self.sums() {
            map.serialize_entry(name, &sum)?;
        }
        for (name, rate) in self.rates() {
            map.serialize_entry(name, &rate)?;
        }
        map.serialize_entry("unrecognised", &self.unrecognised)?;
        map.end()
    }
}

/// The same columns, for the documentation.
impl FieldType for BattingLine {
    fn kind() -> Kind {
        let line = Self::default();
        let sums = line.sums().map(|(name, _)| Field::new(name, u64::kind()).required().example(0));
        let rates = line.rates().map(|(name, _)| {
            Field::new(name, Rate::kind())
                .required()
                .nullable()
                .about("null without at-bats.")
                .example(Value::Null)
        });
        let unrecognised = Field::new("unrecognised", u64::kind()).required().example(0);
        let unrecognised = unrecognised.about("Plate appearances with unknown results.");
        let fields: Vec<Field> = sums.into_iter().chain(rates).chain([unrecognised]).collect();
        Kind::Object(Schema::object("BattingLine", fields))
    }
}

/// Returns the lines of all players who batted or scored.
pub fn lines<'a>(at_bats: impl IntoIterator<Item = &'a AtBat>) -> BTreeMap<PlayerId, BattingLine> {
    let mut lines: BTreeMap<PlayerId, BattingLine> = BTreeMap::new();
    for at_bat in at_bats {
        lines.entry(at_bat.player_id.clone()).or_default().bat(at_bat);
        for runner in runs(at_bat) {
            lines.entry(runner.clone()).or_default().runs += 1;
        }
    }
    lines
}

/// Returns the line of one player.
pub fn line_of<'a>(player: &PlayerId, at_bats: impl IntoIterator<Item = &'a AtBat>) -> BattingLine {
    let mut line = BattingLine::default();
    for at_bat in at_bats {
        if at_bat.player_id == *player {
            line.bat(at_bat);
        }
        line.runs += runs(at_bat).iter().filter(|runner| *runner == player).count() as u64;
    }
    line
}

/// Returns the sum of lines.
pub fn total<'a>(lines: impl IntoIterator<Item = &'a BattingLine>) -> BattingLine {
    let mut total = BattingLine::default();
    for line in lines {
        total += *line;
    }
    total
}
