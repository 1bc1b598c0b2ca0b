//! `POST /v1/games/{gameId}/goals`: records a goal.

use monotable::model::Outcome;
use monotable_kit::Saved;

use super::GoalView;
use crate::api::game_change::GameChange;
use crate::api::prelude::*;
use crate::api::sheets::Sheet;
use crate::rules::goal::{self, GOALS_OF_THIRD_MAX};
use crate::rules::thirds::{self, ThirdState};
use crate::rules::{clock, timeline};

/// A goal, as a scorekeeper reports it.
#[derive(Debug, Body)]
pub(crate) struct NewGoal {
    /// An id made by the client, so that a repeat is the same goal; by default the service makes one.
    #[body(check = checks::id)]
    pub(super) event_id: Option<EventId>,
    /// The third; the running one by default.
    #[body(range = 1..=3)]
    pub(super) third: Option<u8>,
    /// Minutes since the third began; by default the clock of the running third.
    #[body(range = 0..=180)]
    pub(super) game_minute: Option<u16>,
    /// The team that scored; null or absent for an own goal.
    pub(super) scoring_team_id: Patch<TeamId>,
    /// The team that conceded.
    pub(super) conceding_team_id: TeamId,
    pub(super) scorer_player_id: PlayerId,
    /// At most three other players of the game.
    #[body(items = 0..=60)]
    pub(super) assist_player_ids: Option<Vec<PlayerId>>,
    #[body(default)]
    pub(super) own_goal: bool,
}

/// Records a goal, now or at a past minute.
#[operation(
    POST "/v1/games/{gameId}/goals", once, if_match, queue = game_id,
    refuses(
        refusal::SCORING, InvalidAssists, InvalidGoalTeams, NotRostered, InvalidTransition, ThirdNotRunning,
        IdTaken, Conflict
    )
)]
pub(crate) async fn record_goal(
    app: &App,
    call: &Call<GamePath, NewGoal>,
) -> Answer<Saved<GoalView>> {
    record(GameChange::read_version(app, call, &call.path.game_id).await?, &call.body).await
}

/// Records a goal of a game.
///
/// # Errors
/// Returns the refusals of the rules.
pub(super) async fn record(change: GameChange<'_>, body: &NewGoal) -> Answer<Saved<GoalView>> {
    let third_length = change.game.third_length();
    let goals = &change.sheet.goals;
    let known = goals.iter().find(|known| Some(&known.event_id) == body.event_id.as_ref());
    if let Some(known) = known {
        return repeated(known, body)
            .map(|()| Saved::Changed(GoalView::of_game(known, third_length)).into());
    }
    change.require_live()?;
    let goal = recorded(&change, body)?;
    check(&change, &goal)?;
    let mut tx = change.write_goals(&goals.iter().chain([&goal]).collect::<Vec<_>>());
    let entry = change.audited("recordGoal", format!("GOAL#{}", goal.event_id))?;
    let summary = goal.summary().into_iter();
    tx.add(create(summary.fold(entry, |entry, (name, is)| entry.is(name, is))));
    let goal = tx.require(create(goal), Refusal::IdTaken);
    let GameChange { app, game, sheet, .. } = change;
    // Nothing else refers to the cached value then, so it is changed without a copy.
    drop(sheet);
    let keep = move |done: &Outcome| {
        let goal = done[goal].clone();
        let add = |sheet: &mut Sheet| timeline::insert(&mut sheet.goals, goal);
        app.sheets.advance(&game.game_id, game.stamps.version, add);
    };
    tx.after(keep)
        .respond(move |done| Saved::Created(GoalView::of_game(&done[goal], third_length)))
        .await
}

