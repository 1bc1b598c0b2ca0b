//! `PATCH /v1/games/{gameId}/goals/{eventId}/quick`: corrects a goal by taps.

use super::GoalView;
use super::correction::Correction;
use super::edit::replace;
use crate::api::prelude::*;

/// Changes of a goal, as a scorekeeper taps them.
#[derive(Debug, Body)]
#[body(not_empty, applies_to = Goal)]
pub(crate) struct QuickChanges {
    #[body(range = 1..=3)]
    third: Option<u8>,
    /// Minutes since the third began, stoppage time included: 0 in the first minute.
    #[body(range = 0..=180, example = 12, label = "Minute")]
    game_minute: Option<u16>,
    #[body(label = "Who conceded?")]
    conceding_team_id: Option<TeamId>,
    /// A player of the team that conceded scored it. Then there are no assists.
    #[body(label = "Own goal")]
    own_goal: Option<bool>,
    #[body(label = "Who scored?")]
    scorer_player_id: Option<PlayerId>,
    /// At most three other players of the game.
    #[body(items = 0..=60, label = "Assists")]
    assist_player_ids: Option<Vec<PlayerId>>,
}

/// Corrects a goal. The team that scored follows from the line-ups. After the game only admins can.
#[operation(
    PATCH "/v1/games/{gameId}/goals/{eventId}/quick", once, if_match, queue = game_id,
    refuses(refusal::SCORING, NotFound, InvalidAssists, InvalidGoalTeams, NotRostered)
)]
async fn edit_goal_quickly(
    app: &App,
    call: &Call<GoalPath, QuickChanges>,
) -> Answer<Json<GoalView>> {
    let correction = Correction::read(app, call, &call.path).await?;
    let mut new = correction.goal().clone();
    call.body.apply(&mut new);
    if new.own_goal {
        new.scoring_team_id = None;
        new.assist_player_ids.clear();
    } else {
        new.scoring_team_id = Some(correction.change.sheet.team_of(&new.scorer_player_id)?);
    }
    replace(correction, new).await
}
