//! Refusals about players, for invitations.

use monotable_kit::Problem;

use crate::refusal::Refusal;

/// 404 for a player who is not there.
pub(crate) fn not_found() -> Problem {
    Refusal::PlayerNotFound.into()
}
