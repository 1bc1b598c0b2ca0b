//! The table: its entities, its keys and its access patterns, as the design document has them.
//!
//! Rows have plain attributes with the names of the design document. Attributes that it lacks are optional, because rows of
//! older programs do not have them. A row counts as gone from the second in `deleted_at` on, and DynamoDB may remove it
//! from then on: nothing depends on such rows.

/// Declares an entity whose row has an expiry, times and a version.
macro_rules! row {
    ($(#[$attribute:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        #[allow(missing_docs, reason = "fields are the attributes of the design document")]
        pub struct $name {
            $($fields)*
            #[stamps]
            #[serde(skip)]
            pub stamps: Stamps,
        }
    };
}

mod games;
mod ids;
mod play;
mod requests;
mod values;

use monotable::model::Store;
use monotable::prelude::*;
use monotable_kit::jobs::{JobTicket, JobTickets};
use monotable_kit::language_model::CountsTokens;
use monotable_kit::{AuthKey, CountsCalls, KeepsRequests};

pub use self::games::*;
pub use self::ids::*;
pub use self::play::*;
pub use self::requests::*;
pub use self::values::*;

table! {
    /// Team hunts with clue characters, scans, photos and positions.
    pub ScavengerHunt {
        name = "ScavengerHuntData-{environment}";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK, GSI2SK);
        index GSI3(GSI3PK, GSI3SK);
        ttl = deleted_at;
        stamps Stamps(expires = deleted_at, created = created_at, updated = updated_at, version = ver);
        entities(
            Game, Level, Team, User, TeamLevel, Message, Photo, CoordinateSnapshot, CheckpointEvent,
            DashboardControl, ScanCode, JoinCode, AccessToken, GameMembership, Adjustment, Audit, JobTicket, TokenCount
        );
        rules(RequestKey, Calls, IdGuard, TokensUsed, AuthKey);
        patterns(ScavengerHuntReads);
    }
}

impl KeepsRequests for ScavengerHunt {
    type Key = RequestKey;
}

impl CountsCalls for ScavengerHunt {
    type Key = Calls;

    fn calls(subject: &str, name: &'static str) -> Calls {
        Calls::new(subject, name)
    }
}

impl CountsTokens for ScavengerHunt {
    type Key = TokensUsed;

    fn tokens(team_id: &str) -> TokensUsed {
        TokensUsed { team_id: TeamId::of_word(team_id.to_owned()) }
    }
}

