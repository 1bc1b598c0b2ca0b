//! The state of a game, and times without pauses.

use monotable::model::time::Timestamp;
use monotable_kit::Words;
use serde::{Deserialize, Serialize};

use crate::table::{DashboardControl, Game, GameStatus, TeamLevel};

/// What a game is doing. It follows from the row of the game, its clock and the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum GameState {
    /// Its rows are being written.
    Provisioning,
    /// It has not started.
    Ready,
    /// It is played.
    Live,
    /// Its clock stands still.
    Paused,
    /// It is over.
    Ended,
    /// It is over, and personal data was removed.
    Archived,
}

impl GameState {
    /// Returns the state of a game. Rows of older programs have no status: a game with a winner is over.
    pub fn of(game: &Game, control: Option<&DashboardControl>, now: Timestamp) -> Self {
        match game.status {
            Some(GameStatus::Provisioning) => return Self::Provisioning,
            Some(GameStatus::Ended) => return Self::Ended,
            Some(GameStatus::Archived) => return Self::Archived,
            None if game.winner_team_id.is_some() => return Self::Ended,
            Some(GameStatus::Ready) | None => {}
        }
        if game.ends_at.is_some_and(|end| end <= now) {
            return Self::Ended;
        }
        match control {
            Some(DashboardControl { started_at: Some(_), paused_at: None, .. }) => Self::Live,
            Some(DashboardControl { started_at: Some(_), .. }) => Self::Paused,
            _ => Self::Ready,
        }
    }

    /// Returns whether the game is over.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Ended | Self::Archived)
    }
}

/// Returns when a game ended: by an organiser, or by its own time.
pub fn ended_at(game: &Game, now: Timestamp) -> Option<Timestamp> {
    game.ended_at.or_else(|| game.ends_at.filter(|end| *end <= now))
}

/// Returns how long the clock has been paused until now.
fn paused_ms(control: &DashboardControl, now: Timestamp) -> u64 {
    control.total_paused_ms + control.paused_at.map_or(0, |paused_at| ms(paused_at, now))
}

/// Returns the time from one moment to another, in milliseconds; none if the order is wrong.
fn ms(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.as_ms().saturating_sub(from.as_ms())).unwrap_or(0)
}

/// Returns the time since the start of the clock, without pauses.
pub fn elapsed_ms(control: &DashboardControl, now: Timestamp) -> Option<u64> {
    let started_at = control.started_at?;
    Some(ms(started_at, now).saturating_sub(paused_ms(control, now)))
}

/// Returns how long a team has been at a level, without pauses. Time before the clock was started does not count: it
/// may have been reset meanwhile.
pub fn on_level_ms(
    level: &TeamLevel,
    control: Option<&DashboardControl>,
    now: Timestamp,
) -> Option<u64> {
    let arrived_at = level.started_at?;
    let Some(control) = control else { return Some(ms(arrived_at, now)) };
    let clock_started = control.started_at.unwrap_or(arrived_at);
    let (started_at, paused_before) = if arrived_at < clock_started {
        (clock_started, 0)
    } else {
        (arrived_at, level.paused_ms_at_start.unwrap_or(0))
    };
    let paused = control.total_paused_ms.saturating_sub(paused_before)
        + control.paused_at.map_or(0, |paused_at| ms(paused_at.max(started_at), now));
    Some(ms(started_at, now).saturating_sub(paused))
}
