//! One player of a team: statistics of all games and of the last ones, and where the balls went.

use monotable::model::time::Timestamp;
use monotable_kit::{View, Words as _};

use super::batting::{BattingLine, line_of, total};
use super::log::GameLog;
use super::scope::Scope;
use crate::table::{AtBat, AtBatId, GameId, HitLocation, PlayerId};

/// The card of a player.
#[derive(Clone, Debug, PartialEq, View)]
pub struct PlayerCard {
    /// The player.
    #[view(example = "p1")]
    pub player_id: PlayerId,
    /// The games in which the player batted or scored.
    #[view(example = 3)]
    pub games: u64,
    /// All games of the scope.
    pub totals: BattingLine,
    /// The last games, the most recent first.
    pub trend: Vec<Outing>,
    /// The sum of the last games.
    pub trend_totals: BattingLine,
}

/// A player's part in a game.
#[derive(Clone, Debug, PartialEq, View)]
pub struct Outing {
    /// The game.
    #[view(example = "g1")]
    pub game_id: GameId,
    /// When it was played.
    #[view(example = "2026-06-01T18:30:00.000Z")]
    pub played_at: Timestamp,
    /// The opponent.
    pub opponent_name: Option<String>,
    /// The figures.
    pub line: BattingLine,
}

/// Where a ball went.
#[derive(Clone, Debug, PartialEq, View)]
#[view(list = "points")]
pub struct SprayPoint {
    /// The game.
    #[view(example = "g1")]
    pub game_id: GameId,
    /// The plate appearance.
    #[view(example = "a1")]
    pub at_bat_id: AtBatId,
    /// From the left, 0 to 1.
    #[view(example = 0.25)]
    pub x: f64,
    /// From the top, 0 to 1.
    #[view(example = 0.5)]
    pub y: f64,
    /// The result.
    #[view(example = "1B")]
    pub result: String,
    /// The hit type.
    pub hit_type: Option<&'static str>,
}

/// Returns the card of a player over the games of a scope, with the last games separately.
pub fn player_card(logs: &[GameLog], player: &PlayerId, scope: &Scope, last: usize) -> PlayerCard {
    let mut outings: Vec<Outing> =
        played(logs, player, scope).map(|log| outing(log, player)).collect();
    outings.sort_by(|one, other| {
        (other.played_at, &other.game_id).cmp(&(one.played_at, &one.game_id))
    });
    let games = outings.len() as u64;
    let totals = total(outings.iter().map(|outing| &outing.line));
    outings.truncate(last);
    let trend_totals = total(outings.iter().map(|outing| &outing.line));
    PlayerCard { player_id: player.clone(), games, totals, trend: outings, trend_totals }
}

/// Returns where the balls of a player went, over the games of a scope. Unknown results are left out.
pub fn spray(logs: &[GameLog], player: &PlayerId, scope: &Scope) -> Vec<SprayPoint> {
    played(logs, player, scope)
        .flat_map(|log| &log.at_bats)
        .filter(|at_bat| at_bat.player_id == *player)
        .filter_map(point)
        .collect()
}

fn played<'a>(
    logs: &'a [GameLog],
    player: &PlayerId,
    scope: &Scope,
) -> impl Iterator<Item = &'a GameLog> {
    logs.iter().filter(move |log| scope.has(&log.game) && log.has(player))
}

fn outing(log: &GameLog, player: &PlayerId) -> Outing {
    Outing {
        game_id: log.game.game_id.clone(),
        played_at: log.game.played_at(),
        opponent_name: log.game.opponent_name.clone(),
        line: line_of(player, &log.at_bats),
    }
}

fn point(at_bat: &AtBat) -> Option<SprayPoint> {
    let HitLocation { x, y } = at_bat.hit_location?;
    Some(SprayPoint {
        game_id: at_bat.game_id.clone(),
        at_bat_id: at_bat.at_bat_id.clone(),
        x,
        y,
        result: at_bat.outcome()?.word().to_owned(),
        hit_type: at_bat.ball().map(|ball| ball.word()),
    })
}
