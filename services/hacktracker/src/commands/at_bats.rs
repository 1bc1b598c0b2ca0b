//! Plate appearances: recorded while a game is played, corrected later.
//!
//! Every change of one also changes the version of its game. So two of them never happen at the same
//! state of a game, and what is derived from all of them, the situation and a counted score, is right.

mod correct;
mod insert;
mod play;

use monotable::model::{Entity as _, create};
use monotable_kit::{Problem, Reply, Request, repeat};

pub(crate) use self::correct::{delete, end_inning, undo, update};
use self::play::{Play, Turn};
use super::games::scoring;
use super::scope::{self, ids, not_on_team};
use crate::app::App;
use crate::entities::{
    AtBat, Audit, Game, GameStatus, GameUpdate, Player, ScoreMode, Team, TeamType,
};
use crate::ids::{AtBatId, GameId, PlayerId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::results::order;
use crate::views::count::{Count, replayed};
use crate::{announce, audit, logbook, show};

/// Plate appearances of a game at most.
const AT_BATS_MAX: usize = 200;

/// `POST /games/{gameId}/atbats`.
pub(crate) async fn record(app: &App, call: &Request) -> Result<Reply, Problem> {
    let play: Play = call.read()?;
    let game_id: GameId = call.id("gameId")?;
    let turn = app.turn(&game_id).await;
    let reply = repeat(|| attempt(app, call, &game_id, &play)).await?;
    drop(turn);
    announce::game(app, &game_id).await;
    Ok(reply)
}

async fn attempt(
    app: &App,
    call: &Request,
    game_id: &GameId,
    play: &Play,
) -> Result<Reply, Problem> {
    let player_id = play.batter()?;
    let game = scope::there(app.db.game(game_id).consistent().await?)?;
    let member = scope::member(app, call, &game, Action::ManageAtBats);
    let at_bats = logbook::at_bats(app, &game);
    let player = async { Ok(app.db.player(&game.team_id, player_id).consistent().await?) };
    let (granted, at_bats, player) = tokio::try_join!(member, at_bats, player)?;
    match (game.status, play.before()) {
        (GameStatus::InProgress, _) => {}
        (GameStatus::Final, Some(_)) => granted.allow(Action::CorrectFinal)?,
        _ => return Err(not_in_progress()),
    }
    let player = player.ok_or_else(|| not_on_team(std::slice::from_ref(player_id)))?;
    if at_bats.len() >= AT_BATS_MAX {
        let text = format!("A game has {AT_BATS_MAX} at-bats at most.");
        return Err(Problem::conflict("LIMIT_REACHED", text).with("limit", AT_BATS_MAX));
    }
    let at_bat = recorded(app, &granted.team, &game, &at_bats, &player, play)?;
    let score = scoring::runs(at_bats.iter().chain([&at_bat]));
    let entry = audited(app, call, &game, "insertAtBat", &at_bat)?
        .map(|entry| entry.is("result", at_bat.result.as_str()));
    // The logbook need not copy them if nobody else reads them.
    drop(at_bats);
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&game.team_id));
    let at_bat = tx.add(create(at_bat));
    tx.add(counted(&game, score));
    tx.add(player.count_plate_appearances(1));
    if let Some(entry) = entry {
        tx.add(create(entry));
    }
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .after(|done| app.logbook.add(&game, done[at_bat].clone()))
        .reply(move |done| {
            let at_bat = &done[at_bat];
            Reply::created(&show::at_bat(at_bat)).version(at_bat.stamps.version)
        })
        .await
}

/// The plate appearance that a request describes: behind all others, or in front of the one that it
/// names. What is inserted may be of players who were taken out of the lineup since.
///
/// # Errors
/// 404 for another that is not there, and what breaks the rules.
fn recorded(
    app: &App,
    team: &Team,
    game: &Game,
    at_bats: &[AtBat],
    player: &Player,
    play: &Play,
) -> Result<AtBat, Problem> {
    let (index, known) = match play.before() {
        Some(id) => (position(at_bats, id)?, at_bats),
        None => (at_bats.len(), &[] as _),
    };
    let batting_order = place(team, game, player, known)?;
    let mut scorers = scorers(game, known);
    scorers.push(player.player_id.clone());
    let turn = Turn {
        batter: &player.player_id,
        batting_order,
        before: &at_bats[..index],
        behind: at_bats.get(index),
        scorers: &scorers,
    };
    play.recorded(app, game, &turn)
}

