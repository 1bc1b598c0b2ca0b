//! The rows of a match.

use std::collections::BTreeMap;

use monotable::prelude::*;

use crate::rules::events::Event;
use crate::rules::narration::Summary;
use crate::rules::rng::Seed;
use crate::rules::state::MatchState;
use crate::table::value::reads_value;
use crate::table::{AllianceId, InviteCode, MatchId, Stamps, TributeId};

/// The state of a match. Its version is always that of the row.
#[derive(Entity, Clone, Debug, PartialEq, Serialize)]
#[entity(codec = value_row)]
#[key(pk = "match#{match_id}", sk = "state")]
pub struct MatchRow {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The state.
    #[serde(flatten)]
    pub state: MatchState,
    /// The number of writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

reads_value!(MatchRow { state, match_id, ttl } default stamps);

/// The events of a match, in order.
#[derive(Entity, Clone, Debug, PartialEq, Serialize)]
#[entity(
    codec = value_row,
    allow(K05, because = "a match ends at 999,999 events"),
    allow(W03, because = "an edit holds only if the whole value is as it was read")
)]
#[key(pk = "match#{match_id}", sk = "log#{number:06}")]
pub struct EventRow {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The event's number.
    #[key_only]
    #[immutable]
    pub number: u32,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

reads_value!(EventRow { event, match_id, number, ttl });

/// The events of a match that spreads its log over partitions.
#[derive(Entity, Clone, Debug, PartialEq, Serialize)]
#[entity(
    codec = value_row,
    allow(K05, because = "a match ends at 999,999 events"),
    allow(W03, because = "an edit holds only if the whole value is as it was read")
)]
#[key(pk = "match#{match_id}#shard{shard}", sk = "log#{number:06}", shards = 4, by = number)]
pub struct ShardedEventRow {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The event's number.
    #[key_only]
    #[immutable]
    pub number: u32,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

reads_value!(ShardedEventRow { event, match_id, number, ttl });

/// The story of a day. Days are not padded, so readers sort them.
#[derive(Entity, Clone, Debug, PartialEq, Serialize)]
#[entity(
    codec = value_row,
    allow(K04, because = "days are written without zeros; readers sort"),
    allow(W03, because = "an edit holds only if the whole value is as it was read"),
    allow(W01, because = "a summary follows from the log, which is written with it")
)]
#[key(pk = "match#{match_id}", sk = "summary#{number}")]
pub struct SummaryRow {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The day.
    #[key_only]
    #[immutable]
    pub number: u32,
    /// The summary.
    #[serde(flatten)]
    pub summary: Summary,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

reads_value!(SummaryRow { summary, match_id, number, ttl });

/// The secrets of a match until its end, and its tokens.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "match#{match_id}", sk = "secret")]
pub struct SecretRow {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The seed of the random numbers of its turns.
    pub seed: Seed,
    /// Hashes of the tokens.
    #[serde(rename = "tokenHashes")]
    pub token_hashes: TokenHashes,
    /// The code to join, while the lobby is open.
    #[serde(rename = "inviteCode", default, skip_serializing_if = "Option::is_none")]
    pub invite_code: Option<InviteCode>,
    /// Whether the host wants to keep the match.
    #[serde(default)]
    pub pinned: bool,
    /// The number of writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The accepted tokens of a match: hashes of secrets, never the secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenHashes {
    /// The token of the host.
    pub admin: String,
    /// The tokens of players, by tribute.
    #[serde(default)]
    pub players: BTreeMap<TributeId, String>,
}

/// A message among allies.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    allow(K05, because = "an alliance has fewer messages than 999,999"),
    allow(W03, because = "an edit holds only if the whole value is as it was read")
)]
#[key(pk = "match#{match_id}", sk = "ally#{alliance_id}#{seq:06}")]
pub struct AllianceMessage {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The alliance.
    #[serde(rename = "allianceId")]
    pub alliance_id: AllianceId,
    /// Its number among the alliance's messages.
    #[immutable]
    pub seq: u32,
    /// The author.
    #[serde(rename = "tributeId")]
    pub tribute_id: TributeId,
    /// Its text.
    pub text: String,
    /// The time when it was written, in milliseconds since 1970.
    pub timestamp: i64,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}
