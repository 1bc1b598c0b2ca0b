//! Permissions without effect, whose reasons would appear in the document without being true.

use std::fmt;

use super::findings::broken;
use crate::meta::{Allow, EntityMeta, Location, TableMeta};

/// Rules whose permission an entity needs for what the table does not show: calls of `put` and
/// `or_create`, reads that are written back, and attributes of serde.
const BEYOND_THE_TABLE: &[&str] = &["W01", "W02", "W03", "D04"];

/// One permission that permits nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnneededAllow {
    /// Who has it: `entity Player`, `index GSI1`, `pattern LeagueReads::roster`, `table League`.
    pub subject: String,
    /// The permission.
    pub allow: Allow,
    /// Where the subject is declared, or the table of an index.
    pub location: Location,
}

impl fmt::Display for UnneededAllow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (subject, rule) = (&self.subject, self.allow.rule);
        write!(
            formatter,
            "{subject} allows {rule}, but nothing breaks that rule; remove the `allow`"
        )
    }
}

/// Returns every permission of a table without which no rule would be broken, in the order of the
/// declarations. If two permit the same, the unused one is listed.
///
/// What only the macros or the callers can know is not judged: W01, W02 and D04 of an entity, W03 of one
/// without a version. An entity of several tables may need its permissions for another one.
pub fn unneeded_allows(table: &TableMeta) -> Vec<UnneededAllow> {
    // By address: two declarations may permit the same with the same words, and one of them in vain.
    let used: Vec<&Allow> = broken(table).into_iter().filter_map(|(_, allow)| allow).collect();
    let is_used = |allow: &Allow| used.iter().any(|used| std::ptr::eq(*used, allow));
    let mut unneeded = Vec::new();
    let mut list = |subject: String, location: Location, allows: &[&Allow]| {
        let allows = allows.iter().filter(|allow| !is_used(allow));
        unneeded.extend(allows.map(|allow| UnneededAllow {
            subject: subject.clone(),
            allow: **allow,
            location,
        }));
    };
    for entity in table.entities {
        let judged: Vec<_> =
            entity.allows.iter().filter(|allow| is_judged(entity, allow)).collect();
        list(format!("entity {}", entity.name), entity.location, &judged);
    }
    for index in table.indexes {
        let allows: Vec<_> = index.allows.iter().collect();
        list(format!("index {}", index.name), table.location, &allows);
    }
    for rule in table.rules {
        let allows: Vec<_> = rule.row.allows.iter().collect();
        list(format!("rule key {}", rule.row.name), rule.row.location, &allows);
    }
    let allows: Vec<_> = table.allows.iter().collect();
    list(format!("table {}", table.name), table.location, &allows);
    for set in table.pattern_sets {
        for pattern in set.patterns {
            let allows: Vec<_> = pattern.allows.iter().collect();
            list(format!("pattern {}::{}", set.name, pattern.name), pattern.location, &allows);
        }
    }
    unneeded
}

/// Returns whether the table shows what a permission of an entity is for.
fn is_judged(entity: &EntityMeta, allow: &Allow) -> bool {
    // With a version every edit is checked, whatever is allowed.
    let is_versioned = allow.rule == "W03" && entity.version.is_some();
    is_versioned || !BEYOND_THE_TABLE.contains(&allow.rule)
}
