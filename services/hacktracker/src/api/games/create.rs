//! `POST /games`: creates a game.

use super::lineup::PlayerChanges;
use super::{GameFields, GameView, active, lineup, season_places};
use crate::api::prelude::*;
use crate::api::users;
use crate::rules::lineup::counted;

/// The name of the personal team for games without a team.
const DEFAULT_TEAM: &str = "Default";

/// A game to create.
#[derive(Debug, Body)]
#[body(read_only_of = GameView)]
pub(crate) struct NewGame {
    /// By default your personal team Default.
    team_id: Option<TeamId>,
    #[body(flatten)]
    fields: GameFields,
}

/// Puts a game on the schedule, starts one, or records a past one.
#[operation(
    POST "/games", once,
    refuses(refusal::CHANGING_GAME, NoDefaultTeam, TeamNotFound, LimitReached)
)]
pub(crate) async fn create_game(app: &App, call: &Call<(), NewGame>) -> Answer<Created<GameView>> {
    let NewGame { team_id, fields } = &call.body;
    let team_id = match team_id {
        Some(team_id) => team_id.clone(),
        None => default_team(app, call).await?,
    };
    let granted = policy::authorize(app, call, &team_id, Action::ManageGames).await?;
    let game = new_game(app, fields, &team_id)?;
    lineup::check(app, &team_id, &game.lineup).await?;
    let is_started = game.status == GameStatus::InProgress;
    if is_started {
        lineup::require_playable(app, granted.team.kind(), &game).await?;
    }
    let mut tx = scope::change(app, call, &team_id);
    let created = tx.add(create(game.clone()));
    if is_started {
        active::claim(&mut tx, &game);
    }
    let players = PlayerChanges { before: &[], after: counted(&game), playing: &game.lineup };
    players.add_to(&mut tx, &team_id);
    season_places::take(&mut tx, &game);
    let done = tx.respond(move |done| Created(GameView::of(&done[created])));
    match done.await {
        Err(problem) => Err(active::name_active_game(app, &game, problem).await),
        answer => answer,
    }
}

async fn default_team(app: &App, call: &Call<(), NewGame>) -> Result<TeamId, Problem> {
    let teams = users::teams_of(app, &policy::caller(call)?).await?;
    let own = teams.into_iter().find(|(team, membership)| {
        team.kind() == TeamType::Personal
            && team.name == DEFAULT_TEAM
            && membership.role == Role::Owner
    });
    own.map(|(team, _)| team.team_id).ok_or_else(|| Refusal::NoDefaultTeam.into())
}

/// Returns the game that a request describes.
///
/// # Errors
/// Returns 400 for a final game without both scores, and for invalid fields.
fn new_game(app: &App, fields: &GameFields, team_id: &TeamId) -> Result<Game, Problem> {
    let now = app.db.now();
    let status = fields.status.unwrap_or(GameStatus::Scheduled);
    let game_id: GameId = app.new_id()?;
    let mut game = Game {
        list_shard: app.lists.of(&game_id),
        game_id,
        team_id: team_id.clone(),
        status,
        scheduled_start: None,
        opponent_name: None,
        location: None,
        season_id: None,
        team_score: 0,
        opponent_score: 0,
        lineup: Vec::new(),
        lineup_changed: None,
        lineup_counted: Some(true),
        innings: None,
        inning_run_limit: None,
        score_mode: ScoreMode::Manual,
        started_at: (status == GameStatus::InProgress).then_some(now),
        finished_at: (status == GameStatus::Final).then_some(now),
        deleting: None,
        stamps: Stamps::default(),
    };
    fields.apply_to(&mut game)?;
    let has_scores = fields.team_score.is_some() && fields.opponent_score.is_some();
    if status == GameStatus::Final && !has_scores {
        let text = "a final game requires teamScore and opponentScore";
        return Err(Problem::field("status", text));
    }
    Ok(game)
}
