//! Users, and their matches.

use monotable::prelude::*;
use monotable_kit::Words;

use crate::table::{InviteCode, MatchId, Stamps, UserId};

/// A code to join a match, valid while its lobby is open.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "invite#{code}", sk = "meta")]
pub struct Invite {
    /// The code.
    #[key_only]
    pub code: InviteCode,
    /// The match.
    #[serde(rename = "matchId")]
    pub match_id: MatchId,
    /// The time when it was created, in milliseconds since 1970.
    #[serde(rename = "createdAt", default)]
    pub created_at: i64,
    /// The number of writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
    /// The time after which it is invalid.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// A player's profile.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "user#{user_id}", sk = "profile")]
pub struct Profile {
    /// The user.
    #[serde(rename = "userId")]
    pub user_id: UserId,
    /// The displayed name of the user.
    #[serde(rename = "displayName")]
    pub display_name: String,
    /// A picture, by its name or address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// The user's statistics.
    #[serde(default)]
    pub stats: ProfileStats,
    /// The time when it was created, in milliseconds since 1970.
    #[serde(rename = "createdAt", default)]
    pub created_at: i64,
    /// The number of writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// The statistics of a user in ended matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProfileStats {
    /// Matches played to their end.
    pub played: u32,
    /// Matches won.
    pub won: u32,
    /// Tributes killed.
    pub kills: u32,
    /// The best rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_rank: Option<u32>,
}

/// A match of a user, newest last.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    allow(W03, because = "an edit holds only if the whole value is as it was read"),
    allow(W01, because = "what a user is in a match follows from the match, which is written with it")
)]
#[key(pk = "user#{user_id}", sk = "match#{created_at}#{match_id}")]
pub struct MyMatch {
    /// The user.
    #[key_only]
    pub user_id: UserId,
    /// The time when the match was created.
    #[key_only]
    #[immutable]
    pub created_at: Timestamp,
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The user's role in it.
    pub role: MyRole,
    /// The result of the user's tribute. It is written together with the profile that counts it, so
    /// that no match is counted twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<MyResult>,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The role of a user in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum MyRole {
    /// The user created it.
    Host,
    /// The user plays in it.
    Player,
    /// Both.
    HostAndPlayer,
    /// The user left before the start. The log still contains the user.
    Left,
}

/// The result of a match for the tribute of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MyResult {
    /// The tribute's rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Whether it won.
    pub won: bool,
    /// The number of tributes that it killed.
    pub kills: u32,
}

/// The lobbies that a user has opened. Their limit is checked with the version of this row.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "user#{user_id}", sk = "lobbies")]
pub struct Lobbies {
    /// The user.
    #[key_only]
    pub user_id: UserId,
    /// Their matches. Started and ended ones are removed when the next lobby is opened.
    pub open: Vec<MatchId>,
    /// The number of writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}
