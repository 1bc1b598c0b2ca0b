//! What is different about the table itself, its indexes and its access patterns.

use super::change::Change;
use super::pair::pair;
use crate::Design;
use crate::ir::{Index, IndexKind, Location, Pattern, Projection, Rule};

/// The table's name and its attributes.
pub(super) fn attributes(older: &Design, newer: &Design, changes: &mut Vec<Change>) {
    if older.table_name != newer.table_name {
        let (from, to) = (older.table_name.clone(), newer.table_name.clone());
        changes.push(Change::TableName { from, to });
    }
    let key = |design: &Design| -> Vec<String> {
        std::iter::once(&design.partition_key).chain(&design.sort_key).cloned().collect()
    };
    if key(older) != key(newer) {
        changes.push(Change::TableKey { from: key(older), to: key(newer) });
    }
    if older.type_attribute != newer.type_attribute {
        let pairs = super::entity::pairs(older, newer);
        let entities = pairs.both.iter().map(|(_, newer)| newer.name.clone());
        changes.push(Change::TypeAttribute {
            from: older.type_attribute.clone(),
            to: newer.type_attribute.clone(),
            entities: entities.collect(),
        });
    }
    if older.ttl_attribute != newer.ttl_attribute {
        let (from, to) = (older.ttl_attribute.clone(), newer.ttl_attribute.clone());
        changes.push(Change::TtlAttribute { from, to });
    }
}

/// The indexes by name.
pub(super) fn indexes(older: &Design, newer: &Design, changes: &mut Vec<Change>) {
    let pairs = pair(&older.indexes, &newer.indexes, &[|one, other| one.name == other.name]);
    changes.extend(pairs.added.into_iter().cloned().map(Change::IndexAdded));
    for (from, to) in pairs.both {
        if bare_index(older, from) != bare_index(newer, to) {
            changes.push(Change::IndexChanged { from: from.clone(), to: to.clone() });
        }
    }
    changes.extend(pairs.removed.into_iter().cloned().map(Change::IndexRemoved));
}

/// Returns an index without its permissions. A local one may name the table's partition key or
/// leave it out, and the order of projected attributes is irrelevant.
fn bare_index(design: &Design, index: &Index) -> Index {
    let mut index = Index { allows: Vec::new(), ..index.clone() };
    if index.kind == IndexKind::Local && index.partition == [design.partition_key.as_str()] {
        index.partition.clear();
    }
    if let Projection::Include(attributes) = &mut index.projection {
        attributes.sort();
    }
    index
}

/// The rule keys by name.
pub(super) fn rules(older: &Design, newer: &Design, changes: &mut Vec<Change>) {
    let pairs = pair(&older.rules, &newer.rules, &[|one, other| one.name == other.name]);
    let name = |rule: &Rule| rule.name.clone();
    changes.extend(pairs.added.into_iter().map(name).map(Change::RuleAdded));
    for (from, to) in pairs.both {
        if bare_rule(from) != bare_rule(to) {
            changes.push(Change::RuleChanged(to.name.clone()));
        }
    }
    changes.extend(pairs.removed.into_iter().map(name).map(Change::RuleRemoved));
}

/// Returns a rule key without what only documents it.
fn bare_rule(rule: &Rule) -> Rule {
    Rule {
        doc: String::new(),
        allows: Vec::new(),
        location: Location { file: String::new(), line: 0 },
        ..rule.clone()
    }
}

/// The access patterns by the name of their set and their own.
pub(super) fn patterns(older: &Design, newer: &Design, changes: &mut Vec<Change>) {
    let (older, newer) = (named(older), named(newer));
    let pairs = pair(&older, &newer, &[|one, other| one.0 == other.0]);
    let name = |(name, _): &(String, Pattern)| name.clone();
    changes.extend(pairs.added.into_iter().map(name).map(Change::PatternAdded));
    for ((_, from), (name, to)) in pairs.both {
        if from != to {
            changes.push(Change::PatternChanged(name.clone()));
        }
    }
    changes.extend(pairs.removed.into_iter().map(name).map(Change::PatternRemoved));
}

/// Returns every pattern with its whole name, without what only documents it.
fn named(design: &Design) -> Vec<(String, Pattern)> {
    let sets = design.pattern_sets.iter();
    let patterns = sets.flat_map(|set| set.patterns.iter().map(move |pattern| (set, pattern)));
    let bare = |pattern: &Pattern| Pattern {
        doc: String::new(),
        allows: Vec::new(),
        location: Location { file: String::new(), line: 0 },
        ..pattern.clone()
    };
    patterns.map(|(set, one)| (format!("{}::{}", set.name, one.name), bare(one))).collect()
}