/// The place of a plate appearance in the order of its game.
///
/// # Errors
/// 404 if it is not there.
fn position(at_bats: &[AtBat], id: &AtBatId) -> Result<usize, Problem> {
    at_bats.iter().position(|at_bat| at_bat.at_bat_id == *id).ok_or_else(not_found)
}

/// The place in the lineup that a player bats from, from 1: the present one, or the last one of those
/// who are in the lineup no more and have batted. A personal team needs no lineup: its owner bats.
///
/// # Errors
/// 409 `LINEUP_REQUIRED`, 400 `PLAYER_NOT_IN_LINEUP`.
fn place(team: &Team, game: &Game, player: &Player, at_bats: &[AtBat]) -> Result<u8, Problem> {
    let nowhere = || not_in_lineup(std::slice::from_ref(&player.player_id));
    if game.lineup.is_empty() {
        return match team.kind() {
            TeamType::Managed => Err(Problem::conflict("LINEUP_REQUIRED", "Set the lineup first.")),
            TeamType::Personal if player.user_id.as_ref() == Some(&team.owner_id) => Ok(1),
            TeamType::Personal => Err(nowhere()),
        };
    }
    if let Some(place) = game.lineup.iter().position(|id| *id == player.player_id) {
        return Ok(u8::try_from(place + 1).unwrap_or(u8::MAX));
    }
    let last = at_bats.iter().rev().find(|at_bat| at_bat.player_id == player.player_id);
    last.map(|at_bat| at_bat.batting_order).ok_or_else(nowhere)
}

/// Who can have scored in a game: its lineup, and everybody of whom it was recorded under another one.
fn scorers(game: &Game, at_bats: &[AtBat]) -> Vec<PlayerId> {
    let recorded = at_bats.iter().flat_map(|at_bat| {
        std::iter::once(&at_bat.player_id).chain(at_bat.runs_scored.iter().flatten())
    });
    game.lineup.iter().chain(recorded).cloned().collect()
}

/// The line of the audit that a change of a final game leaves.
fn audited(
    app: &App,
    call: &Request,
    game: &Game,
    action: &str,
    at_bat: &AtBat,
) -> Result<Option<Audit>, Problem> {
    if game.status != GameStatus::Final {
        return Ok(None);
    }
    let entity = format!("GAME#{}/ATBAT#{}", game.game_id, at_bat.at_bat_id);
    audit::entry(app, call, &game.team_id, action, entity).map(Some)
}

/// The change of a game's row that goes with a change of its plate appearances: the game must be as it
/// was read, and a score that is counted is set.
fn counted(game: &Game, score: u16) -> GameUpdate {
    let update = Game::update(&game.key()).when(game.unchanged());
    match game.score_mode {
        ScoreMode::Auto => update.team_score(score),
        ScoreMode::Manual => update,
    }
}

/// `GET /games/{gameId}/atbats/{atBatId}`: where the replay of the game says. The version is that of the
/// row, so that it is left out if the at-bat is somewhere else than its row says.
pub(crate) async fn get(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    let index = position(&at_bats, &call.id("atBatId")?)?;
    let at_bat = &replayed(&game, &at_bats)[index];
    let reply = Reply::ok(&show::at_bat(at_bat));
    Ok(if *at_bat == at_bats[index] { reply.version(at_bat.stamps.version) } else { reply })
}

/// `GET /games/{gameId}/atbats`: in the order in which they were played. Clients of the first version
/// get all of them as an array.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let game_id: GameId = call.id("gameId")?;
    let game = scope::there(app.db.game(&game_id).consistent().await?)?;
    let member = scope::member(app, call, &game, Action::View);
    let (_, at_bats) = tokio::try_join!(member, logbook::at_bats(app, &game))?;
    let at_bats = replayed(&game, &at_bats);
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

/// The count after plate appearances.
fn count(game: &Game, before: &[AtBat]) -> Count {
    before.iter().fold(Count::default(), |count, at_bat| count.after(game, at_bat))
}
