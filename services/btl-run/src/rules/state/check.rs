//! The validity of a match, a tribute and their parts before the start.

use monotable_kit::Refuse as _;

use super::{Item, MatchState, Persona, STATS_SUM, Stats, Tribute, hp_max_of, tribute_name};
use crate::refusal::Refusal;
use crate::rules::schedule::is_timezone;

/// The minimum number of tributes at the start.
pub const ROSTER_MIN: usize = 4;
/// The maximum number of tributes.
pub const ROSTER_MAX: usize = 24;
const STAT_MAX: u8 = 10;
const DAYS_MAX: u32 = 30;
/// The maximum length of each text of a persona.
pub const PERSONA_CHARACTERS_MAX: usize = 100;

impl Stats {
    /// Checks each stat and their sum.
    ///
    /// # Errors
    /// Fails if one is above 10, or they do not add up to 25.
    pub fn check(&self) -> Result<(), Refusal> {
        let stats = self.all();
        let sum: u32 = stats.iter().map(|stat| u32::from(*stat)).sum();
        let is_sound = stats.iter().all(|stat| *stat <= STAT_MAX) && sum == STATS_SUM;
        Refusal::InvalidStats.unless(is_sound)
    }
}

impl Persona {
    fn check(&self) -> Result<(), Refusal> {
        let texts = self.quirks.iter().chain(self.catchphrase.as_ref()).chain([&self.archetype]);
        let is_short = |text: &String| {
            (1..=PERSONA_CHARACTERS_MAX).contains(&text.chars().count())
                && !text.chars().any(char::is_control)
        };
        let is_sound = (1..=3).contains(&self.quirks.len()) && texts.into_iter().all(is_short);
        Refusal::InvalidPersona.unless(is_sound)
    }
}

impl Tribute {
    /// Checks a tribute by itself.
    ///
    /// # Errors
    /// Returns the first error.
    pub fn check(&self) -> Result<(), Refusal> {
        if tribute_name(&self.name)? != self.name {
            return Err(Refusal::InvalidName);
        }
        self.stats.check()?;
        self.persona.check()?;
        if self.max_hp != hp_max_of(self.stats) || self.hp > self.max_hp {
            return Err(Refusal::InvalidHitPoints);
        }
        let is_durable = |item: &Item| (1..=3).contains(&item.durability);
        Refusal::InvalidInventory.unless(self.inventory.iter().all(is_durable))
    }
}

impl MatchState {
    /// Checks a match that is set up.
    ///
    /// # Errors
    /// Returns the first error.
    pub fn check(&self) -> Result<(), Refusal> {
        self.rules.check()?;
        self.theme.check()?;
        let is_day = (1..=DAYS_MAX).contains(&self.max_days);
        let is_real = self.max_real_days.is_none_or(|days| matches!(days, 7 | 14 | 30));
        Refusal::InvalidMaxDays.unless(is_day)?;
        Refusal::InvalidMaxRealDays.unless(is_real)?;
        Refusal::InvalidTimezone.unless(is_timezone(&self.timezone))?;
        Refusal::InvalidCutoff.unless(self.cutoff_minute_of_day < 24 * 60)?;
        Refusal::TooManyTributes.unless(self.roster.len() <= ROSTER_MAX)?;
        self.roster.iter().try_for_each(Tribute::check)?;
        let mut names: Vec<_> = self.roster.iter().map(|one| one.name.to_lowercase()).collect();
        names.sort();
        Refusal::NamesAlike.unless(names.windows(2).all(|pair| pair[0] != pair[1]))
    }
}
