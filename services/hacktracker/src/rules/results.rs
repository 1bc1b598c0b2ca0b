//! The results of plate appearances, and their effect on outs and runs.
//!
//! Requests can only use these words. Stored rows can have others: an unknown word is shown as it
//! is, and left out of statistics.

use monotable_kit::Words;
use uuid::{Uuid, Version};

use crate::table::{AtBat, AtBatId};

/// The result of a plate appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Words)]
#[allow(missing_docs, reason = "the names are the words of the game")]
pub enum Outcome {
    #[serde(rename = "K")]
    Strikeout,
    #[serde(rename = "BB")]
    Walk,
    #[serde(rename = "HBP")]
    HitByPitch,
    #[serde(rename = "1B")]
    Single,
    #[serde(rename = "2B")]
    Double,
    #[serde(rename = "3B")]
    Triple,
    #[serde(rename = "HR")]
    HomeRun,
    /// Put out after a ball in play.
    #[serde(rename = "OUT", alias = "FO")]
    Out,
    /// Put out by a bunt or fly that advances a runner.
    #[serde(rename = "SAC", alias = "SF")]
    Sacrifice,
    /// The defence put out another runner instead.
    #[serde(rename = "FC")]
    FieldersChoice,
    /// Reached a base by a mistake of the defence.
    #[serde(rename = "E", alias = "ROE")]
    Error,
}

impl Outcome {
    /// Returns the outs of the result by default.
    pub fn usual_outs(self) -> u8 {
        match self {
            Self::Strikeout | Self::Out | Self::Sacrifice => 1,
            Self::Walk
            | Self::HitByPitch
            | Self::Single
            | Self::Double
            | Self::Triple
            | Self::HomeRun
            | Self::FieldersChoice
            | Self::Error => 0,
        }
    }

    /// Returns whether the batter can be credited with runs.
    pub fn earns_rbis(self) -> bool {
        !matches!(self, Self::Strikeout | Self::Error)
    }
}

/// The type of a batted ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Words)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are the words of the game")]
pub enum HitType {
    FlyBall,
    #[serde(alias = "ground_out")]
    GroundBall,
    LineDrive,
    PopUp,
    Bunt,
}

impl HitType {
    /// Returns the hit type that a result implies: a fly for `FO`.
    pub fn implied_by(result: &str) -> Option<Self> {
        "FO".eq_ignore_ascii_case(result).then_some(Self::FlyBall)
    }
}

impl AtBat {
    /// Returns its result, if the word is known.
    pub fn outcome(&self) -> Option<Outcome> {
        Outcome::read(&self.result)
    }

    /// Returns whether it is a home run.
    pub fn is_home_run(&self) -> bool {
        self.outcome() == Some(Outcome::HomeRun)
    }

    /// Returns the hit type, if it is known.
    pub fn ball(&self) -> Option<HitType> {
        match &self.hit_type {
            Some(word) => HitType::read(word),
            None => HitType::implied_by(&self.result),
        }
    }

    /// Returns the outs that it made. An unknown result is never an out.
    pub fn outs_made(&self) -> u8 {
        let usual = || self.outcome().map_or(0, Outcome::usual_outs);
        self.outs_on_play.unwrap_or_else(usual)
    }
}

/// Sorts plate appearances in the order in which they were recorded.
pub fn sort_by_time(at_bats: &mut [AtBat]) {
    at_bats.sort_by(|one, other| order(one).cmp(&order(other)));
}

/// Returns the position of a plate appearance in its game. Our ids contain the time and never
/// decrease, whatever the clock does; those of older programs are random, so the time of their rows
/// is used.
pub fn order(at_bat: &AtBat) -> (i64, &AtBatId) {
    let id = &at_bat.at_bat_id;
    (time_in(id.as_str()).unwrap_or_else(|| at_bat.stamps.created.as_ms()), id)
}

/// Returns the milliseconds in an id, if it is a UUID of version 7.
fn time_in(id: &str) -> Option<i64> {
    let id = Uuid::try_parse(id).ok().filter(|id| id.get_version() == Some(Version::SortRand))?;
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    i64::try_from(seconds * 1_000 + u64::from(nanoseconds / 1_000_000)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_as_it_is_written() {
        for &outcome in Outcome::ALL {
            assert_eq!(Outcome::read(outcome.word()), Some(outcome));
            assert_eq!(Outcome::read(&outcome.word().to_lowercase()), Some(outcome));
        }
        for &hit_type in HitType::ALL {
            assert_eq!(HitType::read(hit_type.word()), Some(hit_type));
        }
        for word in ["", "1 B", "TRIPLE", "FO ", "K#"] {
            assert_eq!((Outcome::read(word), HitType::read(word)), (None, None));
        }
    }

    #[test]
    fn other_words_are_taken_for_ours() {
        assert_eq!(Outcome::read("FO"), Some(Outcome::Out));
        assert_eq!(HitType::implied_by("FO"), Some(HitType::FlyBall));
        assert_eq!(HitType::implied_by("SF"), None);
        assert_eq!(Outcome::read("ROE"), Some(Outcome::Error));
        assert_eq!(Outcome::read("SF"), Some(Outcome::Sacrifice));
        assert_eq!(HitType::read("ground_out"), Some(HitType::GroundBall));
    }

    #[test]
    fn generated_ids_contain_the_time() {
        assert_eq!(time_in("01a3185c-5000-7000-94bf-a2c334a34754"), Some(0x01a3_185c_5000));
        for id in ["ffff", "01a3185c-5000-4000-94bf-a2c334a34754", "01a3185g-5000-7000-94bf-a2c3"] {
            assert_eq!(time_in(id), None);
        }
    }

    #[test]
    fn outs_and_runs_follow_from_the_result() {
        let out: Vec<&str> = Outcome::ALL
            .iter()
            .filter(|outcome| outcome.usual_outs() == 1)
            .map(Words::word)
            .collect();
        assert_eq!(out, ["K", "OUT", "SAC"]);
        let barren = Outcome::ALL.iter().filter(|outcome| !outcome.earns_rbis());
        assert_eq!(barren.map(Words::word).collect::<Vec<_>>(), ["K", "E"]);
    }
}