/// Checks that a request means the goal that was recorded with its id before: the minute can differ, because
/// it is taken from the clock.
///
/// # Errors
/// Returns 409 `id_taken`.
fn repeated(known: &Goal, body: &NewGoal) -> Result<(), Problem> {
    let assists = body.assist_player_ids.as_deref().unwrap_or_default();
    let is_same = known.own_goal == body.own_goal
        && known.scoring_team_id.as_ref() == body.scoring_team_id.value()
        && known.conceding_team_id == body.conceding_team_id
        && known.scorer_player_id == body.scorer_player_id
        && known.assist_player_ids == assists;
    if is_same { Ok(()) } else { Err(Refusal::IdTaken.into()) }
}

/// Checks a goal of a game, whether it is new or corrected.
///
/// # Errors
/// Returns the refusals of the rules, or 409 `conflict` if the limit of goals in a third is
/// reached.
pub(super) fn check(change: &GameChange<'_>, goal: &Goal) -> Result<(), Problem> {
    let (game, sheet) = (&change.game, &change.sheet);
    goal::check(goal, &game.team_ids, &sheet.roster)?;
    let others = sheet.goals.iter();
    let others =
        others.filter(|other| other.third == goal.third && other.event_id != goal.event_id);
    if others.count() >= GOALS_OF_THIRD_MAX {
        let text = format!("A third has {GOALS_OF_THIRD_MAX} goals at most.");
        return Err(Refusal::Conflict.text(text));
    }
    Ok(())
}

/// Returns the goal that a request describes.
fn recorded(change: &GameChange<'_>, body: &NewGoal) -> Result<Goal, Problem> {
    let (third, game_minute) = time(change, body)?;
    let mut goal = Goal {
        game_id: change.game.game_id.clone(),
        third,
        game_minute,
        event_id: match &body.event_id {
            Some(event_id) => event_id.clone(),
            None => change.app.new_id()?,
        },
        scoring_team_id: body.scoring_team_id.value().cloned(),
        conceding_team_id: body.conceding_team_id.clone(),
        scorer_player_id: body.scorer_player_id.clone(),
        assist_player_ids: body.assist_player_ids.clone().unwrap_or_default(),
        own_goal: body.own_goal,
        third_minute: None,
        stoppage_minute: None,
        display_time: None,
        recorded_by: Some(change.granted.user_id.clone()),
        stamps: Stamps::default(),
    };
    goal.show_time(change.game.third_length());
    Ok(goal)
}

/// Requires that a third has begun.
///
/// # Errors
/// Returns 409 `third_not_running`.
pub(super) fn require_begun(game: &Game, third: u8) -> Result<(), Problem> {
    // Older programs finished games without noting when their thirds began.
    let is_unknown = game.status == GameStatus::Finished && game.thirds.is_empty();
    if !is_unknown && thirds::state(&game.thirds, third) == ThirdState::Pending {
        let text = format!("Third {third} has not begun.");
        return Err(Refusal::ThirdNotRunning.text(text));
    }
    Ok(())
}

/// Returns the third and the minute of a goal: as stated for a past moment, or of the clock.
///
/// # Errors
/// Returns 400 for a minute in the future; 409 `third_not_running` for a third that has not begun, or if none is
/// running and none is stated.
fn time(change: &GameChange<'_>, body: &NewGoal) -> Result<(u8, u16), Problem> {
    let thirds = &change.game.thirds;
    let running = thirds::running(thirds);
    let third = body.third.or(running.map(|third| third.n)).ok_or_else(|| {
        Refusal::ThirdNotRunning.text("No third is running. State third and gameMinute.")
    })?;
    require_begun(&change.game, third)?;
    let played = |begun: &Third| clock::minute(change.app.db.now().since(begun.started_at));
    let begun = thirds.iter().find(|begun| begun.n == third);
    match (body.game_minute, running.filter(|running| running.n == third)) {
        (Some(minute), _) if begun.is_some_and(|begun| minute > played(begun)) => {
            Err(Problem::field("gameMinute", "is in the future"))
        }
        (Some(minute), _) => Ok((third, minute)),
        (None, Some(running)) => Ok((third, played(running))),
        (None, None) => Err(Problem::field("gameMinute", "is missing; the third is over")),
    }
}
