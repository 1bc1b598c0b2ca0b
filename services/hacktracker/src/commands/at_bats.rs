//! Plate appearances: recorded while a game is played, corrected later.
//!
//! Every change of one also changes the version of its game. So two of them never happen at the same
//! state of a game, and what is derived from all of them, the situation and a counted score, is right.

mod correct;
mod play;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use monotable::model::Entity as _;
use monotable_kit::{Call, Problem, Reply, repeat};

pub(crate) use self::correct::{delete, undo, update};
use self::play::Play;
use super::games::scoring;
use super::receipt::shown;
use super::scope::{self, ids, not_on_team, overtaken, unchanged};
use crate::app::App;
use crate::entities::{
    AtBat, Game, GameStatus, GameUpdate, Player, ScoreMode, Team, TeamKey, TeamType,
};
use crate::ids::{AtBatId, GameId, PlayerId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::results::order;
use crate::views::live;
use crate::{announce, logbook, show};

/// Plate appearances of a game at most.
const AT_BATS_MAX: usize = 200;

/// `POST /games/{gameId}/atbats`.
pub(crate) async fn record(app: &App, call: &Call) -> Result<Reply, Problem> {
    let play: Play = call.read()?;
    let game_id: GameId = call.id("gameId")?;
    let turn = app.turn(&game_id).await;
    let reply = repeat(|| attempt(app, call, &game_id, &play)).await?;
    drop(turn);
    announce::game(app, &game_id).await;
    Ok(reply)
}

async fn attempt(app: &App, call: &Call, game_id: &GameId, play: &Play) -> Result<Reply, Problem> {
    let player_id = play.batter()?;
    let game = scope::there(app.db.game(game_id).consistent().await?)?;
    let member = scope::member(app, call, &game, Action::ManageAtBats);
    let at_bats = logbook::at_bats(app, &game);
    let player = async { Ok(app.db.player(&game.team_id, player_id).consistent().await?) };
    let (granted, at_bats, player) = tokio::try_join!(member, at_bats, player)?;
    if game.status != GameStatus::InProgress {
        return Err(not_in_progress());
    }
    let player = player.ok_or_else(|| not_on_team(std::slice::from_ref(player_id)))?;
    let place = place(&granted.team, &game, &player)?;
    if at_bats.len() >= AT_BATS_MAX {
        let text = format!("A game has {AT_BATS_MAX} at-bats at most.");
        return Err(Problem::conflict("LIMIT_REACHED", text).with("limit", AT_BATS_MAX));
    }
    let at_bat = play.recorded(app, &game, &at_bats, &player, place)?;
    let score = scoring::runs(at_bats.iter().chain([&at_bat]));
    let team = TeamKey::new(game.team_id.clone());
    let transaction = app
        .db
        .transact()
        .check(&team, policy::is_active())
        .create(&at_bat)
        .update(counted(&game, score))
        .update(player.count_plate_appearances(1));
    drop(at_bats);
    let left: Arc<Mutex<Option<AtBat>>> = Arc::default();
    let recorded = Arc::clone(&left);
    let reply = move |receipt: &_| {
        shown(receipt, 1, |at_bat: &AtBat| {
            *lock(&recorded) = Some(at_bat.clone());
            Reply::created(&show::at_bat(at_bat)).version(at_bat.ver)
        })
    };
    let reply = call.commit(&app.db, transaction, reply, overtaken).await?;
    if let Some(at_bat) = lock(&left).take().filter(|_| !reply.is_replay()) {
        app.logbook.add(&game, at_bat);
    }
    Ok(reply)
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place in the lineup that a player bats from. A personal team needs no lineup: its owner bats.
///
/// # Errors
/// 409 `LINEUP_REQUIRED`, 400 `PLAYER_NOT_IN_LINEUP`.
fn place(team: &Team, game: &Game, player: &Player) -> Result<usize, Problem> {
    if game.lineup.is_empty() {
        return match team.kind() {
            TeamType::Managed => Err(Problem::conflict("LINEUP_REQUIRED", "Set the lineup first.")),
            TeamType::Personal if player.user_id.as_ref() == Some(&team.owner_id) => Ok(0),
            TeamType::Personal => Err(not_in_lineup(std::slice::from_ref(&player.player_id))),
        };
    }
    let place = game.lineup.iter().position(|id| *id == player.player_id);
    place.ok_or_else(|| not_in_lineup(std::slice::from_ref(&player.player_id)))
}

/// The change of a game's row that goes with a change of its plate appearances: the game must be as it
/// was read, and a score that is counted is set.
fn counted(game: &Game, score: u16) -> GameUpdate {
    let update = Game::update(&game.key()).when(unchanged(game));
    match game.score_mode {
        ScoreMode::Auto => update.team_score(score),
        ScoreMode::Manual => update,
    }
}

/// `GET /games/{gameId}/atbats/{atBatId}`.
pub(crate) async fn get(app: &App, call: &Call) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::View).await?;
    let at_bat_id: AtBatId = call.id("atBatId")?;
    let at_bat = app.db.at_bat(&game.game_id, &at_bat_id).consistent().await?;
    let at_bat = at_bat.ok_or_else(not_found)?;
    Ok(Reply::ok(&show::at_bat(&at_bat)).version(at_bat.ver))
}

/// `GET /games/{gameId}/atbats`: in the order in which they were recorded. Clients of the first version
/// get all of them as an array.
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    let game_id: GameId = call.id("gameId")?;
    let game = scope::there(app.db.game(&game_id).consistent().await?)?;
    let member = scope::member(app, call, &game, Action::View);
    let (_, at_bats) = tokio::try_join!(member, logbook::at_bats(app, &game))?;
    let position = |at_bat: &AtBat| {
        let (time_ms, id) = order(at_bat);
        (time_ms, id.clone())
    };
    let list = format!("at-bats {game_id}");
    super::sorted::page(app, call, "atBats", &list, &at_bats, position, show::at_bat)
}

/// 404 for a plate appearance that is not there.
fn not_found() -> Problem {
    Problem::not_found("ATBAT_NOT_FOUND", "There is no such at-bat.")
}

/// 409 for a game that is not played.
fn not_in_progress() -> Problem {
    let text = "The game is not in progress: start it, or reopen it if it is over.";
    Problem::conflict("GAME_NOT_IN_PROGRESS", text)
}

/// 400 for players who do not bat.
fn not_in_lineup(players: &[PlayerId]) -> Problem {
    let text = "Only players of the lineup bat and score.";
    Problem::invalid("PLAYER_NOT_IN_LINEUP", text).with("playerIds", ids(players))
}

/// The inning and the outs at a point of a game.
fn situation(game: &Game, before: &[AtBat]) -> (u8, u8) {
    let live::Situation { inning, outs, .. } = live::situation(game, before);
    (u8::try_from(inning).unwrap_or(u8::MAX), u8::try_from(outs).unwrap_or_default())
}
