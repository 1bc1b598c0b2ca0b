//! What players do: users, progress, messages, photos, positions, checkpoints.

use monotable::prelude::*;

use crate::table::{
    Checkpoint, Degrees, GameId, Hash, LevelId, Mark, OlderExpiry, Review, RowId, Speaker, Stamps,
    TeamId, UserId,
};

row! {
    /// A player's device.
    #[entity(type = "USER")]
    #[key(pk = "TEAM#{team_id}", sk = "USER#{id}")]
    #[index(GSI1: pk = "USER#{id}", sk = "#METADATA")]
    pub struct User {
        pub id: UserId,
        pub team_id: TeamId,
        pub game_id: Option<GameId>,
        pub display_name: Option<String>,
        /// The hash of the player's token.
        pub token_hash: Option<Hash>,
    }
}

row! {
    /// The one team of a user in a game.
    #[entity(type = "GAME_MEMBERSHIP")]
    #[key(pk = "USER#{user_id}", sk = "MEMBER#{game_id}")]
    pub struct GameMembership {
        pub id: RowId,
        pub user_id: UserId,
        pub game_id: GameId,
        pub team_id: TeamId,
    }
}

row! {
    /// A level in a team's route, and how far the team is. Its id is the row's own and not that of the level.
    #[entity(type = "TEAM_LEVEL")]
    #[key(pk = "TEAM#{team_id}", sk = "LEVEL#{level_id}")]
    #[index(GSI1: pk = "LEVEL#{level_id}", sk = "TEAM#{team_id}")]
    pub struct TeamLevel {
        pub id: RowId,
        pub team_id: TeamId,
        pub level_id: LevelId,
        pub game_id: Option<GameId>,
        pub index: u32,
        pub started_at: Option<Timestamp>,
        /// How long the clock had been paused when the level was started.
        pub paused_ms_at_start: Option<u64>,
        pub completed_at: Option<Timestamp>,
        /// From the start of the clock to the completion, without pauses.
        pub elapsed_ms: Option<u64>,
        /// Points of the level for a team that has cleared it.
        pub points: Option<u32>,
        pub skipped: Option<bool>,
        pub photo_id: Option<RowId>,
        pub photo_at: Option<Timestamp>,
        /// How many easy clues the team was given.
        #[serde(default)]
        pub hints_used: u32,
        /// When the team was given the map.
        pub map_at: Option<Timestamp>,
    }
}

row! {
    /// A message to or from a character.
    #[entity(type = "MESSAGE")]
    #[key(pk = "USER#{user_id}", sk = "MESSAGE#{ts}#{id}")]
    #[index(GSI1: pk = "TEAM#{team_id}", sk = "MESSAGE#{ts}#{id}")]
    #[index(GSI2: pk = "GAME#{game_id}", sk = "MESSAGE#{ts}#{id}")]
    #[index(GSI3: pk = "LEVEL#{level_id}", sk = "MESSAGE#{ts}#{id}")]
    pub struct Message {
        pub id: RowId,
        #[key_only]
        #[immutable]
        pub ts: EpochSeconds,
        pub user_id: UserId,
        #[immutable]
        pub team_id: TeamId,
        #[immutable]
        pub game_id: GameId,
        #[immutable]
        pub level_id: LevelId,
        pub role: Speaker,
        #[serde(alias = "content")]
        pub text: String,
        pub ttl: Option<OlderExpiry>,
    }
}

row! {
    /// A photo that proves a visit.
    #[entity(type = "PHOTO")]
    #[key(pk = "USER#{user_id}", sk = "PHOTO#{ts}#{id}")]
    #[index(GSI1: pk = "TEAM#{team_id}", sk = "PHOTO#{ts}#{id}")]
    #[index(GSI2: pk = "GAME#{game_id}", sk = "PHOTO#{ts}#{id}")]
    #[index(GSI3: pk = "LEVEL#{level_id}", sk = "PHOTO#{ts}#{id}")]
    pub struct Photo {
        pub id: RowId,
        #[key_only]
        #[immutable]
        pub ts: EpochSeconds,
        pub user_id: UserId,
        #[immutable]
        pub team_id: TeamId,
        #[immutable]
        pub game_id: GameId,
        #[immutable]
        pub level_id: LevelId,
        pub url: String,
        pub object_key: Option<String>,
        pub sha256: Option<Hash>,
        pub bytes: Option<u64>,
        pub mime: Option<String>,
        pub width: Option<u32>,
        pub height: Option<u32>,
        pub review: Option<Review>,
        /// Points that organisers gave for it.
        pub points: Option<i32>,
        pub ttl: Option<OlderExpiry>,
    }
}

impl Photo {
    /// Returns the name of the file in exports.
    pub fn file_name(&self) -> String {
        let extension = self.object_key.as_deref().and_then(|key| key.rsplit_once('.'));
        format!("{}.{}", self.id, extension.map_or("jpg", |(_, extension)| extension))
    }
}

row! {
    /// Where a player was.
    #[entity(type = "COORDINATE_SNAPSHOT")]
    #[key(pk = "USER#{user_id}", sk = "COORDINATE_SNAPSHOT#{ts}#{id}")]
    #[index(GSI1: pk = "TEAM#{team_id}", sk = "COORDINATE_SNAPSHOT#{ts}#{id}")]
    pub struct CoordinateSnapshot {
        pub id: RowId,
        #[key_only]
        #[immutable]
        pub ts: EpochSeconds,
        pub user_id: UserId,
        #[immutable]
        pub team_id: TeamId,
        pub latitude: Degrees,
        pub longitude: Degrees,
        pub accuracy_m: Option<f64>,
        pub heading: Option<f64>,
        /// Whether nobody can have come here so fast. It proves no visit.
        pub implausible: Option<bool>,
        pub ttl: Option<OlderExpiry>,
    }
}

row! {
    /// A team reached a level. Two at one level in one second have different marks.
    #[entity(type = "CHECKPOINT_EVENT")]
    #[key(pk = "TEAM#{team_id}", sk = "CHECKPOINT_EVENT#{ts}#{mark}")]
    #[index(GSI1: pk = "CHECKPOINT_EVENTS", sk = "{ts}#{team_id}#{mark}")]
    #[index(GSI2: pk = "GAME#{game_id}", sk = "CHECKPOINT_EVENT#{ts}#{id}")]
    pub struct CheckpointEvent {
        pub id: RowId,
        #[key_only]
        #[immutable]
        pub ts: EpochSeconds,
        pub team_id: TeamId,
        #[key_only]
        #[immutable]
        pub mark: Mark,
        #[immutable]
        pub game_id: GameId,
        pub level_id: LevelId,
        pub kind: Option<Checkpoint>,
        pub user_id: Option<UserId>,
    }
}
