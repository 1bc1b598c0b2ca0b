//! HackTracker: softball teams, rosters, games and batting statistics.

use monotable::prelude::*;

ids!(UserId, TeamId, PlayerId, GameId, AtBatId, InviteId, SeasonId, AuditId);

/// An account; the id is the identity provider's subject.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "USER#{user_id}", sk = "METADATA")]
#[index(GSI1: pk = "COGNITO#{user_id}", sk = "USER")]
#[index(GSI2: pk = "ENTITY#USER", sk = "METADATA#{user_id}")]
pub struct User {
    pub user_id: UserId,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub phone_number: Option<String>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// A user's role in a team. The seed prints one without stamps.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "USER#{user_id}", sk = "TEAM#{team_id}")]
#[index(GSI3: pk = "TEAM#{team_id}", sk = "MEMBER#{user_id}")]
pub struct Membership {
    pub user_id: UserId,
    pub team_id: TeamId,
    pub role: Role,
    pub status: String,
    pub joined_at: Timestamp,
    pub invited_by: Option<UserId>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// What a member may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Owner,
    Manager,
    Player,
    Scorekeeper,
}

/// A team: with a roster, or one person's own.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI2: pk = "ENTITY#TEAM", sk = "METADATA#{team_id}")]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
    pub description: Option<String>,
    pub owner_id: UserId,
    #[serde(rename = "team_type")]
    pub team_type: String,
    pub status: Option<String>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// A roster slot; indexed by its user only while it is linked to one. A number is worn by one player
/// of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
#[unique(
    team_id,
    player_number,
    name = "number",
    pk = "TEAM#{team_id}",
    sk = "NUMBER#{player_number:02}"
)]
#[entity(allow(K05, because = "shirts have the numbers 0 to 99"))]
pub struct Player {
    pub team_id: TeamId,
    pub player_id: PlayerId,
    pub user_id: Option<UserId>,
    pub first_name: String,
    pub last_name: Option<String>,
    pub player_number: Option<u8>,
    #[serde(default)]
    pub positions: Vec<String>,
    pub status: String,
    pub is_ghost: bool,
    pub linked_at: Option<Timestamp>,
    pub last_unlinked_at: Option<Timestamp>,
    #[counter]
    #[serde(default)]
    pub pa_count: u64,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// A game of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
#[index(GSI2: pk = "ENTITY#GAME", sk = "METADATA#{game_id}")]
#[index(GSI3: pk = "TEAM#{team_id}", sk = "GAME#{game_id}")]
pub struct Game {
    pub game_id: GameId,
    #[immutable]
    pub team_id: TeamId,
    pub status: String,
    pub scheduled_start: Option<Timestamp>,
    pub opponent_name: Option<String>,
    pub location: Option<String>,
    pub season_id: Option<SeasonId>,
    pub team_score: u16,
    pub opponent_score: u16,
    pub lineup: Option<Vec<PlayerId>>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// One plate appearance.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "GAME#{game_id}", sk = "ATBAT#{at_bat_id}")]
#[index(GSI5: pk = "PLAYER#{player_id}", sk = "ATBAT#{at_bat_id}")]
pub struct AtBat {
    pub game_id: GameId,
    pub at_bat_id: AtBatId,
    #[immutable]
    pub player_id: PlayerId,
    pub team_id: TeamId,
    pub result: String,
    pub inning: u8,
    pub outs: u8,
    pub batting_order: u8,
    pub rbis: Option<u8>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// The game that a team plays right now: there is at most one.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
pub struct ActiveGame {
    pub team_id: TeamId,
    pub game_id: GameId,
}

/// When a player's slot was whose, for career statistics.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "USER#{user_id}", sk = "PLAYERLINK#{player_id}")]
pub struct PlayerLink {
    pub user_id: UserId,
    pub player_id: PlayerId,
    pub team_id: TeamId,
    pub team_name: String,
    pub periods: Vec<Period>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Versioned,
}

/// From when to when a user was linked to a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Period {
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
}

/// An invitation to a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "INVITE#{invite_id}", sk = "METADATA")]
#[index(GSI3: pk = "TEAM#{team_id}", sk = "INVITE#{invite_id}")]
pub struct Invite {
    pub invite_id: InviteId,
    #[immutable]
    pub team_id: TeamId,
    pub role: Role,
    pub player_id: Option<PlayerId>,
    pub email: Option<String>,
    pub token_hash: String,
    pub status: String,
    pub expires_at: Timestamp,
    pub created_by: UserId,
    #[stamps]
    #[serde(skip)]
    pub stamps: Versioned,
}

/// A season of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "SEASON#{season_id}")]
pub struct Season {
    pub team_id: TeamId,
    pub season_id: SeasonId,
    pub name: String,
    #[stamps]
    #[serde(skip)]
    pub stamps: Versioned,
}

/// Whether a player comes to a game.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(allow(W01, because = "the last answer counts, whatever was said before"))]
#[key(pk = "GAME#{game_id}", sk = "RSVP#{player_id}")]
pub struct Availability {
    pub game_id: GameId,
    pub player_id: PlayerId,
    pub answer: String,
}

/// What was done to a team, by whom.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "AUDIT#{at}#{audit_id}")]
pub struct Audit {
    pub team_id: TeamId,
    #[immutable]
    pub at: Timestamp,
    pub audit_id: AuditId,
    pub actor: UserId,
    pub action: String,
}

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
        stamps Versioned(version = ver);
        entities(
            User, Membership, Team, Player, Game, AtBat, ActiveGame, PlayerLink, Invite, Season,
            Availability, Audit
        );
        patterns(HackTrackerReads);
    }
}

