//! Who plays, and how they find their matches.

use monotable::prelude::*;
use monotable_kit::Words;

use crate::table::{InviteCode, MatchId, Stamps, UserId};

/// A code to join a match with, for as long as its lobby is open.
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
    /// When it was made, in milliseconds since 1970.
    #[serde(rename = "createdAt", default)]
    pub created_at: i64,
    /// How often it was written.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
    /// When it can't be used any more.
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
    /// What the user is called.
    #[serde(rename = "displayName")]
    pub display_name: String,
    /// A picture, by its name or address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// What the user has done.
    #[serde(default)]
    pub stats: ProfileStats,
    /// When it was made, in milliseconds since 1970.
    #[serde(rename = "createdAt", default)]
    pub created_at: i64,
    /// How often it was written.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// What a user has done in ended matches.
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
    /// When the match was created.
    #[key_only]
    #[immutable]
    pub created_at: Timestamp,
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// What the user is in it.
    pub role: MyRole,
    /// How it ended for the user's tribute. It is written together with the profile that counts it, so
    /// that no match is counted twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<MyResult>,
    /// When an ended match is forgotten.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// What a user is in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum MyRole {
    /// Who created it.
    Host,
    /// Who plays in it.
    Player,
    /// Both.
    HostAndPlayer,
    /// Who played in it, and went before the start. The log remembers them still.
    Left,
}

/// How a match ended for the tribute of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MyResult {
    /// The tribute's rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Whether it won.
    pub won: bool,
    /// Whom it killed, as a number.
    pub kills: u32,
}

/// The lobbies that a user has opened. The limit on them is decided by the version of this row.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "user#{user_id}", sk = "lobbies")]
pub struct Lobbies {
    /// The user.
    #[key_only]
    pub user_id: UserId,
    /// Their matches. One that has begun or ended goes when the next is opened.
    pub open: Vec<MatchId>,
    /// How often it was written.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}
