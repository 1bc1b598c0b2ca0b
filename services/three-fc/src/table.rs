//! The table: its entities, its keys and its access patterns, as the design document has them.
//!
//! A row is an envelope: its fields are one JSON text in `data`, and separate attributes are the times, the version, and
//! what conditions must see. Fields that older programs did not write have defaults.
//!
//! Join codes, recorded responses, and links and sessions of sign-in expire by `ttlEpoch`. The table declares it as
//! its TTL attribute, so that DynamoDB may delete such rows; nothing depends on that, because expired rows count as
//! absent for every read and condition, and the sweep deletes them where no TTL is set.

/// Declares an entity whose row has times and a version as separate attributes. Fields have the names of the design
/// document.
macro_rules! envelope {
    ($(#[$attribute:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$attribute])*
        #[serde(rename_all = "camelCase")]
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
mod leagues;
mod people;

use monotable::prelude::*;
use monotable_kit::jobs::JobTicket;
use monotable_kit::outbox::{DeadLetter, Delivered, Lane, OutboxMessage};
use monotable_kit::{AuthKey, KeepsRequests};

pub use self::games::*;
pub use self::ids::*;
pub use self::leagues::*;
pub use self::people::*;

table! {
    /// Leagues, seasons, match days and games of three-sided football.
    pub ThreeFc {
        name = "3fc-{environment}-app";
        key(pk, sk);
        type_attribute = entityType;
        ttl = ttlEpoch;
        codec = envelope("data");
        stamps Stamps(created = createdAt, updated = updatedAt, version = ver);
        entities(
            League, Season, Team, Session, Game, SessionGame, Goal, GoalPointer, RosterEntry, Acl, Player,
            Appearance, PoolEntry, User, PlayerClaim, Join, Audit, LeagueAudit, GameTeam, JobTicket,
            OutboxMessage, DeadLetter, Delivered
        );
        rules(RequestKey, AuthKey);
        patterns(ThreeFcReads);
        allow(D01, because = "rows of jobs and e-mails are the kit's, with plain attributes");
    }
}

impl KeepsRequests for ThreeFc {
    type Key = RequestKey;
}

/// The queries of the application.
#[access_patterns(ThreeFc)]
pub trait ThreeFcReads {
    /// League by id.
    #[get(pk = "LEAGUE#{league_id}", sk = "METADATA", consistent)]
    fn league(&self, league_id: &LeagueId) -> One<League>;
    /// Leagues by id.
    #[batch_get]
    fn leagues_by_key(&self, keys: &[LeagueKey]) -> Many<League>;
    /// All leagues.
    #[query(pk = "LEAGUES")]
    fn leagues(&self) -> Rows<League>;
    /// League of a slug.
    #[get(unique = slug)]
    fn league_by_slug(&self, slug: &Slug) -> One<League>;
    /// Seasons of a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("SEASON#"))]
    fn seasons(&self, league_id: &LeagueId) -> Rows<Season>;
    /// Season in its league.
    #[get(pk = "LEAGUE#{league_id}", sk = "SEASON#{season_id}", consistent)]
    fn season_in(&self, league_id: &LeagueId, season_id: &SeasonId) -> One<Season>;
    /// Season by its own id, for the league that it belongs to.
    #[get(pk = "SEASON#{season_id}", sk = "METADATA", consistent)]
    fn season(&self, season_id: &SeasonId) -> One<Season>;
    /// Season of a slug in a league.
    #[get(unique = seasonSlug)]
    fn season_by_slug(&self, league_id: &LeagueId, slug: &Slug) -> One<Season>;
    /// Teams of a season.
    #[query(pk = "SEASON#{season_id}", sk = begins_with("TEAM#"))]
    fn teams(&self, season_id: &SeasonId) -> Rows<Team>;
    /// Team of a season.
    #[get(pk = "SEASON#{season_id}", sk = "TEAM#{team_id}", consistent)]
    fn team(&self, season_id: &SeasonId, team_id: &TeamId) -> One<Team>;
    /// Match days of a season.
    #[query(pk = "SEASON#{season_id}", sk = begins_with("SESSION#"))]
    fn sessions(&self, season_id: &SeasonId) -> Rows<Session>;
    /// Match day in its season.
    #[get(pk = "SEASON#{season_id}", sk = "SESSION#{session_id}", consistent)]
    fn session_in(&self, season_id: &SeasonId, session_id: &SessionId) -> One<Session>;
    /// Match day by its own id, for the season that it belongs to.
    #[get(pk = "SESSION#{session_id}", sk = "METADATA", consistent)]
    fn session(&self, session_id: &SessionId) -> One<Session>;
    /// Game by id.
    #[get(pk = "GAME#{game_id}", sk = "METADATA", consistent)]
    fn game(&self, game_id: &GameId) -> One<Game>;
    /// Games of a match day, in the order of their starts.
    #[query(pk = "SESSION#{session_id}", sk = begins_with("GAME#"))]
    fn games_of(&self, session_id: &SessionId) -> Rows<SessionGame>;
    /// Player by id.
    #[get(pk = "PLAYER#{player_id}", sk = "PROFILE", consistent)]
    fn player(&self, player_id: &PlayerId) -> One<Player>;
    /// Players by id.
    #[batch_get]
    fn players_by_key(&self, keys: &[PlayerKey]) -> Many<Player>;
    /// Grants in a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("ACL#USER#"))]
    fn grants(&self, league_id: &LeagueId) -> Rows<Acl>;
    /// Grant of a user in a league.
    #[get(pk = "LEAGUE#{league_id}", sk = "ACL#USER#{user_id}", consistent)]
    fn grant(&self, league_id: &LeagueId, user_id: &UserId) -> One<Acl>;
    /// Grants of a user, in all leagues.
    #[query(pk = "USER#{user_id}", sk = begins_with("LEAGUE#"))]
    fn leagues_of(&self, user_id: &UserId) -> Rows<Acl>;
    /// Roster of a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("ROSTER#"), consistent)]
    fn roster(&self, game_id: &GameId) -> Rows<RosterEntry>;
    /// Roster entry of a player in a game.
    #[get(unique = slot)]
    fn roster_of(&self, game_id: &GameId, player_id: &PlayerId) -> One<RosterEntry>;
    /// Goals of a game, in the order of the timeline.
    #[query(pk = "GAME#{game_id}", sk = begins_with("GOAL#"), consistent)]
    fn goals(&self, game_id: &GameId) -> Rows<Goal>;
    /// Where the goal of an event is.
    #[get(pk = "GAME#{game_id}", sk = "GOALID#{event_id}", consistent)]
    fn goal_pointer(&self, game_id: &GameId, event_id: &EventId) -> One<GoalPointer>;
    /// One goal, where its pointer says.
    #[get(pk = "GAME#{game_id}", sk = "GOAL#{third:01}#{minute:04}#{event_id}", consistent)]
    fn goal(&self, game_id: &GameId, third: u8, minute: u16, event_id: &EventId) -> One<Goal>;
    /// What teams are called in a game, where it differs from the season.
    #[query(pk = "GAME#{game_id}", sk = begins_with("TEAM#"), consistent)]
    fn game_teams(&self, game_id: &GameId) -> Rows<GameTeam>;
    /// Audit of a game, newest first.
    #[query(pk = "GAME#{game_id}", sk = begins_with("AUDIT#"), descending)]
    fn audit(&self, game_id: &GameId) -> Rows<Audit>;
    /// Audit of a league, newest first.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("AUDIT#"), descending)]
    fn league_audit(&self, league_id: &LeagueId) -> Rows<LeagueAudit>;
    /// Everything of a game, for its deletion.
    #[query(
        pk = "GAME#{game_id}",
        consistent,
        allow(P03, because = "guards of line-ups are deleted with them")
    )]
    fn game_rows(
        &self,
        game_id: &GameId,
    ) -> Rows<(Game, Goal, GoalPointer, RosterEntry, GameTeam, Audit)>;
    /// Players known to a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("POOL#"))]
    fn pool(&self, league_id: &LeagueId) -> Rows<PoolEntry>;
    /// Player known to a league.
    #[get(pk = "LEAGUE#{league_id}", sk = "POOL#{player_id}", consistent)]
    fn pool_entry(&self, league_id: &LeagueId, player_id: &PlayerId) -> One<PoolEntry>;
    /// Everything of a league, for its deletion.
    #[query(
        pk = "LEAGUE#{league_id}",
        consistent,
        allow(P03, because = "guards of slugs are deleted with their seasons")
    )]
    fn league_rows(
        &self,
        league_id: &LeagueId,
    ) -> Rows<(League, Season, Acl, PoolEntry, LeagueAudit)>;
    /// Everything of a season but its games, for its deletion.
    #[query(pk = "SEASON#{season_id}", consistent)]
    fn season_rows(&self, season_id: &SeasonId) -> Rows<(Season, Team, Session)>;
    /// Everything of a match day.
    #[query(pk = "SESSION#{session_id}", consistent)]
    fn session_rows(&self, session_id: &SessionId) -> Rows<(Session, SessionGame)>;
    /// Appearances of a player in a season.
    #[query(pk = "PLAYER#{player_id}", sk = begins_with("APP#{season_id}#"))]
    fn appearances(&self, player_id: &PlayerId, season_id: &SeasonId) -> Rows<Appearance>;
    /// Appearances of a player in all seasons.
    #[query(pk = "PLAYER#{player_id}", sk = begins_with("APP#"))]
    fn all_appearances(&self, player_id: &PlayerId) -> Rows<Appearance>;
    /// Game of a join code.
    #[get(pk = "JOIN#{code}", sk = "METADATA", consistent)]
    fn join(&self, code: &JoinCode) -> One<Join>;
    /// Account of a user.
    #[get(pk = "USER#{user_id}", sk = "PROFILE", consistent)]
    fn user(&self, user_id: &UserId) -> One<User>;
    /// Accounts of users.
    #[batch_get]
    fn users_by_key(&self, keys: &[UserKey]) -> Many<User>;
    /// Account with an e-mail address.
    #[get(unique = email)]
    fn user_by_email(&self, email: &str) -> One<User>;
    /// Players that a user has claimed.
    #[query(pk = "USER#{user_id}", sk = begins_with("PLAYER#"), consistent)]
    fn claims(&self, user_id: &UserId) -> Rows<PlayerClaim>;
    /// Work that is promised, for the worker.
    #[query(pk = "JOBS", consistent)]
    fn job_tickets(&self) -> Rows<JobTicket>;
    /// E-mails that are promised.
    #[query(pk = "OUTBOX#{lane}")]
    fn outbox(&self, lane: &Lane) -> Rows<OutboxMessage>;
    /// E-mails that were delivered.
    #[query(pk = "DELIVERED#{lane}")]
    fn delivered(&self, lane: &Lane) -> Rows<Delivered>;
    /// E-mails that were given up.
    #[query(pk = "DEADLETTER#{lane}")]
    fn dead_letters(&self, lane: &Lane) -> Rows<DeadLetter>;
    /// Every line of an audit, every grant and every player, for the erasure of a user.
    #[scan(admin, consistent, rows = NamingRow)]
    fn rows_naming_users(&self) -> Rows<(Acl, Player, Audit, LeagueAudit)>;
    /// Everything that older programs wrote, for the backfill.
    #[scan(admin, consistent, rows = LegacyRow)]
    fn legacy_rows(
        &self,
    ) -> Rows<(League, Season, Team, Session, Game, SessionGame, Goal, RosterEntry, Acl, Player)>;
}

monotable_kit::background!(ThreeFc, ThreeFcReads);
