//! Games: their teams, line-ups, clocks, goals and results.

use std::collections::BTreeMap;

use monotable::prelude::*;
use monotable_kit::{FieldType, Words};

use crate::table::{
    AuditId, EventId, GameId, JoinCode, LeagueId, PlayerId, SeasonId, SessionId, Stamps, StartTime,
    TeamId, UserId,
};

envelope! {
    /// A game. Its status is a separate attribute, so that conditions can see it.
    #[entity(type = "game", codec = envelope("data"))]
    #[key(pk = "GAME#{game_id}", sk = "METADATA")]
    #[mirror(SessionGame)]
    pub struct Game {
        pub game_id: GameId,
        pub league_id: LeagueId,
        pub season_id: SeasonId,
        pub session_id: SessionId,
        #[top]
        pub status: GameStatus,
        pub game_start_ts: StartTime,
        pub location: Option<String>,
        /// The length of its thirds. Older programs did not write it.
        pub third_length_minutes: Option<u8>,
        /// The three teams.
        #[serde(default)]
        pub team_ids: Vec<TeamId>,
        /// The teams as they were called when the game was made.
        #[serde(default)]
        pub teams: Vec<TeamSnapshot>,
        /// The thirds that have begun, in order.
        #[serde(default)]
        pub thirds: Vec<Third>,
        /// Goals so far, of each team.
        #[serde(default)]
        pub tallies: Vec<Tally>,
        /// Counts changes of goals and line-ups, so that each of them makes a new version of the game.
        #[serde(default)]
        pub changes: u64,
        /// Absent until the game is finished.
        pub result: Option<GameResult>,
        pub finished_at: Option<Timestamp>,
        /// Whether everybody can see it.
        #[serde(default = "visible")]
        pub public_visible: bool,
    }
}

fn visible() -> bool {
    true
}

impl Game {
    /// Returns when it starts.
    pub fn starts_at(&self) -> Timestamp {
        self.game_start_ts.instant()
    }
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum GameStatus {
    /// It has not begun.
    Scheduled,
    /// It is played.
    Live,
    /// It is over.
    Finished,
    /// It was deleted; its last rows follow.
    Deleting,
}

/// A team as it is called in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase")]
pub struct TeamSnapshot {
    /// The team.
    pub team_id: TeamId,
    /// Its name.
    #[field(example = "Red")]
    pub name: String,
    /// `#RRGGBB`, or the name of a colour in CSS.
    #[field(example = "red")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// The clock of a third.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase")]
pub struct Third {
    /// 1, 2 or 3.
    #[field(range = 1..=3, example = 1)]
    pub n: u8,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; absent while it is running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
}

/// The goals of a team, by third.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// The team.
    pub team_id: TeamId,
    /// Goals scored in each third.
    pub scored: Vec<u16>,
    /// Goals conceded in each third.
    pub conceded: Vec<u16>,
}

/// How a game ended, with everything that tables of a season are made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameResult {
    /// Absent after a draw.
    pub winner_team_id: Option<TeamId>,
    /// All three teams.
    pub teams: Vec<TeamResult>,
    /// The players of the line-ups, and anyone else who scored or assisted.
    #[serde(default)]
    pub players: Vec<PlayerLine>,
    /// Who assisted whom.
    #[serde(default)]
    pub assists: Vec<AssistCount>,
    /// Who scored against whom.
    #[serde(default)]
    pub goals_between: Vec<GoalsBetween>,
    /// The start of the game when it was finished: the appearances of its players are listed under it.
    pub listed_start: Option<StartTime>,
}

/// What a player did in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerLine {
    /// The player.
    pub player_id: PlayerId,
    /// The team; absent for a player who is in no line-up.
    pub team_id: Option<TeamId>,
    /// Goals without own goals.
    pub goals: u16,
    /// Own goals.
    pub own_goals: u16,
    /// Assists.
    pub assists: u16,
}

/// How often a player assisted another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssistCount {
    /// The player who assisted.
    pub from: PlayerId,
    /// The player who scored.
    pub to: PlayerId,
    /// How often.
    pub count: u16,
}

/// How often a team scored against another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoalsBetween {
    /// The team that scored.
    pub scoring_team_id: TeamId,
    /// The team that conceded.
    pub conceding_team_id: TeamId,
    /// How often.
    pub goals: u16,
}

/// How a game ended for a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase")]
pub struct TeamResult {
    /// The team.
    pub team_id: TeamId,
    /// Whether it won.
    pub outcome: Ending,
    /// Goals scored.
    pub scored: u16,
    /// Goals conceded.
    pub conceded: u16,
}

/// How a game ended for a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
pub enum Ending {
    /// It won.
    W,
    /// It drew.
    D,
    /// It lost.
    L,
}

