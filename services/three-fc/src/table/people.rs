//! Players, users, and what requests and sign-in leave behind.

use monotable::prelude::*;
use monotable_kit::{OfRequest, RecordKeys, RecordScope};

use crate::table::{
    Ending, GameId, LeagueId, PlayerId, ScopeId, SeasonId, Stamps, StartTime, TeamId, UserId,
};

envelope! {
    /// A player, in any league. Nicknames need not be unique.
    #[entity(type = "player", codec = envelope("data"))]
    #[key(pk = "PLAYER#{player_id}", sk = "PROFILE")]
    pub struct Player {
        pub player_id: PlayerId,
        pub nickname: String,
        pub claimed_by_user_id: Option<UserId>,
        /// A short text. Other programs may keep an address there.
        pub avatar: Option<String>,
        /// The key of the picture in the store of blobs.
        pub avatar_key: Option<String>,
        /// The league in which the player was made. Older programs did not write it.
        pub league_id: Option<LeagueId>,
    }
}

envelope! {
    /// A finished game that a player took part in.
    #[entity(
        type = "appearance",
        codec = envelope("data"),
        allow(W01, because = "it follows from the game, whose version the same transaction checks")
    )]
    #[key(pk = "PLAYER#{player_id}", sk = "APP#{season_id}#{game_start_ts}#{game_id}")]
    pub struct Appearance {
        pub player_id: PlayerId,
        pub season_id: SeasonId,
        #[immutable]
        pub game_start_ts: StartTime,
        pub game_id: GameId,
        pub team_id: Option<TeamId>,
        pub outcome: Option<Ending>,
        /// Goals without own goals.
        #[serde(default)]
        pub goals: u16,
        #[serde(default)]
        pub own_goals: u16,
        #[serde(default)]
        pub assists: u16,
    }
}

envelope! {
    /// A user's account. An address belongs to one account.
    #[entity(type = "user", codec = envelope("data"))]
    #[key(pk = "USER#{user_id}", sk = "PROFILE")]
    #[unique(email, pk = "EMAIL#{email}", sk = "UNIQUE")]
    pub struct User {
        pub user_id: UserId,
        /// The verified address, in lower case.
        pub email: Option<String>,
        /// When it was deleted; its last rows follow.
        #[top]
        pub deleted_at: Option<Timestamp>,
    }
}

envelope! {
    /// A player that a user has claimed.
    #[entity(type = "playerClaim", codec = envelope("data"))]
    #[key(pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
    pub struct PlayerClaim {
        pub user_id: UserId,
        pub player_id: PlayerId,
    }
}

impl PlayerClaim {
    /// Makes a player a user's own.
    pub(crate) fn of(user_id: &UserId, player_id: &PlayerId) -> Self {
        let (user_id, player_id) = (user_id.clone(), player_id.clone());
        Self { user_id, player_id, stamps: Stamps::default() }
    }
}

/// The response to a request with an `Idempotency-Key`. Only hashes are in the key of the row: a scope
/// contains the user, and clients choose their keys.
#[derive(RuleKey, Clone, Debug, PartialEq, Eq)]
#[rule(
    Idempotency,
    pk = "IDEMPOTENCY#{scope}#{key}",
    sk = "METADATA",
    value = data,
    type = "idempotency"
)]
pub struct RequestKey {
    scope: ScopeId,
    key: ScopeId,
}

impl OfRequest for RequestKey {
    fn of_request(request: &RecordScope) -> RecordKeys<Self> {
        RecordKeys::Own(Self {
            scope: ScopeId::of_hash(request.hash()),
            key: ScopeId::of_hash(request.key_hash()),
        })
    }
}
