//! The table: its entities, its keys and the queries of the application.
//!
//! Fields that older programs did not write have defaults, and their words are accepted.
//! Operations and rules interpret the rows.

mod accounts;
mod games;
mod ids;
mod list_shards;
mod plays;
mod roster;
mod teams;

use monotable::prelude::*;
use monotable_kit::jobs::JobTicket;
use monotable_kit::outbox::{DeadLetter, Delivered, Lane, OutboxMessage};
use monotable_kit::{AuthKey, KeepsRequests, RequestKey};

pub use self::accounts::*;
pub use self::games::*;
pub use self::ids::*;
pub use self::list_shards::{ListShard, ListShards};
pub use self::plays::*;
pub use self::roster::*;
pub use self::teams::*;

table! {
    /// Softball teams, rosters, games and batting statistics.
    pub HackTracker {
        name = "hacktracker-{environment}";
        key(PK, SK);
        type_attribute = none;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK, GSI2SK);
        index GSI3(GSI3PK, GSI3SK);
        index GSI4(GSI4PK, GSI4SK);
        index GSI5(GSI5PK, GSI5SK);
        stamps Stamps(created = createdAt, updated = updatedAt, version = ver);
        stamps Times(created = createdAt, updated = updatedAt);
        stamps Versioned(version = ver);
        entities(
            User, Membership, Team, Player, Game, AtBat, ActiveGame, PlayerLink, Invite, Season,
            Availability, Share, JerseyNumber, Audit, JobTicket, OutboxMessage, DeadLetter,
            Delivered, TeamCounts, RequestRecord, SeasonPlaces, UserJoins
        );
        rules(ActiveGameGuard, SeasonGames, RequestKey, AuthKey);
        patterns(HackTrackerReads);
    }
}

impl KeepsRequests for HackTracker {
    type Key = RequestKey;
}

