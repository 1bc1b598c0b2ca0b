//! The team's score: counted from the runs that are recorded, or kept by hand.

use monotable_kit::Problem;

use crate::app::App;
use crate::commands::scope::all;
use crate::entities::{AtBat, Game, ScoreMode};
use crate::patterns::HackTrackerReads as _;

/// The runs that are recorded.
pub(crate) fn runs<'a>(at_bats: impl IntoIterator<Item = &'a AtBat>) -> u16 {
    let scored = at_bats.into_iter().map(|at_bat| at_bat.runs_scored.as_ref().map_or(0, Vec::len));
    u16::try_from(scored.sum::<usize>()).unwrap_or(u16::MAX)
}

/// Counts the score of a game whose score begins to be counted.
///
/// # Errors
/// What the table says.
pub(super) async fn recount(app: &App, old: &Game, new: &mut Game) -> Result<(), Problem> {
    if new.score_mode == ScoreMode::Auto && old.score_mode != ScoreMode::Auto {
        let at_bats = all(app.db.at_bats(&old.game_id).consistent()).await?;
        new.team_score = runs(&at_bats);
    }
    Ok(())
}
