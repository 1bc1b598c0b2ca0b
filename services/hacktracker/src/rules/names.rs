//! Names of people and teams: which are accepted, and how they are stored.

use monotable_kit::names::{NameRule, Spaces, visible_text};

pub(crate) use monotable_kit::names::{email, phone};

const TEAM: NameRule =
    NameRule::new(3..=50).digits().signs("-'’.&", "hyphens, apostrophes, periods and ampersands");
const PLAYER: NameRule =
    NameRule::new(1..=50).spaces(Spaces::Single).signs("-'’.", "hyphens, apostrophes, periods");

/// Returns a team's name.
///
/// # Errors
/// Returns the message for the field.
pub(crate) fn team(text: &str) -> Result<String, String> {
    TEAM.read(text)
}

/// Returns the description of a team; an empty one counts as absent.
pub(crate) fn description(text: &str) -> Result<Option<String>, String> {
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// Returns a player's first or last name.
///
/// # Errors
/// Returns the message for the field.
pub(crate) fn player(text: &str) -> Result<String, String> {
    PLAYER.read(&person(text)?)
}

/// Returns the first or last name of an account: all visible characters.
///
/// # Errors
/// Returns the message for the field.
pub(crate) fn person(text: &str) -> Result<String, String> {
    visible_text(text, 1..=50)
}
