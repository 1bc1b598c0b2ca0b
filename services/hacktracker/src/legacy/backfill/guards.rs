//! Guards that older programs did not write: of a team's game in progress, and of numbers.

use monotable::model::{Result, Store, create, edit};

use super::{ATTEMPTS_MAX, Conflict, Found, Report, was_changed};
use crate::table::{
    ActiveGame, Game, GameId, GameKey, GameStatus, HackTracker, HackTrackerReads, JerseyNumber,
    PlayerId, TeamId,
};

/// Guards the game in progress of every team: of several, the one that was changed last.
pub(super) async fn active_games(
    db: &Store<HackTracker>,
    found: &Found,
    report: &mut Report,
) -> Result<()> {
    for team_id in &found.teams {
        let games = found.games_in_progress.get(team_id);
        let games: Vec<GameId> = games.into_iter().flatten().cloned().collect();
        active_game(db, team_id, &games, report).await?;
    }
    Ok(())
}

async fn active_game(
    db: &Store<HackTracker>,
    team_id: &TeamId,
    games: &[GameId],
    report: &mut Report,
) -> Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        let guard = db.active_game(team_id).await?;
        let playing = playing(db, games).await?;
        let Some(guard) = guard else {
            let Some(last) = playing.iter().max_by_key(|game| (game.stamps.updated, &game.game_id))
            else {
                return Ok(());
            };
            let guard = ActiveGame { team_id: team_id.clone(), game_id: last.game_id.clone() };
            match db.transact().with(create(guard)).with(edit(last, |_| {})).await {
                Ok(_) => report.active_games += 1,
                Err(error) if was_changed(&error) => {}
                Err(error) => return Err(error),
            }
            // Once more, to see what the guard leaves out.
            continue;
        };
        return compare(db, guard, &playing, report).await;
    }
    report.conflicts.push(Conflict::Busy { row: format!("TEAM#{team_id} / ACTIVE_GAME") });
    Ok(())
}

/// Tells what the guard of a team says otherwise than its games.
async fn compare(
    db: &Store<HackTracker>,
    guard: ActiveGame,
    playing: &[Game],
    report: &mut Report,
) -> Result<()> {
    let ActiveGame { team_id, game_id: active } = guard;
    for game in playing.iter().filter(|game| game.game_id != active) {
        report.conflicts.push(Conflict::SecondGameInProgress {
            team_id: team_id.clone(),
            game_id: game.game_id.clone(),
            active: active.clone(),
        });
    }
    let guarded = db.game(&active).consistent().await?;
    if guarded.is_none_or(|game| game.status != GameStatus::InProgress) {
        // Somebody may have finished it between the two reads: then the guard is gone, too.
        let guard = db.active_game(&team_id).await?;
        if guard.is_some_and(|guard| guard.game_id == active) {
            report.conflicts.push(Conflict::IdleGuard { team_id, game_id: active });
        }
    }
    Ok(())
}

/// Those of the games that are still in progress.
async fn playing(db: &Store<HackTracker>, games: &[GameId]) -> Result<Vec<Game>> {
    let keys: Vec<GameKey> = games.iter().cloned().map(GameKey::new).collect();
    let rows = db.games_by_key(&keys).consistent().await?;
    let playing = rows.into_iter().flatten();
    Ok(playing
        .filter(|game| game.status == GameStatus::InProgress && !game.is_deleting())
        .collect())
}

/// Guards every number that one player of a team wears.
pub(super) async fn numbers(
    db: &Store<HackTracker>,
    found: &Found,
    report: &mut Report,
) -> Result<()> {
    for ((team_id, number), wearers) in &found.numbers {
        let wearers: Vec<PlayerId> = wearers.iter().cloned().collect();
        match wearers.as_slice() {
            [player_id] => wearer(db, team_id, *number, player_id, report).await?,
            _ => report.conflicts.push(Conflict::NumberTwice {
                team_id: team_id.clone(),
                number: *number,
                players: wearers,
            }),
        }
    }
    Ok(())
}

async fn wearer(
    db: &Store<HackTracker>,
    team_id: &TeamId,
    number: u8,
    player_id: &PlayerId,
    report: &mut Report,
) -> Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        let player = db.player(team_id, player_id).consistent().await?;
        let Some(player) = player.filter(|player| player.wears_number() == Some(number)) else {
            return Ok(());
        };
        match db.number(team_id, number).await? {
            Some(guard) if guard.player_id == *player_id => return Ok(()),
            Some(guard) => {
                report.conflicts.push(Conflict::NumberTwice {
                    team_id: team_id.clone(),
                    number,
                    players: vec![guard.player_id, player_id.clone()],
                });
                return Ok(());
            }
            None => {}
        }
        let (team_id, player_id) = (team_id.clone(), player_id.clone());
        let guard = JerseyNumber { team_id, number, player_id };
        match db.transact().with(create(guard)).with(edit(&player, |_| {})).await {
            Ok(_) => {
                report.numbers += 1;
                return Ok(());
            }
            Err(error) if was_changed(&error) => {}
            Err(error) => return Err(error),
        }
    }
    report.conflicts.push(Conflict::Busy { row: format!("TEAM#{team_id} / NUMBER#{number:02}") });
    Ok(())
}
