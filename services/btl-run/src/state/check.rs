//! What a match, a tribute and their parts must be like before anybody plays.

use super::{MatchState, Persona, STATS_SUM, Stats, Tribute, hp_max_of, tribute_name};

/// Tributes that a match needs to start.
pub const ROSTER_MIN: usize = 4;
/// Tributes that a match can have.
pub const ROSTER_MAX: usize = 24;
const STAT_MAX: u8 = 10;
const DAYS_MAX: u32 = 30;
/// Characters of each text of a persona.
pub const PERSONA_CHARACTERS_MAX: usize = 100;

/// What is wrong with something that somebody sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A tribute's name.
    #[error(
        "name must have 1 to 50 letters, digits, spaces, hyphens and apostrophes, and not contain \"admin\""
    )]
    Name,
    /// A tribute's stats.
    #[error("stats must be 0 to 10 each and add up to 25")]
    Stats,
    /// A tribute's persona.
    #[error("persona must have an archetype and 1 to 3 quirks of at most 100 characters")]
    Persona,
    /// Hit points that do not fit the stats.
    #[error("maxHp must be 10 + vitality, and hp at most maxHp")]
    HitPoints,
    /// A tribute's items.
    #[error("inventory must fit its slots, with durability 1 to 3")]
    Inventory,
    /// An action's flavour.
    #[error("freeText must have at most 200 characters, without control characters")]
    FreeText,
    /// The arena.
    #[error("arena must have 1 to 50 characters")]
    Arena,
    /// The slots for crafting.
    #[error("maxCraftingSlots must be 1 to 4, and only with crafting")]
    CraftingSlots,
    /// The days of a match.
    #[error("maxDays must be 1 to 30")]
    MaxDays,
    /// The real days of a match.
    #[error("maxRealDays must be 7, 14 or 30")]
    MaxRealDays,
    /// Real days of a match that is not played by them.
    #[error("maxRealDays is for long matches")]
    RealDaysOfLong,
    /// The time zone.
    #[error("timezone must be the name of an IANA time zone")]
    Timezone,
    /// The cut-off.
    #[error("cutoffMinuteOfDay must be 0 to 1439")]
    Cutoff,
    /// The size of the roster.
    #[error("a match has at most 24 tributes")]
    Roster,
    /// Two tributes with one name.
    #[error("names must be unlike each other")]
    NameTwice,
}

impl Stats {
    /// Checks each stat and their sum.
    ///
    /// # Errors
    /// If one is above 10, or they do not add up to 25.
    pub fn check(&self) -> Result<(), Invalid> {
        let stats = self.all();
        let sum: u32 = stats.iter().map(|stat| u32::from(*stat)).sum();
        match stats.iter().all(|stat| *stat <= STAT_MAX) && sum == STATS_SUM {
            true => Ok(()),
            false => Err(Invalid::Stats),
        }
    }
}

impl Persona {
    fn check(&self) -> Result<(), Invalid> {
        let texts = self.quirks.iter().chain(self.catchphrase.as_ref()).chain([&self.archetype]);
        let is_short = |text: &String| {
            (1..=PERSONA_CHARACTERS_MAX).contains(&text.chars().count())
                && !text.chars().any(char::is_control)
        };
        match (1..=3).contains(&self.quirks.len()) && texts.into_iter().all(is_short) {
            true => Ok(()),
            false => Err(Invalid::Persona),
        }
    }
}

impl Tribute {
    /// Checks a tribute by itself.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn check(&self) -> Result<(), Invalid> {
        if tribute_name(&self.name)? != self.name {
            return Err(Invalid::Name);
        }
        self.stats.check()?;
        self.persona.check()?;
        if self.max_hp != hp_max_of(self.stats) || self.hp > self.max_hp {
            return Err(Invalid::HitPoints);
        }
        match self.inventory.iter().all(|item| (1..=3).contains(&item.durability)) {
            true => Ok(()),
            false => Err(Invalid::Inventory),
        }
    }
}

impl MatchState {
    /// Checks a match that is set up.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn check(&self) -> Result<(), Invalid> {
        self.rules.check()?;
        self.theme.check()?;
        let is_day = (1..=DAYS_MAX).contains(&self.max_days);
        let is_real = self.max_real_days.is_none_or(|days| matches!(days, 7 | 14 | 30));
        for (is_sound, invalid) in [
            (is_day, Invalid::MaxDays),
            (is_real, Invalid::MaxRealDays),
            (crate::schedule::is_timezone(&self.timezone), Invalid::Timezone),
            (self.cutoff_minute_of_day < 24 * 60, Invalid::Cutoff),
            (self.roster.len() <= ROSTER_MAX, Invalid::Roster),
        ] {
            if !is_sound {
                return Err(invalid);
            }
        }
        self.roster.iter().try_for_each(Tribute::check)?;
        let mut names: Vec<_> = self.roster.iter().map(|one| one.name.to_lowercase()).collect();
        names.sort();
        match names.windows(2).any(|pair| pair[0] == pair[1]) {
            false => Ok(()),
            true => Err(Invalid::NameTwice),
        }
    }
}
