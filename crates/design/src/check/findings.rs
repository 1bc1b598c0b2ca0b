//! All broken rules of a table as a list, for documents and tools at run time.

use super::report::Report;
use super::template_rules::KeyUse;
use super::verdict::Verdict;
use super::{entity_in_table, entity_rules, pattern_rules, rule_keys, table_rules, template_rules};
use crate::meta::{Allow, EntityMeta, Location, TableMeta};
use crate::rules::Rule;

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// What breaks it: `entity Player`, `pattern LeagueReads::roster`, `table League`.
    pub subject: String,
    /// The message.
    pub message: String,
    /// The reason why it is allowed, if it is.
    pub because: Option<&'static str>,
    /// Where the subject is declared.
    pub location: Location,
}

/// Returns every broken rule of a table, allowed or not, in the order of the declarations.
pub fn findings(table: &TableMeta) -> Vec<Finding> {
    broken(table).into_iter().map(|(finding, _)| finding).collect()
}

/// A broken rule, with the permission to break it.
pub(super) type Broken = (Finding, Option<&'static Allow>);

/// Returns every broken rule of a table.
pub(super) fn broken(table: &TableMeta) -> Vec<Broken> {
    let mut findings = Vec::new();
    for (position, entity) in table.entities.iter().enumerate() {
        let subject = format!("entity {}", entity.name);
        collect(&mut findings, &subject, entity.location, |report| {
            for key in keys(entity) {
                template_rules::template(entity, key, report);
            }
            entity_rules::entity_rules(entity, report);
            entity_in_table::entity(table, position, true, report);
        });
    }
    for (position, rule) in table.rules.iter().enumerate() {
        let subject = format!("rule key {}", rule.row.name);
        collect(&mut findings, &subject, rule.row.location, |report| {
            for key in keys(&rule.row) {
                template_rules::template(&rule.row, key, report);
            }
            rule_keys::rule(table, position, report);
        });
    }
    collect(&mut findings, &format!("table {}", table.name), table.location, |report| {
        for position in 0..table.indexes.len() {
            table_rules::index(table, position, report);
        }
        table_rules::table(table, report);
    });
    for set in table.pattern_sets {
        for pattern in set.patterns {
            let subject = format!("pattern {}::{}", set.name, pattern.name);
            collect(&mut findings, &subject, pattern.location, |report| {
                pattern_rules::pattern(table, pattern, report);
            });
        }
    }
    findings
}

/// Asks a check for its first broken rule, its second, and so on.
fn collect(
    findings: &mut Vec<Broken>,
    subject: &str,
    location: Location,
    check: impl Fn(&mut Report),
) {
    for skip in 0.. {
        let mut report = Report::nth(skip);
        check(&mut report);
        let permission = report.permission();
        let verdict: Verdict = report.verdict();
        let (Some(rule), Some(message)) = (verdict.rule(), verdict.text()) else { return };
        let finding = Finding {
            rule,
            subject: subject.to_owned(),
            message: message.to_owned(),
            because: permission.map(|allow| allow.because),
            location,
        };
        findings.push((finding, permission));
    }
}

/// Returns every template of an entity.
fn keys(entity: &EntityMeta) -> Vec<KeyUse> {
    let mut keys = vec![KeyUse::Partition, KeyUse::Sort];
    for (index, written) in entity.indexes.iter().enumerate() {
        let partition = 0..written.partition.len();
        keys.extend(partition.map(|attribute| KeyUse::IndexPartition { index, attribute }));
        let sort = 0..written.sort.len();
        keys.extend(sort.map(|attribute| KeyUse::IndexSort { index, attribute }));
    }
    for constraint in 0..entity.unique.len() {
        keys.extend([KeyUse::UniquePartition { constraint }, KeyUse::UniqueSort { constraint }]);
    }
    for mirror in 0..entity.mirrors.len() {
        keys.extend([KeyUse::MirrorPartition { mirror }, KeyUse::MirrorSort { mirror }]);
    }
    keys
}
