//! Words that are not allowed in a match. Fighting is the subject of the game, so it is not a
//! violation.

use monotable_kit::{Problem, Refuse as _};

pub use monotable_kit::moderation::is_violation;

use crate::refusal::Refusal;

/// Refuses a text with words that are not allowed.
///
/// # Errors
/// Returns 400 `CONTENT_VIOLATION`.
pub fn check(field: &'static str, text: &str) -> Result<(), Problem> {
    if !is_violation(text) {
        return Ok(());
    }
    let message = format!("{field}: use other words, without links and hidden characters");
    Err(Refusal::ContentViolation.text(message).with("field", field))
}
