//! How far a team is: what its route says.

use monotable_kit::Words;
use serde::{Deserialize, Serialize};

use crate::table::{Game, GameId, Tally, TeamId, TeamLevel};

/// The route of a team, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route(Vec<TeamLevel>);

/// How a hunt ended for a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum EndScreen {
    /// It was the first.
    Win,
    /// It has cleared its last level.
    Finish,
}

impl Route {
    /// Returns the route of these rows, whatever order they come in.
    pub fn new(mut levels: Vec<TeamLevel>) -> Self {
        levels
            .sort_by(|one, other| (one.index, &one.level_id).cmp(&(other.index, &other.level_id)));
        Self(levels)
    }

    /// Returns its levels.
    pub fn levels(&self) -> &[TeamLevel] {
        &self.0
    }

    /// Returns where the team is going: the first level that it has not completed.
    pub fn current(&self) -> Option<&TeamLevel> {
        self.0.iter().find(|level| level.completed_at.is_none())
    }

    /// Returns the level that follows the current one.
    pub fn next(&self) -> Option<&TeamLevel> {
        self.0.iter().filter(|level| level.completed_at.is_none()).nth(1)
    }

    /// Returns whether the team has completed all of its levels.
    pub fn is_complete(&self) -> bool {
        !self.0.is_empty() && self.current().is_none()
    }

    /// Returns how many levels it has completed.
    pub fn completed(&self) -> usize {
        self.0.iter().filter(|level| level.completed_at.is_some()).count()
    }

    /// Returns the level that the team completed last.
    pub fn last_completed(&self) -> Option<&TeamLevel> {
        let completed = self.0.iter().filter(|level| level.completed_at.is_some());
        completed.max_by_key(|level| (level.completed_at, level.index))
    }

    /// Returns the level that the team completed last, if it still has to photograph it.
    pub fn awaiting_photo(&self) -> Option<&TeamLevel> {
        let last = self.last_completed()?;
        Some(last).filter(|last| last.photo_id.is_none() && last.skipped != Some(true))
    }

    /// Returns the game of the team, if a row names it.
    pub fn game_id(&self) -> Option<&GameId> {
        self.0.iter().find_map(|level| level.game_id.as_ref())
    }

    /// Returns the route with one level replaced.
    #[must_use]
    pub fn with(&self, level: TeamLevel) -> Self {
        let replaced = |old: &TeamLevel| {
            if old.level_id == level.level_id { level.clone() } else { old.clone() }
        };
        Self(self.0.iter().map(replaced).collect())
    }

    /// Returns what the route adds up to.
    pub fn tally(&self) -> Tally {
        let completed = || self.0.iter().filter(|level| level.completed_at.is_some());
        let last = self.last_completed();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Tally {
            levels: count(self.0.len()),
            completed: count(completed().count()),
            points: completed().filter_map(|level| level.points).sum(),
            clues: self.0.iter().map(|level| level.hints_used).sum(),
            maps: count(self.0.iter().filter(|level| level.map_at.is_some()).count()),
            last_completed_at: last.and_then(|level| level.completed_at),
            elapsed_ms: last.and_then(|level| level.elapsed_ms),
        }
    }
}

/// Returns how the hunt ended for a team, once it has completed its route.
pub fn end_screen(game: &Game, team_id: &TeamId, route: &Route) -> Option<EndScreen> {
    let has_won = game.winner_team_id.as_ref() == Some(team_id);
    route.is_complete().then_some(if has_won { EndScreen::Win } else { EndScreen::Finish })
}
