//! `PATCH /v1/games/{gameId}/goals/{eventId}`: corrects a goal.

use super::GoalView;
use super::correction::Correction;
use super::record::{check, require_begun};
use crate::api::prelude::*;

/// Changes of a goal.
#[derive(Debug, Body)]
#[body(not_empty, read_only_of = GoalView, applies_to = Goal)]
pub(crate) struct GoalChanges {
    #[body(range = 1..=3)]
    third: Option<u8>,
    #[body(range = 0..=180, example = 12)]
    game_minute: Option<u16>,
    /// null makes it an own goal, together with ownGoal.
    scoring_team_id: Patch<TeamId>,
    conceding_team_id: Option<TeamId>,
    scorer_player_id: Option<PlayerId>,
    #[body(items = 0..=60)]
    assist_player_ids: Option<Vec<PlayerId>>,
    own_goal: Option<bool>,
}

/// Corrects a goal. After the game only admins can.
#[operation(
    PATCH "/v1/games/{gameId}/goals/{eventId}", once, if_match, queue = game_id,
    refuses(refusal::SCORING, NotFound, InvalidAssists, InvalidGoalTeams, NotRostered, ThirdNotRunning, Conflict)
)]
async fn edit_goal(app: &App, call: &Call<GoalPath, GoalChanges>) -> Answer<Json<GoalView>> {
    let correction = Correction::read(app, call, &call.path).await?;
    let mut new = correction.goal().clone();
    call.body.apply(&mut new);
    replace(correction, new).await
}

/// Replaces a goal by the corrected one.
///
/// # Errors
/// Returns the refusals of the rules.
pub(super) async fn replace(correction: Correction<'_>, mut new: Goal) -> Answer<Json<GoalView>> {
    let game = &correction.change.game;
    new.show_time(game.third_length());
    if new.third != correction.goal().third {
        require_begun(game, new.third)?;
    }
    check(&correction.change, &new)?;
    let mut tx = correction.write("editGoal", Some(&new))?;
    let goal = tx.add(rekey(correction.goal(), &new));
    let third_length = game.third_length();
    tx.respond(move |done| Json(GoalView::of_game(&done[goal], third_length))).await
}
