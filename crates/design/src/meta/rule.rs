//! Rule keys as constants: the rows in which guards, counters, locks and other rules are kept.

use crate::text;

use super::{Allow, EntityMeta, FieldMeta, KeyMeta, Location, MirrorMeta};

/// A rule key: where a rule keeps its rows.
#[derive(Clone, Copy, Debug)]
pub struct RuleMeta {
    /// What is kept under the key.
    pub kinds: &'static [RuleKind],
    /// The rows as those of an entity that has only its key, so that the rules about keys apply to them.
    /// A log has two: its events, and its snapshot as a mirror.
    pub row: EntityMeta,
    /// The attributes in which the rule keeps its values.
    pub attributes: RuleAttributes,
}

/// What a rule key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl RuleKind {
    /// Returns the name in messages and in documents, and in upper case the type of the row.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Counter => "counter",
            Self::Lock => "lock",
            Self::RateWindow => "rate",
            Self::Idempotency => "idempotency",
            Self::Log => "log",
            Self::Job => "job",
            Self::Record => "record",
        }
    }
}

/// The attributes of a row that a rule keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleAttributes {
    /// The value: the holder of a guard, the number of a counter, the token of a lock.
    pub value: &'static str,
    /// The version of records, snapshots and jobs, and the fence of locks.
    pub version: &'static str,
    /// The expiry; the table's attribute unless set.
    pub expiry: Option<&'static str>,
    /// The end of a lease, of locks and jobs.
    pub lease: &'static str,
    /// The number of a snapshot's last event.
    pub sequence: &'static str,
    /// The attribute in which an older program kept the value of a record.
    pub former_value: Option<&'static str>,
    /// The type of the rows, in tables that have a type attribute; the kind in upper case unless set.
    pub type_name: Option<&'static str>,
}

impl RuleAttributes {
    /// The attributes of a key-value table.
    pub const DEFAULT: Self = Self {
        value: "v",
        version: "ver",
        expiry: None,
        lease: "lease",
        sequence: "seq",
        former_value: None,
        type_name: None,
    };
}

impl RuleMeta {
    /// Returns a placeholder for a rule key whose declaration has errors. No rule checks it.
    pub const fn unreadable(name: &'static str) -> Self {
        let row = EntityMeta::unreadable(name);
        Self { kinds: &[], row, attributes: RuleAttributes::DEFAULT }
    }

    /// Returns the attributes that the rule writes: value, version, lease, sequence and expiry, as far as its kinds
    /// have them. The expiry is listed only where it is not the table's.
    pub const fn written(&self) -> [Option<&'static str>; 5] {
        let RuleAttributes { value, version, lease, sequence, expiry, .. } = self.attributes;
        let (mut has_version, mut has_lease, mut has_sequence) = (false, false, false);
        let mut kinds = self.kinds;
        while let [kind, rest @ ..] = kinds {
            match kind {
                RuleKind::Lock | RuleKind::Job => (has_version, has_lease) = (true, true),
                RuleKind::Log => (has_version, has_sequence) = (true, true),
                RuleKind::Record => has_version = true,
                RuleKind::Guard
                | RuleKind::Counter
                | RuleKind::RateWindow
                | RuleKind::Idempotency => {}
            }
            kinds = rest;
        }
        [
            Some(value),
            if has_version { Some(version) } else { None },
            if has_lease { Some(lease) } else { None },
            if has_sequence { Some(sequence) } else { None },
            expiry,
        ]
    }
}

impl EntityMeta {
    /// Returns whether it is the row of a rule key: only those have no type name.
    pub const fn is_rule_row(&self) -> bool {
        self.type_name.is_empty()
    }

    /// Returns whether it reads the rows of a rule key.
    pub const fn reads_rule(&self, rule: &Self) -> bool {
        match self.rule {
            Some(read) => text::equal(read.row.name, rule.name),
            None => false,
        }
    }

    /// Returns the rows of a rule key.
    pub const fn of_rule(
        (name, doc): (&'static str, &'static str),
        fields: &'static [FieldMeta],
        key: KeyMeta,
        mirrors: &'static [MirrorMeta],
        allows: &'static [Allow],
        location: Location,
    ) -> Self {
        let unreadable = Self::unreadable(name);
        Self { doc, fields, key, mirrors, allows, location, ..unreadable }
    }
}

impl FieldMeta {
    /// Returns a field of a rule key, which is only in the key and never changes.
    pub const fn of_rule_key(
        name: &'static str,
        rust_type: &'static str,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            attribute: name,
            aliases: &[],
            rust_type,
            wire_type: super::WireType::Unknown,
            is_required: true,
            is_immutable: true,
            is_counter: false,
            is_top_level: false,
            is_key_only: true,
            is_value: false,
            copy_of: None,
            stamp: None,
            doc,
        }
    }
}
