//! Teams, and their rows besides players and games: seasons, invitations, and the audit.

use std::collections::BTreeMap;

use monotable::prelude::*;
use monotable_kit::Words;

use crate::table::{
    AuditId, InviteId, ListShard, Liveness, PlayerId, Role, SeasonId, Stamps, TeamId, UserId,
    Versioned,
};

/// A team: with a roster, or one person's own.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI2: pk = "ENTITY#TEAM{list_shard}", sk = "METADATA#{team_id}")]
pub struct Team {
    /// The team.
    pub team_id: TeamId,
    /// Its name.
    pub name: String,
    /// A few words about it.
    pub description: Option<String>,
    /// The owner: the one member with the role `owner`.
    pub owner_id: UserId,
    /// Absent in old rows: see [`Team::kind`].
    #[serde(rename = "team_type")]
    pub team_type: Option<TeamType>,
    /// The older form of the type.
    pub is_personal: Option<bool>,
    /// Whether the team is active. Absent means active.
    pub status: Option<Liveness>,
    /// The time when it was deleted.
    pub deleted_at: Option<Timestamp>,
    /// The time after which its rows may be deleted.
    pub purge_after: Option<Timestamp>,
    /// The hash of the token that restores a deleted team.
    pub recovery_token: Option<String>,
    /// The part of the list of all teams: see [`ListShard`].
    #[immutable]
    #[serde(default)]
    pub list_shard: ListShard,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// The type of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "UPPERCASE")]
pub enum TeamType {
    /// One person's own statistics.
    Personal,
    /// A roster of several players and a lineup. Unknown values are read as this one.
    #[serde(other)]
    Managed,
}

impl Team {
    /// Returns the type of the team, also for old rows.
    pub fn kind(&self) -> TeamType {
        match (self.team_type, self.is_personal) {
            (Some(kind), _) => kind,
            (None, Some(true)) => TeamType::Personal,
            (None, _) => TeamType::Managed,
        }
    }

    /// Returns whether it is not deleted.
    pub fn is_active(&self) -> bool {
        self.status != Some(Liveness::Deleted)
    }
}

/// The counts of a team that must not be decided by an index: whether it has members besides the
/// owner, and how many invitations are open. Teams of older programs have no such row until one of
/// them changes.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "COUNTS")]
pub struct TeamCounts {
    /// The team.
    pub team_id: TeamId,
    /// The number of members that count; only the changes, as long as earlier members have not been
    /// counted.
    #[counter]
    #[serde(default)]
    pub members: i64,
    /// Whether all members are counted: since the team was created, or by the backfill.
    pub members_counted: Option<bool>,
    /// The number of invitations that were neither accepted nor revoked.
    #[counter]
    #[serde(default)]
    pub open_invites: i64,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Versioned,
}

impl TeamCounts {
    /// Returns the counts of a new team with its owner.
    pub fn of_new_team(team_id: TeamId) -> Self {
        Self {
            team_id,
            members: 1,
            members_counted: Some(true),
            open_invites: 0,
            stamps: Versioned::default(),
        }
    }

    /// Returns the counts of a team whose members have not been counted.
    pub fn uncounted(team_id: TeamId) -> Self {
        Self {
            team_id,
            members: 0,
            members_counted: None,
            open_invites: 0,
            stamps: Versioned::default(),
        }
    }
}

/// An invitation to a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "INVITE#{invite_id}", sk = "METADATA")]
#[index(GSI3: pk = "TEAM#{team_id}", sk = "INVITE#{invite_id}")]
pub struct Invite {
    /// The invitation.
    pub invite_id: InviteId,
    /// The team.
    #[immutable]
    pub team_id: TeamId,
    /// The role that it gives.
    pub role: Role,
    /// The roster slot of the new member.
    pub player_id: Option<PlayerId>,
    /// The address that it was sent to, in lower case.
    pub email: Option<String>,
    /// The hash of its secret.
    pub token_hash: String,
    /// Its status.
    pub status: InviteStatus,
    /// The time until which it can be accepted.
    pub expires_at: Timestamp,
    /// The user who invites.
    pub created_by: UserId,
    /// The user who accepted it.
    pub accepted_by: Option<UserId>,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

impl Invite {
    /// Returns whether the invitation was neither accepted nor revoked.
    pub fn is_open(&self) -> bool {
        self.status == InviteStatus::Pending
    }

    /// Returns whether it can still be accepted.
    pub fn is_pending(&self, now: Timestamp) -> bool {
        self.is_open() && self.expires_at > now
    }
}

/// The status of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InviteStatus {
    /// It is open.
    Pending,
    /// It was accepted.
    Accepted,
    /// It was revoked. Unknown values are read as this one.
    #[serde(other)]
    Revoked,
}

/// A season of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "SEASON#{season_id}")]
pub struct Season {
    /// The team.
    pub team_id: TeamId,
    /// The season.
    pub season_id: SeasonId,
    /// Its name.
    pub name: String,
    /// Its first day.
    pub starts_on: Option<Date>,
    /// Its last day.
    pub ends_on: Option<Date>,
    /// The stamps that the modelling layer writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// The number of games of a team in a season, as a counter stores it: declared here because it is
/// deleted with the team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(rule = SeasonGames)]
#[key(pk = "TEAM#{team_id}", sk = "GAMES#{season_id}")]
pub struct SeasonPlaces {
    /// The team.
    pub team_id: TeamId,
    /// The season; `-` for games without one.
    pub season_id: SeasonId,
}

/// The number of games that a team has in a season, which is limited.
#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "TEAM#{team_id}", sk = "GAMES#{season_id}")]
pub struct SeasonGames {
    /// The team.
    pub team_id: TeamId,
    /// The season; [`SeasonId::none`] for games without one.
    pub season_id: SeasonId,
}

monotable_kit::audit! {
    /// The audit of a team: its changes and their authors.
    pub Audit("TEAM#{team_id}") {
        /// The team.
        team_id: TeamId, audit_id: AuditId, actor: UserId
    }
}
