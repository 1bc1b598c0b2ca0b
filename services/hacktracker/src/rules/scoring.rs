//! The score of a team, counted from the recorded runs.

use crate::table::AtBat;

/// Returns the number of runs that are recorded.
pub(crate) fn runs<'a>(at_bats: impl IntoIterator<Item = &'a AtBat>) -> u16 {
    let scored = at_bats.into_iter().map(|at_bat| at_bat.runs_scored.as_ref().map_or(0, Vec::len));
    u16::try_from(scored.sum::<usize>()).unwrap_or(u16::MAX)
}
