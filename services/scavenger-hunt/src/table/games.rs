//! A game and what belongs to it: levels, teams, the clock, codes, tokens, adjustments, the audit.

use std::collections::BTreeMap;

use monotable::prelude::*;

use crate::table::{
    Character, Difficulty, GameId, GameStatus, Hash, LevelId, Location, RouteMode, RowId, Stamps,
    TeamId, TokenRole, UserId,
};

row! {
    /// A hunt. Rows of older programs embed their teams and levels, which are not read, and have no status.
    #[entity(type = "GAME")]
    #[key(pk = "GAME#{id}", sk = "#METADATA")]
    #[index(GSI1: pk = "GAMES", sk = "{created}#{id}")]
    pub struct Game {
        pub id: GameId,
        pub name: Option<String>,
        pub description: Option<String>,
        /// How many levels a team walks; all of them unless set.
        #[serde(rename = "levelsInGame")]
        pub levels_in_game: Option<u32>,
        pub status: Option<GameStatus>,
        pub winner_team_id: Option<TeamId>,
        pub hint_after_min: Option<u32>,
        pub map_after_min: Option<u32>,
        pub photo_required: Option<bool>,
        pub geofence_required: Option<bool>,
        pub route_mode: Option<RouteMode>,
        pub route_seed: Option<u64>,
        pub starts_at: Option<Timestamp>,
        pub ends_at: Option<Timestamp>,
        pub ended_at: Option<Timestamp>,
        pub retention_days: Option<u32>,
        /// Whether players see the leaderboard.
        pub leaderboard_public: Option<bool>,
        /// Points that each easy clue costs.
        pub clue_penalty: Option<u32>,
        /// Points that each link to a map costs.
        pub map_penalty: Option<u32>,
        /// Whether players can say who they are by headers, as programs of the origin do.
        pub header_identity: Option<bool>,
        /// The SHA-256 of the configuration, so that the same one can be sent again.
        pub config_hash: Option<String>,
        pub created_by: Option<String>,
        /// Tokens of organisers and observers from before count no more.
        pub tokens_valid_from: Option<Timestamp>,
        /// When organisers have written to all players last.
        pub broadcast_at: Option<Timestamp>,
    }
}

row! {
    /// A place with a character and clues.
    #[entity(type = "LEVEL")]
    #[key(pk = "GAME#{game_id}", sk = "LEVEL#{id}")]
    #[index(GSI1: pk = "LEVEL#{id}", sk = "GAME#{game_id}")]
    pub struct Level {
        pub id: LevelId,
        pub game_id: GameId,
        #[serde(default, rename = "levelName")]
        pub level_name: String,
        #[serde(default)]
        pub character: Character,
        #[serde(default)]
        pub location: Location,
        #[serde(default)]
        pub clues: Vec<String>,
        #[serde(default, rename = "easyClues")]
        pub easy_clues: Vec<String>,
        #[serde(default, rename = "mapLink")]
        pub map_link: String,
        pub max_tokens: Option<u32>,
        /// The text of the code at the place. Rows of older programs have none: the id was the code.
        pub scan_code: Option<String>,
        pub radius_m: Option<u32>,
        pub points: Option<u32>,
        /// Its place in the configuration.
        pub position: Option<u32>,
    }
}

row! {
    /// A team of a game, and what its rows add up to.
    #[entity(type = "TEAM")]
    #[key(pk = "GAME#{game_id}", sk = "TEAM#{id}")]
    #[index(GSI1: pk = "TEAM#{id}", sk = "#METADATA")]
    pub struct Team {
        pub id: TeamId,
        pub game_id: GameId,
        pub name: String,
        pub difficulty_level: Option<Difficulty>,
        /// The hash of the code with which players join.
        pub join_code: Option<Hash>,
        pub color: Option<String>,
        /// Its place in the configuration.
        pub position: Option<u32>,
        #[serde(default)]
        pub user_count: u32,
        #[serde(default)]
        pub photo_count: u32,
        #[serde(default)]
        pub tally: Tally,
    }
}

