//! The rows of the table, as types. Fields that older programs did not write have defaults, and words
//! that they wrote otherwise are read.

use std::collections::BTreeMap;

use monotable::prelude::*;

use crate::ids::{AtBatId, AuditId, GameId, InviteId, PlayerId, SeasonId, ShareId, TeamId, UserId};

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
    pub status: Option<Liveness>,
    pub deleted_at: Option<Timestamp>,
    pub purge_after: Option<Timestamp>,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// Whether a user or a team is there, or deleted and kept for a while. Absent means active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Liveness {
    Active,
    Deleted,
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
    pub status: MembershipStatus,
    pub joined_at: Timestamp,
    pub invited_by: Option<UserId>,
    #[created]
    #[serde(default)]
    pub created_at: Timestamp,
    #[updated]
    #[serde(default)]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// What a member is in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    #[serde(alias = "team-owner")]
    Owner,
    #[serde(alias = "team-coach")]
    Manager,
    #[serde(alias = "team-player")]
    Player,
    #[serde(alias = "team-scorekeeper")]
    Scorekeeper,
}

/// Whether a membership counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MembershipStatus {
    Active,
    Removed,
    Left,
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
    /// Absent in old rows: see [`Team::kind`].
    #[serde(rename = "team_type")]
    pub team_type: Option<TeamType>,
    /// What old rows have instead of a type.
    pub is_personal: Option<bool>,
    pub status: Option<Liveness>,
    pub deleted_at: Option<Timestamp>,
    pub purge_after: Option<Timestamp>,
    /// The hash of the token that brings a deleted team back.
    pub recovery_token: Option<String>,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// What a team is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TeamType {
    /// A roster of several players and a lineup.
    Managed,
    /// One person's own statistics.
    Personal,
}

impl Team {
    /// What the team is for, old rows included.
    pub fn kind(&self) -> TeamType {
        match (self.team_type, self.is_personal) {
            (Some(kind), _) => kind,
            (None, Some(true)) => TeamType::Personal,
            (None, _) => TeamType::Managed,
        }
    }

    /// Whether it is not deleted.
    pub fn is_active(&self) -> bool {
        self.status != Some(Liveness::Deleted)
    }
}

/// A roster slot; indexed by its user only while it is linked to one. A number is worn by one player
/// of a team who plays.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
pub struct Player {
    pub team_id: TeamId,
    pub player_id: PlayerId,
    pub user_id: Option<UserId>,
    pub first_name: String,
    pub last_name: Option<String>,
    pub player_number: Option<u8>,
    #[serde(default)]
    pub positions: Vec<String>,
    #[serde(default)]
    pub status: PlayerStatus,
    pub is_ghost: bool,
    /// Whether a manager gave the first name, so that it stays when the user goes.
    pub named_by_manager: Option<bool>,
    pub linked_at: Option<Timestamp>,
    pub last_unlinked_at: Option<Timestamp>,
    /// Plate appearances in all games. Absent in old rows until the backfill has counted them.
    pub pa_count: Option<u64>,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// Whether a player plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerStatus {
    #[default]
    Active,
    Inactive,
    Sub,
}

/// Who of a team wears a number.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(allow(K05, because = "shirts have the numbers 0 to 99"))]
#[key(pk = "TEAM#{team_id}", sk = "NUMBER#{number:02}")]
pub struct JerseyNumber {
    pub team_id: TeamId,
    #[immutable]
    pub number: u8,
    pub player_id: PlayerId,
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
    pub status: GameStatus,
    pub scheduled_start: Option<Timestamp>,
    pub opponent_name: Option<String>,
    pub location: Option<String>,
    pub season_id: Option<SeasonId>,
    #[serde(default)]
    pub team_score: u16,
    #[serde(default)]
    pub opponent_score: u16,
    /// Player ids in batting order. Old rows have objects with an order each.
    #[serde(default, deserialize_with = "crate::legacy::lineup")]
    pub lineup: Vec<PlayerId>,
    pub innings: Option<u8>,
    #[serde(default)]
    pub score_mode: ScoreMode,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// Set while the rows of the game are being deleted.
    pub deleting: Option<bool>,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GameStatus {
    #[serde(alias = "scheduled")]
    Scheduled,
    #[serde(alias = "in_progress")]
    InProgress,
    #[serde(alias = "final")]
    Final,
    #[serde(alias = "postponed")]
    Postponed,
}

/// Where the team's score comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreMode {
    /// From the runs that are recorded.
    Auto,
    /// From whoever keeps it.
    #[default]
    Manual,
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
    /// What came of it, as it was written: stored data may have codes that nobody knows.
    pub result: String,
    pub inning: u8,
    pub outs: u8,
    pub batting_order: u8,
    pub hit_location: Option<HitLocation>,
    pub hit_type: Option<String>,
    pub rbis: Option<u8>,
    pub outs_on_play: Option<u8>,
    pub runs_scored: Option<Vec<PlayerId>>,
    pub situation_mismatch: Option<bool>,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// Where a ball went: from left to right and from top to bottom, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HitLocation {
    #[serde(deserialize_with = "crate::legacy::coordinate")]
    pub x: f64,
    #[serde(deserialize_with = "crate::legacy::coordinate")]
    pub y: f64,
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
    /// The team's name when the link was made; the team may be gone.
    pub team_name: String,
    pub periods: Vec<Period>,
    #[created]
    #[serde(default)]
    pub created_at: Timestamp,
    #[updated]
    #[serde(default)]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// From when to when a user was linked to a player: absent is from the beginning, or until now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    pub status: InviteStatus,
    pub expires_at: Timestamp,
    pub created_by: UserId,
    pub accepted_by: Option<UserId>,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// What became of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InviteStatus {
    Pending,
    Accepted,
    Revoked,
}

/// A season of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "SEASON#{season_id}")]
pub struct Season {
    pub team_id: TeamId,
    pub season_id: SeasonId,
    pub name: String,
    pub starts_on: Option<Date>,
    pub ends_on: Option<Date>,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// Whether a player comes to a game.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(allow(W01, because = "the last answer counts, whatever was said before"))]
#[key(pk = "GAME#{game_id}", sk = "RSVP#{player_id}")]
pub struct Availability {
    pub game_id: GameId,
    pub player_id: PlayerId,
    pub answer: Answer,
    pub answered_by: UserId,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
}

/// Whether somebody comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    Yes,
    No,
    Maybe,
}

/// A link with which everybody can follow a game. Only the hash of its secret is kept.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "GAME#{game_id}", sk = "SHARE#{share_id}")]
pub struct Share {
    pub game_id: GameId,
    pub share_id: ShareId,
    pub team_id: TeamId,
    pub token_hash: String,
    pub created_by: UserId,
    #[created]
    pub created_at: Timestamp,
    #[updated]
    pub updated_at: Timestamp,
    #[version]
    #[serde(default)]
    pub ver: u64,
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
    /// What was done, such as `deleteGame`.
    pub action: String,
    /// What it was done to, such as `GAME#g1`.
    pub entity: String,
    /// What of it was before and is after, without personal data.
    #[serde(default)]
    pub before: BTreeMap<String, String>,
    #[serde(default)]
    pub after: BTreeMap<String, String>,
    pub request_id: Option<String>,
}