/// The questions of the application.
#[access_patterns(HackTracker)]
pub trait HackTrackerReads {
    /// User by id.
    #[get(pk = "USER#{user_id}", sk = "METADATA")]
    fn user(&self, user_id: &UserId) -> One<User>;
    /// User by the identity provider's subject, at login.
    #[query(index = GSI1, pk = "COGNITO#{subject}", sk = "USER")]
    fn user_by_subject(&self, subject: &UserId) -> One<User>;
    /// All users, for administrators.
    #[query(index = GSI2, pk = "ENTITY#USER")]
    fn users(&self) -> Rows<User>;
    /// All teams, for administrators.
    #[query(index = GSI2, pk = "ENTITY#TEAM")]
    fn teams(&self) -> Rows<Team>;
    /// All games, for administrators.
    #[query(index = GSI2, pk = "ENTITY#GAME")]
    fn games(&self) -> Rows<Game>;
    /// Team by id.
    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// Roster of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn roster(&self, team_id: &TeamId) -> Rows<Player>;
    /// Memberships of a user.
    #[query(pk = "USER#{user_id}", sk = begins_with("TEAM#"))]
    fn memberships(&self, user_id: &UserId) -> Rows<Membership>;
    /// The team rows of a user's memberships.
    #[batch_get]
    fn teams_by_key(&self, keys: &[TeamKey]) -> Many<Team>;
    /// One membership, for authorisation.
    #[get(pk = "USER#{user_id}", sk = "TEAM#{team_id}", consistent)]
    fn membership(&self, user_id: &UserId, team_id: &TeamId) -> One<Membership>;
    /// Members of a team.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = begins_with("MEMBER#"))]
    fn members(&self, team_id: &TeamId) -> Rows<Membership>;
    /// Game by id.
    #[get(pk = "GAME#{game_id}", sk = "METADATA")]
    fn game(&self, game_id: &GameId) -> One<Game>;
    /// Games of a team.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = begins_with("GAME#"))]
    fn games_of(&self, team_id: &TeamId) -> Rows<Game>;
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
    /// Memberships in which a user is the owner.
    #[query(pk = "USER#{user_id}", sk = begins_with("TEAM#"))]
    fn memberships_by_role(&self, user_id: &UserId, #[filter] role: Role) -> Rows<Membership>;
    /// Invite by the id in its token.
    #[get(pk = "INVITE#{invite_id}", sk = "METADATA")]
    fn invite(&self, invite_id: &InviteId) -> One<Invite>;
    /// Invites of a team.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = begins_with("INVITE#"))]
    fn invites(&self, team_id: &TeamId) -> Rows<Invite>;
    /// Seasons of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("SEASON#"))]
    fn seasons(&self, team_id: &TeamId) -> Rows<Season>;
    /// Who comes to a game.
    #[query(pk = "GAME#{game_id}", sk = begins_with("RSVP#"))]
    fn availability(&self, game_id: &GameId) -> Rows<Availability>;
    /// What was done to a team, newest first.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("AUDIT#"), descending)]
    fn audit(&self, team_id: &TeamId) -> Rows<Audit>;
    /// The game that a team plays right now.
    #[get(pk = "TEAM#{team_id}", sk = "ACTIVE_GAME", consistent)]
    fn active_game(&self, team_id: &TeamId) -> One<ActiveGame>;
}
