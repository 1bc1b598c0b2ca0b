//! What requests leave behind.

use monotable::model::key::encode_free_text;
use monotable::prelude::*;
use monotable_kit::{OfRequest, RecordKeys, RecordScope};

use crate::table::{RowId, TeamId};

/// The response to a request with an `Idempotency-Key`. Only hashes are in the key of the row: a scope contains the user, and
/// clients choose their keys.
#[derive(RuleKey, Clone, Debug, PartialEq, Eq)]
#[rule(Idempotency, pk = "IDEM#{scope}", sk = "{key}", type = "IDEMPOTENCY")]
pub struct RequestKey {
    scope: RowId,
    key: RowId,
}

impl OfRequest for RequestKey {
    fn of_request(request: &RecordScope) -> RecordKeys<Self> {
        RecordKeys::Own(Self {
            scope: RowId::of_word(request.hash()),
            key: RowId::of_word(request.key_hash()),
        })
    }
}

/// The calls of an operation in each window of time, which are limited.
#[derive(RuleKey, Clone, Debug)]
#[rule(RateWindow, pk = "RATE#{subject}", sk = "{name}#{window}", type = "RATE")]
pub struct Calls {
    subject: String,
    name: RowId,
}

impl Calls {
    /// Returns the key of a subject's calls under the name of a limit.
    pub fn new(subject: &str, name: &str) -> Self {
        Self { subject: encode_free_text(subject), name: RowId::of_word(name.to_owned()) }
    }
}

/// The tokens that a model has used for a team.
#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "TEAM#{team_id}", sk = "TOKENS", type = "TOKENS")]
pub struct TokensUsed {
    /// The team.
    pub team_id: TeamId,
}

/// The row of that counter, known here because it goes with the team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(rule = TokensUsed)]
#[key(pk = "TEAM#{team_id}", sk = "TOKENS")]
pub struct TokenCount {
    /// The team.
    pub team_id: TeamId,
}

/// The game that has an id of a team or a level: no two games have the same one.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "ID#{id}", sk = "GAME", value = game_id, type = "ID_GUARD")]
pub struct IdGuard {
    id: RowId,
}

impl IdGuard {
    /// Returns the guard of an id.
    pub fn of(id: &impl AsRef<str>) -> Self {
        Self { id: RowId::of_word(id.as_ref().to_owned()) }
    }
}
