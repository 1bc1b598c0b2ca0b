//! Tables with different habits: names of keys, type attribute, expiry, codec.

use monotable_model::{Entity, table};
use serde::{Deserialize, Serialize};

use super::keys::{
    ActiveGame, Calls, Done, FlatCalls, FlatGuard, FlatRequest, GameLockGuard, JoinRequest, Level,
    MatchLease, MatchLock, MatchLog, NamedGuard, NamedJob, Provision, Setting, ShortLog, Slot,
    Tokens,
};

/// Something that is written together with a rule.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
pub struct PlainGame {
    #[immutable]
    pub game_id: String,
}

/// A lock of a game, which a guard keeps.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(rule = GameLockGuard)]
#[key(pk = "GAME#{game_id}", sk = "LOCK")]
pub struct GameLock {
    #[immutable]
    #[key_only]
    pub game_id: String,
    pub owner: String,
}

/// The same as JSON text, with attributes next to it.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = envelope("data"))]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
pub struct EnvelopeGame {
    #[immutable]
    pub game_id: String,
}

/// The same as a value row.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
pub struct ValueGame {
    #[immutable]
    pub game_id: String,
}

/// The same without a sort key.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "GAME#{game_id}")]
pub struct FlatGame {
    #[immutable]
    pub game_id: String,
}

table! {
    /// Plain attributes, a type attribute, an expiry of its own name.
    pub Club {
        name = "club";
        key(PK, SK);
        type_attribute = ItemType;
        ttl = expires_at;
        entities(PlainGame, GameLock);
        rules(
            ActiveGame, Slot, Tokens, Calls, MatchLock, Provision, Done, Level, MatchLog, JoinRequest, Setting,
            NamedGuard, GameLockGuard, NamedJob, ShortLog
        );
    }
}

table! {
    /// JSON text with attributes next to it, and no declared expiry.
    pub Cabinet {
        name = "cabinet";
        key(pk, sk);
        type_attribute = entityType;
        codec = envelope("data");
        entities(EnvelopeGame);
        rules(
            ActiveGame, Slot, Tokens, Calls, MatchLock, Provision, Done, Level, MatchLog, JoinRequest, Setting
        );
    }
}

table! {
    /// A key-value table.
    pub KeyValue {
        name = "btlrun_kv";
        key(pk, sk);
        type_attribute = none;
        ttl = ttl;
        codec = value_row;
        entities(ValueGame);
        rules(
            ActiveGame, Slot, Tokens, Calls, MatchLock, Provision, Done, Level, MatchLog, JoinRequest, Setting,
            MatchLease
        );
    }
}

table! {
    /// One key attribute.
    pub Flat {
        name = "flat";
        key(id);
        type_attribute = none;
        ttl = ttl;
        entities(FlatGame);
        rules(FlatGuard, FlatCalls, FlatRequest);
    }
}
