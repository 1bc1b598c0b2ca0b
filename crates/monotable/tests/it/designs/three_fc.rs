//! 3FC: leagues, seasons, sessions and games of three-sided football, each row an envelope.

use monotable::prelude::*;

ids!(
    LeagueId,
    SeasonId,
    TeamId,
    SessionId,
    GameId,
    EventId,
    PlayerId,
    UserId,
    TokenId,
    AuthSessionId,
    OutboxDay,
    OutboxId,
    AuditId,
    Slug,
    JoinCode,
    RequestScope,
    RequestKey
);

/// Declares an entity in 3FC's envelope, with its version beside the data.
macro_rules! envelope {
    ($(#[$attribute:meta])* pub struct $name:ident { $($fields:tt)* }) => {
        row! {
            $(#[$attribute])*
            #[serde(rename_all = "camelCase")]
            pub struct $name { $($fields)* }
        }
    };
}

envelope! {
    /// A league.
    #[entity(type = "league", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "METADATA")]
    pub struct League {
        pub league_id: LeagueId,
        pub name: String,
        pub slug: Option<Slug>,
        pub created_by_user_id: UserId,
    }
}

envelope! {
    /// A season of a league, found by its own id too.
    #[entity(type = "season", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "SEASON#{season_id}")]
    #[mirror(pk = "SEASON#{season_id}", sk = "METADATA")]
    pub struct Season {
        pub league_id: LeagueId,
        pub season_id: SeasonId,
        pub name: String,
        pub slug: Option<Slug>,
        pub starts_on: Option<Date>,
        pub ends_on: Option<Date>,
    }
}

envelope! {
    /// A team of a season.
    #[entity(type = "team", codec = envelope("data"))]
    #[key(pk = "SEASON#{season_id}", sk = "TEAM#{team_id}")]
    pub struct Team {
        pub season_id: SeasonId,
        pub team_id: TeamId,
        pub name: String,
        pub color: Option<String>,
    }
}

envelope! {
    /// A match day of a season, found by its own id too.
    #[entity(type = "session", codec = envelope("data"))]
    #[key(pk = "SEASON#{season_id}", sk = "SESSION#{session_id}")]
    #[mirror(pk = "SESSION#{session_id}", sk = "METADATA")]
    pub struct Session {
        pub season_id: SeasonId,
        pub session_id: SessionId,
        pub session_date: Date,
    }
}

envelope! {
    /// A game. Its status stands beside the data, so that conditions can see it.
    #[entity(type = "game", codec = envelope("data"))]
    #[key(pk = "GAME#{game_id}", sk = "METADATA")]
    #[mirror(SessionGame)]
    pub struct Game {
        pub game_id: GameId,
        pub league_id: LeagueId,
        pub season_id: SeasonId,
        pub session_id: SessionId,
        #[top]
        pub status: String,
        pub game_start_ts: Timestamp,
        pub team_ids: Vec<TeamId>,
        pub result: Option<String>,
    }
}

envelope! {
    /// A game in its session, in the order of the starts.
    #[entity(type = "sessionGame", codec = envelope("data"))]
    #[key(pk = "SESSION#{session_id}", sk = "GAME#{game_start_ts}#{game_id}")]
    pub struct SessionGame {
        pub session_id: SessionId,
        #[immutable]
        pub game_start_ts: Timestamp,
        pub game_id: GameId,
        #[copy(Game.status)]
        #[top]
        pub status: String,
        #[copy(Game.result)]
        pub result: Option<String>,
    }
}

impl MirrorOf<Game> for SessionGame {
    fn mirror_of(game: &Game) -> Option<Self> {
        Some(Self {
            session_id: game.session_id.clone(),
            game_start_ts: game.game_start_ts,
            game_id: game.game_id.clone(),
            status: game.status.clone(),
            result: game.result.clone(),
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
        #[immutable]
        pub game_minute: u16,
        pub event_id: EventId,
        pub scoring_team_id: Option<TeamId>,
        pub conceding_team_id: TeamId,
        pub scorer_player_id: PlayerId,
        #[serde(default)]
        pub assist_player_ids: Vec<PlayerId>,
        pub own_goal: bool,
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
    /// What a user may do in a league; listed under the user too.
    #[entity(type = "acl", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "ACL#USER#{user_id}")]
    #[mirror(pk = "USER#{user_id}", sk = "LEAGUE#{league_id}")]
    pub struct Acl {
        pub league_id: LeagueId,
        pub user_id: UserId,
        pub role: String,
        pub granted_by_user_id: UserId,
    }
}

envelope! {
    /// A player, in any league.
    #[entity(type = "player", codec = envelope("data"))]
    #[key(pk = "PLAYER#{player_id}", sk = "PROFILE")]
    pub struct Player {
        pub player_id: PlayerId,
        pub nickname: String,
        pub claimed_by_user_id: Option<UserId>,
    }
}

envelope! {
    /// A game that a player took part in.
    #[entity(type = "appearance", codec = envelope("data"))]
    #[key(pk = "PLAYER#{player_id}", sk = "APP#{season_id}#{game_start_ts}#{game_id}")]
    pub struct Appearance {
        pub player_id: PlayerId,
        pub season_id: SeasonId,
        #[immutable]
        pub game_start_ts: Timestamp,
        pub game_id: GameId,
    }
}

envelope! {
    /// A player known to a league.
    #[entity(type = "pool", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "POOL#{player_id}")]
    pub struct PoolEntry {
        pub league_id: LeagueId,
        pub player_id: PlayerId,
        pub last_played: Option<Timestamp>,
    }
}

envelope! {
    /// A user's account. An address belongs to one account.
    #[entity(type = "user", codec = envelope("data"))]
    #[key(pk = "USER#{user_id}", sk = "PROFILE")]
    #[unique(email, pk = "EMAIL#{email}", sk = "UNIQUE")]
    pub struct User {
        pub user_id: UserId,
        pub email: String,
    }
}

envelope! {
    /// A claimed player of a user.
    #[entity(type = "playerClaim", codec = envelope("data"))]
    #[key(pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
    pub struct PlayerClaim {
        pub user_id: UserId,
        pub player_id: PlayerId,
    }
}

envelope! {
    /// The league of a slug.
    #[entity(type = "leagueSlug", codec = envelope("data"))]
    #[key(pk = "SLUG#LEAGUE#{slug}", sk = "METADATA")]
    pub struct LeagueSlug {
        pub slug: Slug,
        pub league_id: LeagueId,
    }
}

envelope! {
    /// The season of a slug.
    #[entity(type = "seasonSlug", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "SLUG#{slug}")]
    pub struct SeasonSlug {
        pub league_id: LeagueId,
        pub slug: Slug,
        pub season_id: SeasonId,
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

envelope! {
    /// A link to sign in with.
    #[entity(type = "magicToken", codec = envelope("data"))]
    #[key(pk = "AUTH_MAGIC#{token_id}", sk = "METADATA")]
    pub struct MagicToken {
        pub token_id: TokenId,
        pub token_hash: String,
        pub used_at: Option<Timestamp>,
        #[ttl]
        pub ttl_epoch: Option<EpochSeconds>,
    }
}

envelope! {
    /// A signed-in browser.
    #[entity(type = "authSession", codec = envelope("data"))]
    #[key(pk = "AUTH_SESSION#{session_id}", sk = "METADATA")]
    pub struct AuthSession {
        pub session_id: AuthSessionId,
        pub user_id: UserId,
        #[ttl]
        pub ttl_epoch: Option<EpochSeconds>,
    }
}

envelope! {
    /// What was done to a game, by whom.
    #[entity(type = "audit", codec = envelope("data"))]
    #[key(pk = "GAME#{game_id}", sk = "AUDIT#{at}#{audit_id}")]
    pub struct Audit {
        pub game_id: GameId,
        #[immutable]
        pub at: Timestamp,
        pub audit_id: AuditId,
        pub actor: UserId,
        pub action: String,
    }
}

envelope! {
    /// What was done to a league, by whom.
    #[entity(type = "leagueAudit", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "AUDIT#{at}#{audit_id}")]
    pub struct LeagueAudit {
        pub league_id: LeagueId,
        #[immutable]
        pub at: Timestamp,
        pub audit_id: AuditId,
        pub actor: UserId,
        pub action: String,
    }
}

envelope! {
    /// What a team is called in one game.
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
    /// The answer to a request that came with a key.
    #[entity(type = "idempotency", codec = envelope("data"))]
    #[key(pk = "IDEMPOTENCY#{scope}#{key}", sk = "METADATA")]
    pub struct Idempotency {
        pub scope: RequestScope,
        pub key: RequestKey,
        pub request_hash: String,
        pub response: String,
        #[ttl]
        pub ttl_epoch: Option<EpochSeconds>,
    }
}

envelope! {
    /// A mail to be sent. Days are written as `20260301`.
    #[entity(type = "outbox", codec = envelope("data"))]
    #[key(pk = "OUTBOX#{day}", sk = "{outbox_id}")]
    pub struct Outbox {
        pub day: OutboxDay,
        pub outbox_id: OutboxId,
        pub recipient: String,
    }
}

table! {
    /// Leagues, seasons, sessions and games of three-sided football.
    pub ThreeFc {
        name = "3fc-{environment}-app";
        key(pk, sk);
        type_attribute = entityType;
        ttl = ttlEpoch;
        codec = envelope("data");
        stamps Stamps(created = createdAt, updated = updatedAt, version = ver);
        entities(
            League, Season, Team, Session, Game, SessionGame, Goal, GoalPointer, RosterEntry, Acl, Player,
            Appearance, PoolEntry, User, PlayerClaim, LeagueSlug, SeasonSlug, Join, MagicToken,
            AuthSession, Audit, LeagueAudit, GameTeam, Idempotency, Outbox
        );
        patterns(ThreeFcReads);
    }
}

/// The questions of the application.
#[access_patterns(ThreeFc)]
pub trait ThreeFcReads {
    /// League by id.
    #[get(pk = "LEAGUE#{league_id}", sk = "METADATA")]
    fn league(&self, league_id: &LeagueId) -> One<League>;
    /// Seasons of a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("SEASON#"))]
    fn seasons(&self, league_id: &LeagueId) -> Rows<Season>;
    /// Season by its own id.
    #[get(pk = "SEASON#{season_id}", sk = "METADATA")]
    fn season(&self, season_id: &SeasonId) -> One<Season>;
    /// Teams of a season.
    #[query(pk = "SEASON#{season_id}", sk = begins_with("TEAM#"))]
    fn teams(&self, season_id: &SeasonId) -> Rows<Team>;
    /// Sessions of a season.
    #[query(pk = "SEASON#{season_id}", sk = begins_with("SESSION#"))]
    fn sessions(&self, season_id: &SeasonId) -> Rows<Session>;
    /// Session by its own id.
    #[get(pk = "SESSION#{session_id}", sk = "METADATA")]
    fn session(&self, session_id: &SessionId) -> One<Session>;
    /// Game by id.
    #[get(pk = "GAME#{game_id}", sk = "METADATA")]
    fn game(&self, game_id: &GameId) -> One<Game>;
    /// Games of a session, in the order of their starts.
    #[query(pk = "SESSION#{session_id}", sk = begins_with("GAME#"))]
    fn games_of(&self, session_id: &SessionId) -> Rows<SessionGame>;
    /// Player by id.
    #[get(pk = "PLAYER#{player_id}", sk = "PROFILE")]
    fn player(&self, player_id: &PlayerId) -> One<Player>;
    /// Who may do what in a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("ACL#USER#"))]
    fn grants(&self, league_id: &LeagueId) -> Rows<Acl>;
    /// What one user may do in a league.
    #[get(pk = "LEAGUE#{league_id}", sk = "ACL#USER#{user_id}", consistent)]
    fn grant(&self, league_id: &LeagueId, user_id: &UserId) -> One<Acl>;
    /// Roster of a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("ROSTER#"))]
    fn roster(&self, game_id: &GameId) -> Rows<RosterEntry>;
    /// Goals of a game, in the order of the timeline.
    #[query(pk = "GAME#{game_id}", sk = begins_with("GOAL#"))]
    fn goals(&self, game_id: &GameId) -> Rows<Goal>;
    /// Where the goal of an event is.
    #[get(pk = "GAME#{game_id}", sk = "GOALID#{event_id}")]
    fn goal_pointer(&self, game_id: &GameId, event_id: &EventId) -> One<GoalPointer>;
    /// One goal, where its pointer says.
    #[get(pk = "GAME#{game_id}", sk = "GOAL#{third:01}#{minute:04}#{event_id}")]
    fn goal(&self, game_id: &GameId, third: u8, minute: u16, event_id: &EventId) -> One<Goal>;
    /// Leagues of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("LEAGUE#"))]
    fn leagues_of(&self, user_id: &UserId) -> Rows<Acl>;
    /// Recent players of a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("POOL#"))]
    fn pool(&self, league_id: &LeagueId) -> Rows<PoolEntry>;
    /// Appearances of a player in a season.
    #[query(pk = "PLAYER#{player_id}", sk = begins_with("APP#{season_id}#"))]
    fn appearances(&self, player_id: &PlayerId, season_id: &SeasonId) -> Rows<Appearance>;
    /// League of a slug.
    #[get(pk = "SLUG#LEAGUE#{slug}", sk = "METADATA")]
    fn league_by_slug(&self, slug: &Slug) -> One<LeagueSlug>;
    /// Season of a slug.
    #[get(pk = "LEAGUE#{league_id}", sk = "SLUG#{slug}")]
    fn season_by_slug(&self, league_id: &LeagueId, slug: &Slug) -> One<SeasonSlug>;
    /// Game of a join code.
    #[get(pk = "JOIN#{code}", sk = "METADATA")]
    fn join(&self, code: &JoinCode) -> One<Join>;
    /// A link to sign in with.
    #[get(pk = "AUTH_MAGIC#{token_id}", sk = "METADATA", consistent)]
    fn magic_token(&self, token_id: &TokenId) -> One<MagicToken>;
    /// A signed-in browser.
    #[get(pk = "AUTH_SESSION#{session_id}", sk = "METADATA")]
    fn auth_session(&self, session_id: &AuthSessionId) -> One<AuthSession>;
    /// A user's account.
    #[get(pk = "USER#{user_id}", sk = "PROFILE")]
    fn user(&self, user_id: &UserId) -> One<User>;
    /// Players that a user has claimed.
    #[query(pk = "USER#{user_id}", sk = begins_with("PLAYER#"))]
    fn claims(&self, user_id: &UserId) -> Rows<PlayerClaim>;
    /// What was done to a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("AUDIT#"))]
    fn audit(&self, game_id: &GameId) -> Rows<Audit>;
    /// What was done to a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("AUDIT#"))]
    fn league_audit(&self, league_id: &LeagueId) -> Rows<LeagueAudit>;
    /// What teams are called in a game, where it differs from the season.
    #[query(pk = "GAME#{game_id}", sk = begins_with("TEAM#"))]
    fn game_teams(&self, game_id: &GameId) -> Rows<GameTeam>;
    /// The answer to a request that came with a key.
    #[get(pk = "IDEMPOTENCY#{scope}#{key}", sk = "METADATA", consistent)]
    fn idempotency(&self, scope: &RequestScope, key: &RequestKey) -> One<Idempotency>;
    /// Mails of a day.
    #[query(pk = "OUTBOX#{day}")]
    fn outbox(&self, day: &OutboxDay) -> Rows<Outbox>;
}