/// What the route of a team adds up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "fields are attributes")]
pub struct Tally {
    pub levels: u32,
    pub completed: u32,
    pub points: u32,
    pub clues: u32,
    pub maps: u32,
    pub last_completed_at: Option<Timestamp>,
    /// From the start of the clock to the last completion, without pauses.
    pub elapsed_ms: Option<u64>,
}

row! {
    /// The clock of a game.
    #[entity(type = "DASHBOARD_CONTROL")]
    #[key(pk = "GAME#{game_id}", sk = "DASHBOARD#CONTROL")]
    pub struct DashboardControl {
        pub id: RowId,
        pub game_id: GameId,
        pub started_at: Option<Timestamp>,
        pub paused_at: Option<Timestamp>,
        #[serde(default)]
        pub total_paused_ms: u64,
    }
}

row! {
    /// The level that a scanned code stands for.
    #[entity(type = "SCAN_CODE")]
    #[key(pk = "SCAN#{code_hash}", sk = "#METADATA")]
    pub struct ScanCode {
        pub id: RowId,
        #[key_only]
        pub code_hash: Hash,
        pub game_id: GameId,
        pub level_id: LevelId,
    }
}

row! {
    /// The team that a code lets players join.
    #[entity(type = "JOIN_CODE")]
    #[key(pk = "JOIN#{code_hash}", sk = "#METADATA")]
    pub struct JoinCode {
        pub id: RowId,
        #[key_only]
        pub code_hash: Hash,
        pub game_id: GameId,
        pub team_id: TeamId,
    }
}

row! {
    /// What the bearer of a token may do.
    #[entity(type = "ACCESS_TOKEN")]
    #[key(pk = "TOKEN#{token_hash}", sk = "#METADATA")]
    pub struct AccessToken {
        pub id: RowId,
        #[key_only]
        pub token_hash: Hash,
        pub role: TokenRole,
        pub game_id: GameId,
        pub team_id: Option<TeamId>,
        pub user_id: Option<UserId>,
    }
}

row! {
    /// Points that an organiser gives or takes.
    #[entity(type = "ADJUSTMENT")]
    #[key(pk = "GAME#{game_id}", sk = "ADJUST#{ts}#{id}")]
    pub struct Adjustment {
        pub id: RowId,
        #[key_only]
        #[immutable]
        pub ts: EpochSeconds,
        pub game_id: GameId,
        pub team_id: TeamId,
        pub points: i32,
        #[serde(default)]
        pub reason: String,
        pub photo_id: Option<RowId>,
    }
}

row! {
    /// What an organiser did.
    #[entity(type = "AUDIT")]
    #[key(pk = "GAME#{game_id}", sk = "AUDIT#{ts}#{id}")]
    pub struct Audit {
        pub id: RowId,
        #[key_only]
        #[immutable]
        pub ts: EpochSeconds,
        pub game_id: GameId,
        pub actor: String,
        pub action: String,
        /// The row that it was done to, such as `TEAM#t1`.
        pub entity: String,
        #[serde(default)]
        pub before: BTreeMap<String, String>,
        #[serde(default)]
        pub after: BTreeMap<String, String>,
        pub request_id: Option<String>,
    }
}

impl Audit {
    /// Records a value before the act.
    #[must_use]
    pub fn was(mut self, what: &str, value: impl Into<String>) -> Self {
        self.before.insert(what.to_owned(), value.into());
        self
    }

    /// Records the attributes that the act changes.
    #[must_use]
    pub fn changes<E: Serialize>(mut self, before: &E, after: &E) -> Self {
        let attributes = |row: &E| serde_json::to_value(row).unwrap_or_default();
        let (before, after) = (attributes(before), attributes(after));
        for (name, value) in after.as_object().into_iter().flatten() {
            if before[name] != *value {
                self = self.was(name, before[name].to_string()).is(name, value.to_string());
            }
        }
        self
    }

    /// Records a value after the act.
    #[must_use]
    pub fn is(mut self, what: &str, value: impl Into<String>) -> Self {
        self.after.insert(what.to_owned(), value.into());
        self
    }
}
