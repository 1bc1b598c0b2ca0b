//! ScavengerHunt: games, levels, teams, and what players do at them.

use monotable::prelude::*;

ids!(GameId, LevelId, TeamId, UserId, RowId, CodeHash);

row! {
    /// A hunt.
    #[entity(type = "GAME")]
    #[key(pk = "GAME#{id}", sk = "#METADATA")]
    #[index(GSI1: pk = "GAMES", sk = "{created}#{id}")]
    pub struct Game {
        pub id: GameId,
        pub name: Option<String>,
        pub description: Option<String>,
        pub status: Option<String>,
        pub winner_team_id: Option<TeamId>,
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
        #[serde(rename = "levelName")]
        pub level_name: Option<String>,
    }
}

row! {
    /// A team of a game.
    #[entity(type = "TEAM")]
    #[key(pk = "GAME#{game_id}", sk = "TEAM#{id}")]
    #[index(GSI1: pk = "TEAM#{id}", sk = "#METADATA")]
    pub struct Team {
        pub id: TeamId,
        pub game_id: GameId,
        pub name: String,
        pub difficulty_level: Option<String>,
    }
}

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
    }
}

row! {
    /// A level in a team's route, and how far the team is.
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
        pub completed_at: Option<Timestamp>,
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
        pub role: String,
        pub text: String,
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
        pub latitude: f64,
        pub longitude: f64,
    }
}

row! {
    /// A team reached a level.
    #[entity(type = "CHECKPOINT_EVENT")]
    #[key(pk = "TEAM#{team_id}", sk = "CHECKPOINT_EVENT#{ts}#{level_id}")]
    #[index(GSI1: pk = "CHECKPOINT_EVENTS", sk = "{ts}#{team_id}#{level_id}")]
    #[index(GSI2: pk = "GAME#{game_id}", sk = "CHECKPOINT_EVENT#{ts}#{id}")]
    pub struct CheckpointEvent {
        pub id: RowId,
        #[key_only]
        #[immutable]
        pub ts: EpochSeconds,
        pub team_id: TeamId,
        pub level_id: LevelId,
        #[immutable]
        pub game_id: GameId,
    }
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
    }
}

row! {
    /// The level that a scanned code stands for.
    #[entity(type = "SCAN_CODE")]
    #[key(pk = "SCAN#{code_hash}", sk = "#METADATA")]
    pub struct ScanCode {
        pub id: RowId,
        #[key_only]
        pub code_hash: CodeHash,
        pub game_id: GameId,
        pub level_id: LevelId,
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
    /// Points given or taken by an organiser.
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
        pub action: String,
    }
}

table! {
    /// Team hunts with clue characters, scans, photos and positions.
    pub ScavengerHunt {
        name = "ScavengerHuntData-{uniqueId}";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK, GSI2SK);
        index GSI3(GSI3PK, GSI3SK);
        ttl = deleted_at;
        stamps Stamps(expires = deleted_at, created = created_at, updated = updated_at, version = ver);
        entities(
            Game, Level, Team, User, TeamLevel, Message, Photo, CoordinateSnapshot, CheckpointEvent,
            DashboardControl, ScanCode, GameMembership, Adjustment, Audit
        );
        patterns(ScavengerHuntReads);
    }
}

