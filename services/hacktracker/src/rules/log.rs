//! Games with their plate appearances. At-bats whose game is missing or being deleted belong to
//! none.

use std::collections::BTreeMap;

use crate::rules::results::sort_by_time;
use crate::table::{AtBat, Game, GameId, PlayerId};

/// A game and its plate appearances, in the order in which they were recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLog {
    /// The game.
    pub game: Game,
    /// What was played, in order.
    pub at_bats: Vec<AtBat>,
}

impl GameLog {
    /// Returns a game and its plate appearances, in any order.
    pub fn new(game: Game, mut at_bats: Vec<AtBat>) -> Self {
        sort_by_time(&mut at_bats);
        Self { game, at_bats }
    }

    /// Returns whether a player batted or scored in it.
    pub fn has(&self, player: &PlayerId) -> bool {
        self.at_bats
            .iter()
            .any(|at_bat| at_bat.player_id == *player || runs(at_bat).contains(player))
    }
}

/// Returns the players who scored on a play.
pub(crate) fn runs(at_bat: &AtBat) -> &[PlayerId] {
    at_bat.runs_scored.as_deref().unwrap_or_default()
}

/// Returns the games with their plate appearances, the first played first. Plate appearances of other games
/// and of games that are being deleted are left out.
pub fn logs(
    games: impl IntoIterator<Item = Game>,
    at_bats: impl IntoIterator<Item = AtBat>,
) -> Vec<GameLog> {
    let living = games.into_iter().filter(|game| !game.is_deleting());
    let mut played: BTreeMap<GameId, (Game, Vec<AtBat>)> =
        living.map(|game| (game.game_id.clone(), (game, Vec::new()))).collect();
    for at_bat in at_bats {
        if let Some((_, plays)) = played.get_mut(&at_bat.game_id) {
            plays.push(at_bat);
        }
    }
    let logs = played.into_values().map(|(game, plays)| GameLog::new(game, plays));
    let mut logs: Vec<GameLog> = logs.collect();
    logs.sort_by(|one, other| one.game.order().cmp(&other.game.order()));
    logs
}