/// The access patterns of the application.
#[access_patterns(HackTracker)]
pub trait HackTrackerReads {
    /// User by id.
    #[get(pk = "USER#{user_id}", sk = "METADATA")]
    fn user(&self, user_id: &UserId) -> One<User>;
    /// User by the identity provider's subject, at login.
    #[query(index = GSI1, pk = "COGNITO#{subject}", sk = "USER")]
    fn user_by_subject(&self, subject: &UserId) -> One<User>;
    /// All users of a part of the list, for administrators.
    #[query(index = GSI2, pk = "ENTITY#USER{list_shard}")]
    fn users(&self, list_shard: ListShard) -> Rows<User>;
    /// The users in a shard of the list after one, for administrators.
    #[query(index = GSI2, pk = "ENTITY#USER{list_shard}", sk = after("METADATA#{user_id}"))]
    fn users_after(&self, list_shard: ListShard, user_id: &UserId) -> Rows<User>;
    /// All teams of a part of the list, for administrators.
    #[query(index = GSI2, pk = "ENTITY#TEAM{list_shard}")]
    fn teams(&self, list_shard: ListShard) -> Rows<Team>;
    /// The teams in a shard of the list after one, for administrators.
    #[query(index = GSI2, pk = "ENTITY#TEAM{list_shard}", sk = after("METADATA#{team_id}"))]
    fn teams_after(&self, list_shard: ListShard, team_id: &TeamId) -> Rows<Team>;
    /// All games of a part of the list, for administrators.
    #[query(index = GSI2, pk = "ENTITY#GAME{list_shard}")]
    fn games(&self, list_shard: ListShard) -> Rows<Game>;
    /// The games in a shard of the list after one, for administrators.
    #[query(index = GSI2, pk = "ENTITY#GAME{list_shard}", sk = after("METADATA#{game_id}"))]
    fn games_after(&self, list_shard: ListShard, game_id: &GameId) -> Rows<Game>;
    /// Team by id.
    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// The counts of a team.
    #[get(pk = "TEAM#{team_id}", sk = "COUNTS", consistent)]
    fn team_counts(&self, team_id: &TeamId) -> One<TeamCounts>;
    /// The row that every change of a user's teams writes.
    #[get(pk = "USER#{user_id}", sk = "JOINS", consistent)]
    fn user_joins(&self, user_id: &UserId) -> One<UserJoins>;
    /// The stored responses to a user's requests.
    #[query(pk = "IDEMPOTENCY#{user_id}", consistent)]
    fn request_records(&self, user_id: &UserId) -> Rows<RequestRecord>;
    /// Every membership, for counting them.
    #[scan(admin, consistent)]
    fn every_membership(&self) -> Rows<Membership>;
    /// Roster of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn roster(&self, team_id: &TeamId) -> Rows<Player>;
    /// One player.
    #[get(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
    fn player(&self, team_id: &TeamId, player_id: &PlayerId) -> One<Player>;
    /// The player with a number.
    #[get(pk = "TEAM#{team_id}", sk = "NUMBER#{number:02}", consistent)]
    fn number(&self, team_id: &TeamId, number: u8) -> One<JerseyNumber>;
    // The memberships of a user. Callers filter by role in memory: old rows have other names of
    // roles, which a filter would miss.
    /// Memberships of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("TEAM#"))]
    fn memberships(&self, user_id: &UserId) -> Rows<Membership>;
    /// The team rows of a user's memberships.
    #[batch_get]
    fn teams_by_key(&self, keys: &[TeamKey]) -> Many<Team>;
    /// One membership, for authorisation.
    #[get(pk = "USER#{user_id}", sk = "TEAM#{team_id}", consistent)]
    fn membership(&self, user_id: &UserId, team_id: &TeamId) -> One<Membership>;
    /// The accounts of a team's members.
    #[batch_get]
    fn users_by_key(&self, keys: &[UserKey]) -> Many<User>;
    /// Members of a team.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = begins_with("MEMBER#"))]
    fn members(&self, team_id: &TeamId) -> Rows<Membership>;
    /// Game by id.
    #[get(pk = "GAME#{game_id}", sk = "METADATA")]
    fn game(&self, game_id: &GameId) -> One<Game>;
    /// The game rows of a career's at-bats.
    #[batch_get]
    fn games_by_key(&self, keys: &[GameKey]) -> Many<Game>;
    /// Games of a team.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = begins_with("GAME#"))]
    fn games_of(&self, team_id: &TeamId) -> Rows<Game>;
    /// One at-bat.
    #[get(pk = "GAME#{game_id}", sk = "ATBAT#{at_bat_id}")]
    fn at_bat(&self, game_id: &GameId, at_bat_id: &AtBatId) -> One<AtBat>;
    /// At-bats of a game, in order.
    #[query(pk = "GAME#{game_id}", sk = begins_with("ATBAT#"))]
    fn at_bats(&self, game_id: &GameId) -> Rows<AtBat>;
    /// At-bats of a player, across games.
    #[query(index = GSI5, pk = "PLAYER#{player_id}", sk = begins_with("ATBAT#"))]
    fn at_bats_of(&self, player_id: &PlayerId) -> Rows<AtBat>;
    /// Players linked to a user, across teams.
    #[query(index = GSI4, pk = "USER#{user_id}", sk = begins_with("PLAYER#"))]
    fn players_of(&self, user_id: &UserId) -> Rows<Player>;
    /// Career links of a user, past ones included.
    #[query(pk = "USER#{user_id}", sk = begins_with("PLAYERLINK#"))]
    fn career(&self, user_id: &UserId) -> Rows<PlayerLink>;
    /// One career link.
    #[get(pk = "USER#{user_id}", sk = "PLAYERLINK#{player_id}")]
    fn player_link(&self, user_id: &UserId, player_id: &PlayerId) -> One<PlayerLink>;
    /// Invite by the id in its token.
    #[get(pk = "INVITE#{invite_id}", sk = "METADATA")]
    fn invite(&self, invite_id: &InviteId) -> One<Invite>;
    /// Invites of a team.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = begins_with("INVITE#"))]
    fn invites(&self, team_id: &TeamId) -> Rows<Invite>;
    /// Seasons of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("SEASON#"))]
    fn seasons(&self, team_id: &TeamId) -> Rows<Season>;
    /// One season.
    #[get(pk = "TEAM#{team_id}", sk = "SEASON#{season_id}")]
    fn season(&self, team_id: &TeamId, season_id: &SeasonId) -> One<Season>;
    /// The replies of the players about a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("RSVP#"))]
    fn availability(&self, game_id: &GameId) -> Rows<Availability>;
    /// The audit of a team, newest first.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("AUDIT#"), descending)]
    fn audit(&self, team_id: &TeamId) -> Rows<Audit>;
    /// The game that a team is playing.
    #[get(pk = "TEAM#{team_id}", sk = "ACTIVE_GAME", consistent)]
    fn active_game(&self, team_id: &TeamId) -> One<ActiveGame>;
    /// Share link of a game by the id in its token.
    #[get(pk = "GAME#{game_id}", sk = "SHARE#{share_id}")]
    fn share(&self, game_id: &GameId, share_id: &ShareId) -> One<Share>;
    /// Share links of a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("SHARE#"))]
    fn shares(&self, game_id: &GameId) -> Rows<Share>;
    /// Everything of a user, for the export and the erasure.
    #[query(pk = "USER#{user_id}", consistent)]
    fn user_rows(&self, user_id: &UserId) -> Rows<(User, Membership, PlayerLink, UserJoins)>;
    /// Everything of a team but its games and invites, for the purge.
    #[query(pk = "TEAM#{team_id}", consistent)]
    fn team_rows(
        &self,
        team_id: &TeamId,
    ) -> Rows<(Team, Player, JerseyNumber, ActiveGame, Season, Audit, TeamCounts, SeasonPlaces)>;
    /// Everything of a game, for its deletion.
    #[query(pk = "GAME#{game_id}", consistent)]
    fn game_rows(&self, game_id: &GameId) -> Rows<(Game, AtBat, Availability, Share)>;
    /// Scheduled work, for the worker.
    #[query(pk = "JOBS", consistent)]
    fn job_tickets(&self) -> Rows<JobTicket>;
    /// All rows that older programs wrote, for the backfill.
    #[scan(admin, consistent, rows = LegacyRow)]
    fn legacy_rows(&self) -> Rows<(User, Membership, Team, Player, Game, AtBat)>;
    /// Every at-bat, for counting them.
    #[scan(admin, consistent)]
    fn every_at_bat(&self) -> Rows<AtBat>;
    /// Every invite, for the erasure of those to an address.
    #[scan(admin, consistent)]
    fn every_invite(&self) -> Rows<Invite>;
    /// The e-mails that are waiting to be sent.
    #[query(pk = "OUTBOX#{lane}")]
    fn outbox(&self, lane: &Lane) -> Rows<OutboxMessage>;
    /// The e-mails that were delivered.
    #[query(pk = "DELIVERED#{lane}")]
    fn delivered(&self, lane: &Lane) -> Rows<Delivered>;
    /// The e-mails that could not be delivered.
    #[query(pk = "DEADLETTER#{lane}")]
    fn dead_letters(&self, lane: &Lane) -> Rows<DeadLetter>;
}

monotable_kit::background!(HackTracker, HackTrackerReads);
