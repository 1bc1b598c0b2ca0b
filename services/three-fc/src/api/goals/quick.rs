//! `POST /v1/games/{gameId}/goals/quick`: records a goal by as few taps as possible.

use monotable_kit::Saved;

use super::GoalView;
use super::record::{NewGoal, record};
use crate::api::game_change::GameChange;
use crate::api::prelude::*;
use crate::rules::clock;

/// A goal, as a scorekeeper taps it.
#[derive(Debug, Body)]
pub(crate) struct QuickGoal {
    #[body(label = "Who conceded?")]
    conceding_team_id: TeamId,
    /// A player of the team that conceded scored it. Then there are no assists.
    #[body(default, label = "Own goal")]
    own_goal: bool,
    #[body(label = "Who scored?")]
    scorer_player_id: PlayerId,
    /// At most three other players of the game.
    #[body(items = 0..=60, label = "Assists")]
    assist_player_ids: Option<Vec<PlayerId>>,
    /// When it was scored; now by default. A phone that was offline sends it later.
    at: Option<Timestamp>,
}

/// Records a goal. The team that scored, the third and the minute follow from the line-ups and the clock.
#[operation(
    POST "/v1/games/{gameId}/goals/quick", once, if_match, queue = game_id,
    refuses(
        refusal::SCORING, InvalidAssists, InvalidGoalTeams, NotRostered, InvalidTransition, ThirdNotRunning,
        IdTaken, Conflict
    )
)]
pub(crate) async fn record_quick_goal(
    app: &App,
    call: &Call<GamePath, QuickGoal>,
) -> Answer<Saved<GoalView>> {
    let change = GameChange::read_version(app, call, &call.path.game_id).await?;
    change.require_live()?;
    let goal = whole(&change, &call.body)?;
    record(change, &goal).await
}

/// Adds what line-ups and clock know of a goal.
///
/// # Errors
/// Returns 400 `not_rostered` if the scorer is in no line-up, or 409 `third_not_running` for a time before the game.
fn whole(change: &GameChange<'_>, body: &QuickGoal) -> Result<NewGoal, Problem> {
    let team_id = change.sheet.team_of(&body.scorer_player_id)?;
    let at = body.at.map(|at| time(change, at.min(change.app.db.now()))).transpose()?;
    let (third, game_minute) = at.unzip();
    Ok(NewGoal {
        event_id: None,
        third,
        game_minute,
        scoring_team_id: if body.own_goal { Patch::Keep } else { Patch::Set(team_id) },
        conceding_team_id: body.conceding_team_id.clone(),
        scorer_player_id: body.scorer_player_id.clone(),
        assist_player_ids: body.assist_player_ids.clone().filter(|_| !body.own_goal),
        own_goal: body.own_goal,
    })
}

/// Returns the third and the minute that a time is in. A time after the end of a third is its last minute.
fn time(change: &GameChange<'_>, at: Timestamp) -> Result<(u8, u16), Problem> {
    let begun = change.game.thirds.iter().rfind(|third| third.started_at <= at);
    let third = begun.ok_or_else(|| Refusal::ThirdNotRunning.text("The game had not begun."))?;
    let end = third.finished_at.map_or(at, |finished_at| at.min(finished_at));
    Ok((third.n, clock::minute(end.since(third.started_at)).min(clock::MINUTE_MAX)))
}