envelope! {
    /// A game in its match day, in the order of the starts, with what lists and tables show of it.
    #[entity(type = "sessionGame", codec = envelope("data"))]
    #[key(pk = "SESSION#{session_id}", sk = "GAME#{game_start_ts}#{game_id}")]
    pub struct SessionGame {
        pub session_id: SessionId,
        #[immutable]
        pub game_start_ts: StartTime,
        pub game_id: GameId,
        /// Absent in rows of older programs.
        #[copy(Game.status)]
        #[top]
        pub status: Option<GameStatus>,
        #[copy(Game.location)]
        pub location: Option<String>,
        #[copy(Game.teams)]
        #[serde(default)]
        pub teams: Vec<TeamSnapshot>,
        #[copy(Game.result)]
        pub result: Option<GameResult>,
        #[copy(Game.public_visible)]
        #[serde(default = "visible")]
        pub public_visible: bool,
    }
}

impl MirrorOf<Game> for SessionGame {
    /// Returns a game that is being deleted is in no list.
    fn mirror_of(game: &Game) -> Option<Self> {
        (game.status != GameStatus::Deleting).then(|| Self {
            session_id: game.session_id.clone(),
            game_start_ts: game.game_start_ts.clone(),
            game_id: game.game_id.clone(),
            status: Some(game.status),
            location: game.location.clone(),
            teams: game.teams.clone(),
            result: game.result.clone(),
            public_visible: game.public_visible,
            stamps: game.stamps,
        })
    }
}

envelope! {
    /// A goal, in the order of the game, found by its own id too.
    #[entity(
        type = "goal",
        codec = envelope("data"),
        allow(K05, because = "a game has three thirds and at most 180 minutes")
    )]
    #[key(pk = "GAME#{game_id}", sk = "GOAL#{third:01}#{game_minute:04}#{event_id}")]
    #[mirror(GoalPointer)]
    pub struct Goal {
        pub game_id: GameId,
        #[immutable]
        pub third: u8,
        /// Minutes since the third began, stoppage time included.
        #[immutable]
        pub game_minute: u16,
        pub event_id: EventId,
        /// Absent for an own goal.
        pub scoring_team_id: Option<TeamId>,
        pub conceding_team_id: TeamId,
        pub scorer_player_id: PlayerId,
        #[serde(default)]
        pub assist_player_ids: Vec<PlayerId>,
        #[serde(default)]
        pub own_goal: bool,
        /// The minute of the third, as people count: 1 for the first one.
        pub third_minute: Option<u8>,
        /// The minute of stoppage time; 0 before it.
        pub stoppage_minute: Option<u16>,
        /// The minute as people see it, such as `20+1'`.
        pub display_time: Option<String>,
        pub recorded_by: Option<UserId>,
    }
}

envelope! {
    /// Where the goal of an event is.
    #[entity(type = "goalPointer", codec = envelope("data"))]
    #[key(pk = "GAME#{game_id}", sk = "GOALID#{event_id}")]
    pub struct GoalPointer {
        pub game_id: GameId,
        pub event_id: EventId,
        pub third: u8,
        pub game_minute: u16,
    }
}

impl MirrorOf<Goal> for GoalPointer {
    fn mirror_of(goal: &Goal) -> Option<Self> {
        Some(Self {
            game_id: goal.game_id.clone(),
            event_id: goal.event_id.clone(),
            third: goal.third,
            game_minute: goal.game_minute,
            stamps: goal.stamps,
        })
    }
}

envelope! {
    /// A player in a team of a game. A player plays for one team of it.
    #[entity(type = "roster", codec = envelope("data"))]
    #[key(pk = "GAME#{game_id}", sk = "ROSTER#{team_id}#{player_id}")]
    #[unique(game_id, player_id, name = "slot", pk = "GAME#{game_id}", sk = "SLOT#{player_id}")]
    pub struct RosterEntry {
        pub game_id: GameId,
        pub team_id: TeamId,
        pub player_id: PlayerId,
    }
}

envelope! {
    /// What a team is called in one game, where it differs from the season.
    #[entity(type = "gameTeam", codec = envelope("data"))]
    #[key(pk = "GAME#{game_id}", sk = "TEAM#{team_id}")]
    pub struct GameTeam {
        pub game_id: GameId,
        pub team_id: TeamId,
        pub name: String,
        pub color: Option<String>,
    }
}

envelope! {
    /// A code to join a game with.
    #[entity(type = "joinCode", codec = envelope("data"))]
    #[key(pk = "JOIN#{code}", sk = "METADATA")]
    pub struct Join {
        pub code: JoinCode,
        pub game_id: GameId,
        #[ttl]
        pub ttl_epoch: Option<EpochSeconds>,
    }
}

monotable_kit::audit! {
    /// What was done to a game, by whom.
    #[entity(type = "audit", codec = envelope("data"))]
    pub Audit("GAME#{game_id}") {
        /// The game.
        game_id: GameId, audit_id: AuditId, actor: UserId, stamps: Stamps
    }
}