/// The queries of the application.
#[access_patterns(ScavengerHunt)]
pub trait ScavengerHuntReads {
    /// Game by id.
    #[get(pk = "GAME#{game_id}", sk = "#METADATA", consistent)]
    fn game(&self, game_id: &GameId) -> One<Game>;
    /// Levels of a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("LEVEL#"), consistent)]
    fn levels(&self, game_id: &GameId) -> Rows<Level>;
    /// One level of a game.
    #[get(pk = "GAME#{game_id}", sk = "LEVEL#{level_id}", consistent)]
    fn level_of(&self, game_id: &GameId, level_id: &LevelId) -> One<Level>;
    /// Level by its id alone.
    #[query(index = GSI1, pk = "LEVEL#{level_id}", sk = begins_with("GAME#"))]
    fn level(&self, level_id: &LevelId) -> One<Level>;
    /// Teams of a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("TEAM#"), consistent)]
    fn teams(&self, game_id: &GameId) -> Rows<Team>;
    /// One team of a game.
    #[get(pk = "GAME#{game_id}", sk = "TEAM#{team_id}", consistent)]
    fn team_of(&self, game_id: &GameId, team_id: &TeamId) -> One<Team>;
    /// Users of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("USER#"), consistent)]
    fn users(&self, team_id: &TeamId) -> Rows<User>;
    /// One user of a team.
    #[get(pk = "TEAM#{team_id}", sk = "USER#{user_id}", consistent)]
    fn user_of(&self, team_id: &TeamId, user_id: &UserId) -> One<User>;
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
    #[query(pk = "USER#{user_id}", sk = begins_with("MESSAGE#"), consistent)]
    fn messages_of_user(&self, user_id: &UserId) -> Rows<Message>;
    /// Messages of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("MESSAGE#"))]
    fn messages_of_team(&self, team_id: &TeamId) -> Rows<Message>;
    /// Messages of a game.
    #[query(index = GSI2, pk = "GAME#{game_id}", sk = begins_with("MESSAGE#"))]
    fn messages_of_game(&self, game_id: &GameId) -> Rows<Message>;
    /// Messages at a level, for organisers.
    #[query(index = GSI3, pk = "LEVEL#{level_id}", sk = begins_with("MESSAGE#"))]
    fn messages_at(&self, level_id: &LevelId) -> Rows<Message>;
    /// Messages of a user at a level, as the context of a chat.
    #[query(pk = "USER#{user_id}", sk = begins_with("MESSAGE#"), consistent)]
    fn chat(&self, user_id: &UserId, #[filter] level_id: &LevelId) -> Rows<Message>;
    /// Photos of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("PHOTO#"), consistent)]
    fn photos_of_user(&self, user_id: &UserId) -> Rows<Photo>;
    /// Photos of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("PHOTO#"))]
    fn photos_of_team(&self, team_id: &TeamId) -> Rows<Photo>;
    /// Photos of a game.
    #[query(index = GSI2, pk = "GAME#{game_id}", sk = begins_with("PHOTO#"))]
    fn photos_of_game(&self, game_id: &GameId) -> Rows<Photo>;
    /// Photos at a level, for organisers.
    #[query(index = GSI3, pk = "LEVEL#{level_id}", sk = begins_with("PHOTO#"))]
    fn photos_at(&self, level_id: &LevelId) -> Rows<Photo>;
    /// One photo of a team, for the check of stored photos.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = "PHOTO#{ts}#{id}")]
    fn photo_of_team(&self, team_id: &TeamId, ts: EpochSeconds, id: &RowId) -> One<Photo>;
    /// Positions of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("COORDINATE_SNAPSHOT#"))]
    fn track_of_user(&self, user_id: &UserId) -> Rows<CoordinateSnapshot>;
    /// Positions of a user, the latest first.
    #[query(pk = "USER#{user_id}", sk = begins_with("COORDINATE_SNAPSHOT#"), consistent, descending)]
    fn latest_of_user(&self, user_id: &UserId) -> Rows<CoordinateSnapshot>;
    /// Positions of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("COORDINATE_SNAPSHOT#"))]
    fn track_of_team(&self, team_id: &TeamId) -> Rows<CoordinateSnapshot>;
    /// Positions of a user since a moment.
    #[query(pk = "USER#{user_id}", sk = "COORDINATE_SNAPSHOT#{since}".., consistent)]
    fn positions_of_user(&self, user_id: &UserId, since: EpochSeconds) -> Rows<CoordinateSnapshot>;
    /// Positions of a team since a moment.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = "COORDINATE_SNAPSHOT#{since}"..)]
    fn positions_of_team(&self, team_id: &TeamId, since: EpochSeconds) -> Rows<CoordinateSnapshot>;
    /// Team by id alone.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = "#METADATA")]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// All games.
    #[query(index = GSI1, pk = "GAMES", descending)]
    fn games(&self) -> Rows<Game>;
    /// Games of a table in whose index there are none, because older programs wrote them: until the backfill.
    #[scan(admin, consistent)]
    fn older_games(&self) -> Rows<Game>;
    /// Checkpoints of all games, newest first.
    #[query(index = GSI1, pk = "CHECKPOINT_EVENTS", descending)]
    fn checkpoints(&self) -> Rows<CheckpointEvent>;
    /// Checkpoints of a game, newest first.
    #[query(index = GSI2, pk = "GAME#{game_id}", sk = begins_with("CHECKPOINT_EVENT#"), descending)]
    fn checkpoints_of(&self, game_id: &GameId) -> Rows<CheckpointEvent>;
    /// One checkpoint of a team.
    #[get(pk = "TEAM#{team_id}", sk = "CHECKPOINT_EVENT#{ts}#{mark}", consistent)]
    fn checkpoint_of(
        &self,
        team_id: &TeamId,
        ts: EpochSeconds,
        mark: &Mark,
    ) -> One<CheckpointEvent>;
    /// The clock of a game.
    #[get(pk = "GAME#{game_id}", sk = "DASHBOARD#CONTROL", consistent)]
    fn control(&self, game_id: &GameId) -> One<DashboardControl>;
    /// Level of a scanned code.
    #[get(pk = "SCAN#{code_hash}", sk = "#METADATA", consistent)]
    fn scan_code(&self, code_hash: &Hash) -> One<ScanCode>;
    /// Team of a code to join.
    #[get(pk = "JOIN#{code_hash}", sk = "#METADATA", consistent)]
    fn join_code(&self, code_hash: &Hash) -> One<JoinCode>;
    /// What the bearer of a token may do.
    #[get(pk = "TOKEN#{token_hash}", sk = "#METADATA", consistent)]
    fn access_token(&self, token_hash: &Hash) -> One<AccessToken>;
    /// The team of a user in a game.
    #[get(pk = "USER#{user_id}", sk = "MEMBER#{game_id}", consistent)]
    fn game_membership(&self, user_id: &UserId, game_id: &GameId) -> One<GameMembership>;
    /// Points given or taken in a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("ADJUST#"), consistent)]
    fn adjustments(&self, game_id: &GameId) -> Rows<Adjustment>;
    /// What organisers did in a game, newest first.
    #[query(pk = "GAME#{game_id}", sk = begins_with("AUDIT#"), descending)]
    fn audit(&self, game_id: &GameId) -> Rows<Audit>;
    /// Everything of a user, for erasures.
    #[query(pk = "USER#{user_id}", consistent)]
    fn rows_of_user(
        &self,
        user_id: &UserId,
    ) -> Rows<(GameMembership, Message, Photo, CoordinateSnapshot)>;
    /// Everything of a team, for deletions.
    #[query(pk = "TEAM#{team_id}", consistent)]
    fn rows_of_team(
        &self,
        team_id: &TeamId,
    ) -> Rows<(TeamLevel, User, CheckpointEvent, TokenCount)>;
    /// Everything of a game, for deletions.
    #[query(pk = "GAME#{game_id}", consistent)]
    fn rows_of_game(
        &self,
        game_id: &GameId,
    ) -> Rows<(Game, Level, Team, DashboardControl, Adjustment, Audit)>;
    /// Rows that older programs wrote, for the backfill.
    #[scan(admin, consistent, rows = LegacyRow)]
    fn legacy_rows(
        &self,
    ) -> Rows<(
        Game,
        Level,
        Team,
        User,
        TeamLevel,
        Message,
        Photo,
        CoordinateSnapshot,
        CheckpointEvent,
    )>;
    /// Scheduled work, for the worker.
    #[query(pk = "JOBS", consistent)]
    fn job_tickets(&self) -> Rows<JobTicket>;
}

impl JobTickets for ScavengerHunt {
    fn job_tickets(db: &Store<Self>) -> Rows<JobTicket> {
        ScavengerHuntReads::job_tickets(db)
    }
}
