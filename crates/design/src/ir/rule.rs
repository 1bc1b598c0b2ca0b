//! Rule keys in the owned form.

use serde::{Deserialize, Serialize};

use super::of::{allows, key, location};
use super::{Allow, Key, Location};
use crate::meta::{self, RuleMeta};

/// One rule key: where guards, counters, locks and other rules keep their rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The name of its type.
    pub name: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// What is kept under the key.
    pub kinds: Vec<RuleKind>,
    /// The templates of the key.
    pub key: Key,
    /// The sort key of a log's snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// The attributes in which the rule keeps its values.
    pub attributes: RuleAttributes,
    /// Rules not followed by this key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allows: Vec<Allow>,
    /// Where it is declared.
    pub location: Location,
}

/// What a rule key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    /// A row that at most one owner holds.
    Guard,
    /// A number within limits.
    Counter,
    /// A lock with a lease and a fence.
    Lock,
    /// A number for each window of time.
    RateWindow,
    /// The response to a request that has its effect once.
    Idempotency,
    /// Events in sequence, and their snapshot.
    Log,
    /// Work in steps.
    Job,
    /// A value with a version.
    Record,
}

/// The attributes that a rule writes, as far as its kinds have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleAttributes {
    /// The value.
    pub value: String,
    /// The version, or the fence of a lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The end of a lease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<String>,
    /// The number of a snapshot's last event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<String>,
    /// The expiry, where it is not the table's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// The attribute in which an older program kept the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former_value: Option<String>,
    /// The type of the rows, where it is not the kind in upper case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
}

impl Rule {
    /// Returns the owned form of a rule key.
    pub(super) fn of(rule: &RuleMeta) -> Self {
        let row = &rule.row;
        let snapshot = row.mirrors.first().and_then(|mirror| mirror.key?.sort);
        let owned = |name: Option<&str>| name.map(str::to_owned);
        let [_, version, lease, sequence, expiry] = rule.written();
        Self {
            name: row.name.to_owned(),
            doc: row.doc.to_owned(),
            kinds: rule.kinds.iter().copied().map(kind).collect(),
            key: key(row, &row.key),
            snapshot: snapshot.map(|sort| sort.text.to_owned()),
            attributes: RuleAttributes {
                value: rule.attributes.value.to_owned(),
                version: owned(version),
                lease: owned(lease),
                sequence: owned(sequence),
                expiry: owned(expiry),
                former_value: owned(rule.attributes.former_value),
                type_name: owned(rule.attributes.type_name),
            },
            allows: allows(row.allows),
            location: location(row.location),
        }
    }
}

fn kind(kind: meta::RuleKind) -> RuleKind {
    match kind {
        meta::RuleKind::Guard => RuleKind::Guard,
        meta::RuleKind::Counter => RuleKind::Counter,
        meta::RuleKind::Lock => RuleKind::Lock,
        meta::RuleKind::RateWindow => RuleKind::RateWindow,
        meta::RuleKind::Idempotency => RuleKind::Idempotency,
        meta::RuleKind::Log => RuleKind::Log,
        meta::RuleKind::Job => RuleKind::Job,
        meta::RuleKind::Record => RuleKind::Record,
    }
}

impl RuleKind {
    /// Returns the words of documents.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Counter => "counter",
            Self::Lock => "lock",
            Self::RateWindow => "rate window",
            Self::Idempotency => "idempotency record",
            Self::Log => "log",
            Self::Job => "job",
            Self::Record => "record",
        }
    }
}