/// The questions of the application.
#[access_patterns(ScavengerHunt)]
pub trait ScavengerHuntReads {
    /// Game by id.
    #[get(pk = "GAME#{game_id}", sk = "#METADATA")]
    fn game(&self, game_id: &GameId) -> One<Game>;
    /// Levels of a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("LEVEL#"))]
    fn levels(&self, game_id: &GameId) -> Rows<Level>;
    /// One level of a game.
    #[get(pk = "GAME#{game_id}", sk = "LEVEL#{level_id}")]
    fn level_of(&self, game_id: &GameId, level_id: &LevelId) -> One<Level>;
    /// Level by its id alone.
    #[query(index = GSI1, pk = "LEVEL#{level_id}", sk = begins_with("GAME#"))]
    fn level(&self, level_id: &LevelId) -> One<Level>;
    /// Teams of a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("TEAM#"))]
    fn teams(&self, game_id: &GameId) -> Rows<Team>;
    /// One team of a game.
    #[get(pk = "GAME#{game_id}", sk = "TEAM#{team_id}")]
    fn team_of(&self, game_id: &GameId, team_id: &TeamId) -> One<Team>;
    /// Users of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("USER#"))]
    fn users(&self, team_id: &TeamId) -> Rows<User>;
    /// User by id alone.
    #[query(index = GSI1, pk = "USER#{user_id}", sk = "#METADATA")]
    fn user(&self, user_id: &UserId) -> One<User>;
    /// Route and progress of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("LEVEL#"), consistent)]
    fn route(&self, team_id: &TeamId) -> Rows<TeamLevel>;
    /// Teams assigned to a level.
    #[query(index = GSI1, pk = "LEVEL#{level_id}", sk = begins_with("TEAM#"))]
    fn teams_at(&self, level_id: &LevelId) -> Rows<TeamLevel>;
    /// Teams that are at a level now.
    #[query(
        index = GSI1,
        pk = "LEVEL#{level_id}",
        sk = begins_with("TEAM#"),
        filter(exists(started_at), absent(completed_at))
    )]
    fn teams_now_at(&self, level_id: &LevelId) -> Rows<TeamLevel>;
    /// Messages of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("MESSAGE#"))]
    fn messages_of_user(&self, user_id: &UserId) -> Rows<Message>;
    /// Messages of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("MESSAGE#"))]
    fn messages_of_team(&self, team_id: &TeamId) -> Rows<Message>;
    /// Messages of a game.
    #[query(index = GSI2, pk = "GAME#{game_id}", sk = begins_with("MESSAGE#"))]
    fn messages_of_game(&self, game_id: &GameId) -> Rows<Message>;
    /// Messages at a level.
    #[query(index = GSI3, pk = "LEVEL#{level_id}", sk = begins_with("MESSAGE#"))]
    fn messages_at(&self, level_id: &LevelId) -> Rows<Message>;
    /// Messages of a user at a level, as the context of a chat.
    #[query(pk = "USER#{user_id}", sk = begins_with("MESSAGE#"))]
    fn chat(&self, user_id: &UserId, #[filter] level_id: &LevelId) -> Rows<Message>;
    /// Photos of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("PHOTO#"))]
    fn photos_of_user(&self, user_id: &UserId) -> Rows<Photo>;
    /// Photos of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("PHOTO#"))]
    fn photos_of_team(&self, team_id: &TeamId) -> Rows<Photo>;
    /// Photos of a game.
    #[query(index = GSI2, pk = "GAME#{game_id}", sk = begins_with("PHOTO#"))]
    fn photos_of_game(&self, game_id: &GameId) -> Rows<Photo>;
    /// Photos at a level.
    #[query(index = GSI3, pk = "LEVEL#{level_id}", sk = begins_with("PHOTO#"))]
    fn photos_at(&self, level_id: &LevelId) -> Rows<Photo>;
    /// Positions of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("COORDINATE_SNAPSHOT#"))]
    fn track_of_user(&self, user_id: &UserId) -> Rows<CoordinateSnapshot>;
    /// Positions of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("COORDINATE_SNAPSHOT#"))]
    fn track_of_team(&self, team_id: &TeamId) -> Rows<CoordinateSnapshot>;
    /// Positions of a user since a moment.
    #[query(pk = "USER#{user_id}", sk = "COORDINATE_SNAPSHOT#{since}"..)]
    fn positions_of_user(&self, user_id: &UserId, since: EpochSeconds) -> Rows<CoordinateSnapshot>;
    /// Positions of a team since a moment.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = "COORDINATE_SNAPSHOT#{since}"..)]
    fn positions_of_team(&self, team_id: &TeamId, since: EpochSeconds) -> Rows<CoordinateSnapshot>;
    /// Team by id alone.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = "#METADATA")]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// All games.
    #[query(index = GSI1, pk = "GAMES")]
    fn games(&self) -> Rows<Game>;
    /// Checkpoints of all games, newest first.
    #[query(index = GSI1, pk = "CHECKPOINT_EVENTS", descending)]
    fn checkpoints(&self) -> Rows<CheckpointEvent>;
    /// Checkpoints of a game, newest first.
    #[query(index = GSI2, pk = "GAME#{game_id}", sk = begins_with("CHECKPOINT_EVENT#"), descending)]
    fn checkpoints_of(&self, game_id: &GameId) -> Rows<CheckpointEvent>;
    /// The clock of a game.
    #[get(pk = "GAME#{game_id}", sk = "DASHBOARD#CONTROL")]
    fn control(&self, game_id: &GameId) -> One<DashboardControl>;
    /// Level of a scanned code.
    #[get(pk = "SCAN#{code_hash}", sk = "#METADATA")]
    fn scan_code(&self, code_hash: &CodeHash) -> One<ScanCode>;
    /// The team of a user in a game.
    #[get(pk = "USER#{user_id}", sk = "MEMBER#{game_id}", consistent)]
    fn game_membership(&self, user_id: &UserId, game_id: &GameId) -> One<GameMembership>;
    /// Points given or taken in a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("ADJUST#"))]
    fn adjustments(&self, game_id: &GameId) -> Rows<Adjustment>;
    /// What organisers did in a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("AUDIT#"))]
    fn audit(&self, game_id: &GameId) -> Rows<Audit>;
}
