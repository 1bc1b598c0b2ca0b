//! The batting order, and the players who can score.

use monotable_kit::{Problem, Refuse as _};
use serde_json::json;

use crate::refusal::Refusal;
use crate::table::{AtBat, AtBatId, Game, Player, PlayerId, Team, TeamType};

/// Returns the index of an at-bat in the order of its game.
///
/// # Errors
/// Returns 404 if it is not there.
pub(crate) fn position(at_bats: &[AtBat], id: &AtBatId) -> Result<usize, Problem> {
    let index = at_bats.iter().position(|at_bat| at_bat.at_bat_id == *id);
    index.ok_or_else(|| Refusal::AtBatNotFound.into())
}

/// Returns the place in the lineup that a player bats from, from 1: the current one, or the last
/// one of players who have batted and left the lineup. A personal team needs no lineup: its owner
/// bats.
///
/// # Errors
/// Returns 409 `LINEUP_REQUIRED`, 400 `PLAYER_NOT_IN_LINEUP`.
pub(crate) fn place(
    team: &Team,
    game: &Game,
    player: &Player,
    at_bats: &[AtBat],
) -> Result<u8, Problem> {
    let nowhere = || not_in_lineup(std::slice::from_ref(&player.player_id));
    if game.lineup.is_empty() {
        return match team.kind() {
            TeamType::Managed => Err(Refusal::LineupRequired.into()),
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

/// Returns the players who can have scored in a game: its lineup, and everyone who batted or scored
/// under another one.
pub(crate) fn scorers(game: &Game, at_bats: &[AtBat]) -> Vec<PlayerId> {
    let recorded = at_bats.iter().flat_map(|at_bat| {
        std::iter::once(&at_bat.player_id).chain(at_bat.runs_scored.iter().flatten())
    });
    game.lineup.iter().chain(recorded).cloned().collect()
}

/// Creates the 400 for players who do not bat.
pub(crate) fn not_in_lineup(players: &[PlayerId]) -> Problem {
    Refusal::PlayerNotInLineup.with("playerIds", json!(players))
}
