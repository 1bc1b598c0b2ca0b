//! Games: new ones, one, and the schedule of a team.

mod active;
mod change;
mod fields;
pub(crate) mod lineup;
pub(crate) mod scoring;
pub(crate) mod season_places;

use std::cmp::Reverse;

use monotable::model;
use monotable::model::time::Timestamp;
use monotable_kit::{Problem, Reply, Request, repeat};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) use self::active::give_up_place;
use self::active::{BUSY, PlaceChange, running};
pub(crate) use self::change::change;
use self::change::{ready, shown};
use self::fields::GameFields;
use self::season_places::SeasonEntry;
use super::everything::Everything;
use super::scope::{self, all};
use super::users;
use crate::app::App;
use crate::entities::{Game, GameStatus, Role, ScoreMode, Stamps, TeamType};
use crate::ids::{GameId, SeasonId, TeamId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::show;

/// The name of the personal team that games go to whose team is not said.
const DEFAULT_TEAM: &str = "Default";

/// `POST /games`.
pub(crate) async fn create(app: &App, call: &Request) -> Result<Reply, Problem> {
    let fields: GameFields = call.read()?;
    let team_id = match &fields.team_id {
        Some(team_id) => team_id.clone(),
        None => default_team(app, call).await?,
    };
    repeat(|| create_in(app, call, &fields, &team_id)).await
}

async fn default_team(app: &App, call: &Request) -> Result<TeamId, Problem> {
    let teams = users::teams_of(app, &policy::caller(call)?).await?;
    let own = teams.into_iter().find(|(team, membership)| {
        team.kind() == TeamType::Personal
            && team.name == DEFAULT_TEAM
            && membership.role == Role::Owner
    });
    own.map(|(team, _)| team.team_id).ok_or_else(|| {
        let text = format!("Say the teamId; you have no personal team named {DEFAULT_TEAM}.");
        Problem::invalid("NO_DEFAULT_TEAM", text)
    })
}

async fn create_in(
    app: &App,
    call: &Request,
    fields: &GameFields,
    team_id: &TeamId,
) -> Result<Reply, Problem> {
    let granted = policy::authorize(app, call, team_id, Action::ManageGames).await?;
    let game = new_game(app, fields, team_id)?;
    lineup::check(app, team_id, &game.lineup).await?;
    let is_started = game.status == GameStatus::InProgress;
    if is_started {
        ready(app, granted.team.kind(), &game).await?;
    }
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(team_id));
    let created = tx.add(model::create(game.clone()));
    let place = if is_started { PlaceChange::take(&mut tx, &game) } else { PlaceChange::None };
    let players =
        lineup::Change { before: &[], after: lineup::counted(&game), playing: &game.lineup };
    players.add_to(&mut tx, team_id);
    let season = SeasonEntry::add(&mut tx, &game);
    let done = call
        .commit(tx)
        .refuse(active, policy::team_deleted())
        .refusing(|refusals| season.refusals(place.refusals(refusals)))
        .or_retry()
        .reply(move |done| {
            let game = &done[created];
            Reply::created(&show::game(game)).version(game.stamps.version)
        });
    match done.await {
        Err(problem) if problem.code == BUSY => Err(running(app, &game, problem).await?),
        done => done,
    }
}

/// The game that a request describes.
///
/// # Errors
/// 400 for a game that is over and has not both scores, and for fields that are not as they must be.
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
    fields.apply(&mut game)?;
    let has_scores = fields.team_score.is_some() && fields.opponent_score.is_some();
    if status == GameStatus::Final && !has_scores {
        let text = "a game that is over has a teamScore and an opponentScore";
        return Err(Problem::field("status", text));
    }
    Ok(game)
}

/// `GET /games/{gameId}`.
pub(crate) async fn get(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::View).await?;
    Ok(shown(&game))
}

/// Where a game stands in a schedule: the latest first, those without a date last.
type Position = (bool, Reverse<Option<Timestamp>>, GameId);

fn position(game: &Game) -> Position {
    (game.scheduled_start.is_none(), Reverse(game.scheduled_start), game.game_id.clone())
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct Filter {
    status: Option<GameStatus>,
    season_id: Option<SeasonId>,
}

/// `GET /teams/{teamId}/games`: sorted, and in pages of what is sorted. Clients of the first version
/// get all games as an array.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::View).await?;
    let filter: Filter = call.parameters()?;
    let mut games = of_team(app, &team_id).await?;
    games.retain(|game| {
        filter.status.is_none_or(|status| game.status == status)
            && (filter.season_id.is_none() || game.season_id == filter.season_id)
    });
    games.sort_by_cached_key(position);
    let list = format!("games {team_id} {}", json!(filter));
    super::sorted::page(app, call, "games", &list, &games, position, show::game)
}

/// `GET /games`: all of them, for administrators.
pub(crate) async fn list_all(app: &App, call: &Request) -> Result<Reply, Problem> {
    if !policy::is_administrator(call.principal()?) {
        let text = "Only administrators of the platform see all games.";
        return Err(Problem::forbidden("INSUFFICIENT_ROLE", text));
    }
    Everything { name: "games", list: "all games", show: |game: &Game| Some(show::game(game)) }
        .page(app, call)
        .await
}

/// The games of a team that are not about to be deleted, in no order.
///
/// # Errors
/// What the table says.
pub(crate) async fn of_team(app: &App, team_id: &TeamId) -> Result<Vec<Game>, Problem> {
    let mut games = all(app.db.games_of(team_id).skip_unreadable()).await?;
    games.retain(|game| !game.is_deleting());
    Ok(games)
}
