//! Games, and their rows besides plays: availability, links, the active game.

use monotable::prelude::*;
use monotable_kit::Words;

use crate::table::{GameId, ListShard, PlayerId, SeasonId, ShareId, Stamps, TeamId, Times, UserId};

/// A game of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
#[index(GSI2: pk = "ENTITY#GAME{list_shard}", sk = "METADATA#{game_id}")]
#[index(GSI3: pk = "TEAM#{team_id}", sk = "GAME#{game_id}")]
pub struct Game {
    /// The game.
    pub game_id: GameId,
    /// The team that plays it.
    #[immutable]
    pub team_id: TeamId,
    /// Its status.
    pub status: GameStatus,
    /// The time of its start.
    pub scheduled_start: Option<Timestamp>,
    /// The name of the opponent.
    pub opponent_name: Option<String>,
    /// The place.
    pub location: Option<String>,
    /// The season that it counts for.
    pub season_id: Option<SeasonId>,
    /// The team's runs.
    #[serde(default)]
    pub team_score: u16,
    /// The opponent's runs.
    #[serde(default)]
    pub opponent_score: u16,
    /// Player ids in batting order. Old rows have objects with an order each.
    #[serde(default, deserialize_with = "crate::legacy::lineup")]
    pub lineup: Vec<PlayerId>,
    /// Whether the lineup was changed after the game had started: then the next batter follows from
    /// the last batter, not from the number of plate appearances.
    pub lineup_changed: Option<bool>,
    /// Whether the players of the lineup have it counted in their rows. Older programs did not.
    pub lineup_counted: Option<bool>,
    /// The number of planned innings: see [`Game::planned_innings`].
    pub innings: Option<u8>,
    /// The number of runs that ends an inning of the team, if there is such a limit.
    pub inning_run_limit: Option<u8>,
    /// The source of the team's score.
    #[serde(default)]
    pub score_mode: ScoreMode,
    /// The time when it was started.
    pub started_at: Option<Timestamp>,
    /// The time when it was finished.
    pub finished_at: Option<Timestamp>,
    /// Set while the rows of the game are being deleted.
    pub deleting: Option<bool>,
    /// The part of the list of all games: see [`ListShard`].
    #[immutable]
    #[serde(default)]
    pub list_shard: ListShard,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

impl Game {
    /// Returns the number of planned innings, 7 by default.
    pub fn planned_innings(&self) -> u8 {
        self.innings.unwrap_or(7)
    }

    /// Returns whether the rows of the game are being deleted; then the game does not count any
    /// more.
    pub fn is_deleting(&self) -> bool {
        self.deleting == Some(true)
    }
}

/// The status of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GameStatus {
    /// It is on the schedule.
    #[serde(alias = "scheduled")]
    Scheduled,
    /// It is being played.
    #[serde(alias = "in_progress")]
    InProgress,
    /// It is over, and counts.
    #[serde(alias = "final")]
    Final,
    /// It was postponed, or suspended. Unknown values are read as this one.
    #[serde(alias = "postponed", other)]
    Postponed,
}

/// The source of the team's score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum ScoreMode {
    /// The recorded runs.
    Auto,
    /// The scorekeeper. Unknown values are read as this one.
    #[default]
    #[serde(other)]
    Manual,
}

/// The game that a team is playing: there is at most one.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(rule = ActiveGameGuard)]
#[key(pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
pub struct ActiveGame {
    /// The team.
    pub team_id: TeamId,
    /// The game.
    pub game_id: GameId,
}

/// The guard of the game that a team is playing.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME", value = gameId)]
pub struct ActiveGameGuard {
    /// The team.
    pub team_id: TeamId,
}

/// The reply of a player about a game.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(allow(W01, because = "the last answer counts, whatever was said before"))]
#[key(pk = "GAME#{game_id}", sk = "RSVP#{player_id}")]
pub struct Availability {
    /// The game.
    pub game_id: GameId,
    /// The player.
    pub player_id: PlayerId,
    /// The reply.
    pub answer: Answer,
    /// The user who replied.
    pub answered_by: UserId,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Times,
}

/// Whether a player is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Comes.
    Yes,
    /// Does not come.
    No,
    /// Undecided. Unknown values are read as this one.
    #[serde(other)]
    Maybe,
}

/// A link to follow a game without signing in. Only the hash of its secret is stored.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "GAME#{game_id}", sk = "SHARE#{share_id}")]
pub struct Share {
    /// The game.
    pub game_id: GameId,
    /// The link.
    pub share_id: ShareId,
    /// The team that plays the game.
    pub team_id: TeamId,
    /// The hash of its secret.
    pub token_hash: String,
    /// The user who created the link.
    pub created_by: UserId,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}
