//! The actions of a game master: rules, announcements and events, none of which is fatal.

use super::in_play;
use crate::refusal::Refusal;
use crate::rules::events::{Event, EventBody, HitPoints, Injection, numbered};
use crate::rules::resolve::sponsored;
use crate::rules::state::{MatchState, Rules, Tribute};
use crate::table::TributeId;

const ZONES: u32 = 4;
const DAMAGE_MAX: u32 = 2;
const ANNOUNCEMENT_CHARACTERS_MAX: usize = 280;
const WEATHER_CHARACTERS_MAX: usize = 100;

/// An event that a game master causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inject {
    /// Damage of 1 or 2 to all tributes in a part of the arena.
    Hazard {
        /// The part: 1 to 4.
        zone: u32,
        /// The damage.
        damage: u32,
    },
    /// An item for a tribute.
    ItemDrop {
        /// The tribute that gets it.
        tribute_id: TributeId,
    },
    /// Other weather, for the story.
    Weather {
        /// The text.
        text: String,
    },
}

/// Changes the rules from the open turn on.
///
/// # Errors
/// Fails if the match is not running, or the rules are invalid.
pub fn change_rules(state: &MatchState, rules: Rules, now: i64) -> Result<Vec<Event>, Refusal> {
    in_play(state)?;
    rules.check()?;
    Ok(numbered(state, vec![EventBody::RulesChanged { rules }], now))
}

/// Announces a text to all players.
///
/// # Errors
/// Fails if the match is not running, or the text is empty or too long.
pub fn announce(state: &MatchState, text: &str, now: i64) -> Result<Vec<Event>, Refusal> {
    in_play(state)?;
    let text = plain(text, ANNOUNCEMENT_CHARACTERS_MAX).ok_or(Refusal::InvalidAnnouncement)?;
    Ok(numbered(state, vec![EventBody::GmAnnouncement { text }], now))
}

/// Causes an event.
///
/// # Errors
/// Fails if the match is not running, or the rules do not allow it.
pub fn inject(state: &MatchState, inject: Inject, now: i64) -> Result<Vec<Event>, Refusal> {
    in_play(state)?;
    let bodies = match inject {
        Inject::Hazard { zone, damage } => {
            if !(1..=ZONES).contains(&zone) || !(1..=DAMAGE_MAX).contains(&damage) {
                return Err(Refusal::InvalidHazard);
            }
            let is_there = |one: &&Tribute| zone_of(state, &one.id) == Some(zone);
            let struck = |one: &Tribute| HitPoints {
                tribute_id: one.id.clone(),
                hp: one.hp.saturating_sub(damage).max(1),
            };
            let hp = state.living().filter(is_there).map(struck).collect();
            vec![EventBody::GmEventInjected(Injection::Hazard { zone, hp })]
        }
        Inject::ItemDrop { tribute_id } => drop_item(state, tribute_id)?,
        Inject::Weather { text } => {
            let text = plain(&text, WEATHER_CHARACTERS_MAX).ok_or(Refusal::InvalidWeather)?;
            vec![EventBody::GmEventInjected(Injection::Weather { text })]
        }
    };
    Ok(numbered(state, bodies, now))
}

fn drop_item(state: &MatchState, tribute_id: TributeId) -> Result<Vec<EventBody>, Refusal> {
    let tribute = state.tribute(&tribute_id).ok_or(Refusal::UnknownTribute)?;
    if !tribute.alive {
        return Err(Refusal::TributeDead);
    }
    if !state.rules.items || !state.rules.sponsors {
        return Err(Refusal::SponsorsOff);
    }
    if tribute.inventory.len() >= state.rules.inventory_slots() {
        return Err(Refusal::InventoryFull);
    }
    let turn_id = state.turn_id.as_ref().ok_or(Refusal::NotCollecting)?;
    let item = sponsored(turn_id, state.log_seq + 2);
    let announced = Injection::ItemDrop { tribute_id: tribute_id.clone() };
    Ok(vec![EventBody::GmEventInjected(announced), EventBody::SponsorDrop { tribute_id, item }])
}

/// Returns the part of the arena in which a tribute is during the open turn: all tributes move on
/// by one part per turn, so that a game master cannot follow one of them.
#[must_use]
pub fn zone_of(state: &MatchState, id: &TributeId) -> Option<u32> {
    let mut ids: Vec<_> = state.roster.iter().map(|tribute| &tribute.id).collect();
    ids.sort();
    let place = u32::try_from(ids.iter().position(|other| *other == id)?).ok()?;
    Some((place + state.day + state.turn) % ZONES + 1)
}

fn plain(text: &str, characters_max: usize) -> Option<String> {
    let text = text.trim();
    let is_plain = !text.chars().any(|character| character.is_control() && character != '\n');
    let is_sound = (1..=characters_max).contains(&text.chars().count()) && is_plain;
    is_sound.then(|| text.to_owned())
}
