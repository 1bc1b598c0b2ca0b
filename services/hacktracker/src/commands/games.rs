//! Games: new ones, one, and the schedule of a team.

mod active;
mod change;
mod fields;
pub(crate) mod lineup;
pub(crate) mod scoring;
pub(crate) mod season_places;

use std::cmp::Reverse;

use monotable::model::time::Timestamp;
use monotable_kit::{Call, Problem, Reply, repeat};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) use self::active::give_up_place;
use self::active::{BUSY, place, running};
pub(crate) use self::change::change;
use self::change::{in_season, known, ready, told};
use self::fields::GameFields;
use super::receipt::shown;
use super::scope::{self, all};
use super::{paging, users};
use crate::app::App;
use crate::entities::{Game, GameStatus, Role, ScoreMode, TeamKey, TeamType};
use crate::ids::{GameId, SeasonId, TeamId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::show;

/// The name of the personal team that games go to whose team is not said.
const DEFAULT_TEAM: &str = "Default";

/// `POST /games`.
pub(crate) async fn create(app: &App, call: &Call) -> Result<Reply, Problem> {
    let fields: GameFields = call.read()?;
    let team_id = match &fields.team_id {
        Some(team_id) => team_id.clone(),
        None => default_team(app, call).await?,
    };
    repeat(|| create_in(app, call, &fields, &team_id)).await
}

async fn default_team(app: &App, call: &Call) -> Result<TeamId, Problem> {
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
    call: &Call,
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
    let team = TeamKey::new(team_id.clone());
    let transaction = app.db.transact().check(&team, policy::is_active()).create(&game);
    let transaction = match is_started {
        true => transaction.create(&place(&game)),
        false => transaction,
    };
    let players =
        lineup::Change { before: &[], after: lineup::counted(&game), playing: &game.lineup };
    let transaction = in_season(players.add_to(transaction, team_id), &game);
    let reply = |receipt: &_| {
        shown(receipt, 1, |game: &Game| Reply::created(&show::game(game)).version(game.ver))
    };
    match call.commit(&app.db, transaction, reply, known).await {
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
    let mut game = Game {
        game_id: app.new_id()?,
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
        score_mode: ScoreMode::Manual,
        started_at: (status == GameStatus::InProgress).then_some(now),
        finished_at: (status == GameStatus::Final).then_some(now),
        deleting: None,
        created_at: now,
        updated_at: now,
        ver: 0,
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
pub(crate) async fn get(app: &App, call: &Call) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::View).await?;
    Ok(told(&game))
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
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
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
pub(crate) async fn list_all(app: &App, call: &Call) -> Result<Reply, Problem> {
    if !policy::is_administrator(call.principal()?) {
        let text = "Only administrators of the platform see all games.";
        return Err(Problem::forbidden("INSUFFICIENT_ROLE", text));
    }
    let asked = call.page();
    let rows = app.db.games().take(asked.limit);
    let page = paging::from(asked.next_token.as_ref(), rows).page().await?;
    Ok(Reply::page("games", page.rows.iter().map(show::game), page.next.as_ref()))
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
