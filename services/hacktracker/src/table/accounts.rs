//! Accounts, their memberships, and their roster slots.

use monotable::prelude::*;
use monotable_kit::{RequestKey, Words};

use crate::table::{ListShard, PlayerId, ScopeId, Stamps, TeamId, TeamType, UserId, Versioned};

/// An account; the id is the identity provider's subject.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "USER#{user_id}", sk = "METADATA")]
#[index(GSI1: pk = "COGNITO#{user_id}", sk = "USER")]
#[index(GSI2: pk = "ENTITY#USER{list_shard}", sk = "METADATA#{user_id}")]
pub struct User {
    /// The identity provider's subject.
    pub user_id: UserId,
    /// The address, in lower case.
    pub email: String,
    /// The first name; of a deleted user, a placeholder.
    pub first_name: String,
    /// The last name.
    pub last_name: String,
    /// The telephone number, as `+` and digits.
    pub phone_number: Option<String>,
    /// Whether the account is active. Absent means active.
    pub status: Option<Liveness>,
    /// The time when it was deleted.
    pub deleted_at: Option<Timestamp>,
    /// The time after which its rows may be deleted.
    pub purge_after: Option<Timestamp>,
    /// The part of the list of all users: see [`ListShard`].
    #[immutable]
    #[serde(default)]
    pub list_shard: ListShard,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

impl User {
    /// Returns whether it is not deleted.
    pub fn is_active(&self) -> bool {
        self.status != Some(Liveness::Deleted)
    }
}

/// Whether a user or a team is active, or deleted and kept for a while. Absent means active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Liveness {
    /// It is active.
    Active,
    /// It is deleted, and can be restored for a while. Unknown values are read as this one.
    #[serde(other)]
    Deleted,
}

/// A user's role in a team. The seed prints one without stamps.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "USER#{user_id}", sk = "TEAM#{team_id}")]
#[index(GSI3: pk = "TEAM#{team_id}", sk = "MEMBER#{user_id}")]
pub struct Membership {
    /// The user.
    pub user_id: UserId,
    /// The team.
    pub team_id: TeamId,
    /// The role of the user. Old rows have other names for it, so only the decoded value may be
    /// compared, never the stored text.
    pub role: Role,
    /// Whether the membership counts.
    pub status: MembershipStatus,
    /// The time of joining.
    pub joined_at: Timestamp,
    /// The user who sent the invitation. The creator of a team has none, which is stored as NULL.
    #[serde(serialize_with = "monotable::model::codec::or_null")]
    pub invited_by: Option<UserId>,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

impl Membership {
    /// Returns whether it counts.
    pub fn is_active(&self) -> bool {
        self.status == MembershipStatus::Active
    }
}

/// A row that every transaction writes which makes a user a member or an owner of a team. So such
/// transactions of one user run one after the other, and the account keeps its version. Users of
/// older programs have none until they join a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "USER#{user_id}", sk = "JOINS")]
pub struct UserJoins {
    /// The user.
    pub user_id: UserId,
    /// The number of such transactions.
    pub joins: u64,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Versioned,
}

/// The role of a member in a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Has full control; every team has exactly one.
    #[serde(alias = "team-owner")]
    Owner,
    /// Manages the roster and games.
    #[serde(alias = "team-coach")]
    Manager,
    /// Records what happens in games.
    #[serde(alias = "team-scorekeeper")]
    Scorekeeper,
    /// Sees everything, and edits the own profile. Unknown values are read as this one.
    #[serde(alias = "team-player", other)]
    Player,
}

/// Whether a membership counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum MembershipStatus {
    /// It counts.
    Active,
    /// The member left.
    Left,
    /// The member was removed. Unknown values are read as this one.
    #[serde(other)]
    Removed,
}

/// The stored response to a user's request with an `Idempotency-Key`, as the kit stores it:
/// declared here because a response may contain personal data.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(rule = RequestKey)]
#[key(pk = "IDEMPOTENCY#{user_id}", sk = "{scope}#{key}")]
pub struct RequestRecord {
    /// The caller.
    pub user_id: UserId,
    /// A hash of the scope in which the key is unique.
    pub scope: ScopeId,
    /// A hash of the key.
    pub key: ScopeId,
    /// The expiry, in seconds since 1970.
    pub ttl: Option<i64>,
    /// The stored response.
    #[serde(default)]
    pub v: Kept,
}

/// The stored response of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The body of the response.
    #[serde(default)]
    pub body: String,
}

impl RequestRecord {
    /// Returns whether the response contains personal data.
    pub fn tells(&self) -> bool {
        !self.v.body.is_empty()
    }
}

/// The periods in which a player's slot belonged to a user, for career statistics.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "USER#{user_id}", sk = "PLAYERLINK#{player_id}")]
pub struct PlayerLink {
    /// The user.
    pub user_id: UserId,
    /// The roster slot.
    pub player_id: PlayerId,
    /// The team of the slot.
    pub team_id: TeamId,
    /// The name of the team at the time of the link; the team may be deleted.
    pub team_name: String,
    /// The type of the team, for the same reason.
    #[serde(rename = "team_type")]
    pub team_type: Option<TeamType>,
    /// The periods in which the slot belonged to the user, in order.
    pub periods: Vec<Period>,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

impl PlayerLink {
    /// Returns whether events at this time count for the user.
    pub fn covers(&self, at: Timestamp) -> bool {
        self.periods.iter().any(|period| period.covers(at))
    }
}

/// A period in which a user was linked to a player; absent limits are the beginning and the
/// present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// The first instant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// The first instant after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Timestamp>,
}

impl Period {
    /// Returns whether a time lies in it: from `from` on, before `to`.
    pub fn covers(&self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at < to)
    }
}
