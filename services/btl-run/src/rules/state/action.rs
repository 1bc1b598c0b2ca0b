//! The action of a tribute in a turn.

use monotable_kit::{FieldType, Refuse as _, Words};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::table::TributeId;

/// The maximum length of a player's flavour text.
pub const FREE_TEXT_CHARACTERS_MAX: usize = 200;

/// The kind of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Search for an item.
    Scavenge,
    /// Be hard to hit.
    Hide,
    /// Offer an alliance.
    SeekAlliance,
    /// Attack a tribute.
    Hunt,
    /// Combine two items into a durable one.
    Craft,
    /// Walk into the unknown.
    Explore,
    /// Recover.
    Rest,
}

/// A tribute's action in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// What to do.
    pub action: ActionKind,
    /// The target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_id: Option<TributeId>,
    /// Flavour for the narrator; never read for effects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_text: Option<String>,
}

impl Action {
    /// Returns the action without target and flavour.
    #[must_use]
    pub const fn plain(action: ActionKind) -> Self {
        Self { action, target_id: None, free_text: None }
    }

    /// Checks everything that does not depend on the match.
    ///
    /// # Errors
    /// Fails if the flavour text is too long or has control characters.
    pub fn check(&self) -> Result<(), Refusal> {
        let text = self.free_text.as_deref().unwrap_or_default();
        let is_short = text.chars().count() <= FREE_TEXT_CHARACTERS_MAX;
        Refusal::InvalidFreeText.unless(is_short && !text.chars().any(char::is_control))
    }
}
