//! The rules, checked over the constants of a design.
//!
//! Everything up to [`Verdict`] is a `const fn`, so that the compiler can evaluate it: the macros
//! put `const _: () = check::entity(&META, 3).assert();` next to each declaration, and a broken
//! rule stops the build with its message on that line. [`findings`] returns all broken rules at run
//! time.
//!
//! A rule is passed over where the pattern, the entity, the index or the table allows it with a reason.

mod align;
mod arguments;
mod attributes;
mod codec_attributes;
mod entity_in_table;
mod entity_rules;
mod filters;
mod findings;
mod keys_in_table;
mod native;
mod overlap;
mod pattern_rules;
mod range;
mod report;
mod rows;
mod rule_keys;
mod shared_attributes;
mod shared_keys;
mod table_rules;
mod taken_attributes;
mod template_rules;
mod unique_value;
mod unneeded;
mod verdict;

#[cfg(test)]
mod tests;

pub use filters::filter_attribute;
pub use findings::{Finding, findings};
pub use shared_keys::SharedKeys;
pub use template_rules::KeyUse;
pub use unneeded::{UnneededAllow, unneeded_allows};
pub use verdict::Verdict;

use crate::meta::{EntityMeta, PatternMeta, TableMeta};
use report::Report;

/// Returns one template of an entity by itself.
pub const fn template(entity: &EntityMeta, key: KeyUse) -> Verdict {
    let mut report = Report::first();
    template_rules::template(entity, key, &mut report);
    report.verdict()
}

/// Returns an entity by itself, beyond its templates.
pub const fn entity_rules(entity: &EntityMeta) -> Verdict {
    let mut report = Report::first();
    entity_rules::entity_rules(entity, &mut report);
    report.verdict()
}

/// Returns the entity at a position of its table, together with the entities before it.
pub const fn entity(table: &TableMeta, position: usize) -> Verdict {
    entity_if_near(table, position, is_near(table, position))
}

/// Returns whether an entity and another one may break a rule together by their keys or their names. The
/// [keys](EntityMeta::keys) of the entities are enough to know it: comparing every entity with every other
/// one is most of the work of [`entity`], and is done again only when a key changed.
pub const fn is_near(table: &TableMeta, position: usize) -> bool {
    entity_in_table::is_near(table, position)
}

/// As [`entity`], where it is known whether the entity [is near](is_near) another one.
pub const fn entity_if_near(table: &TableMeta, position: usize, is_near: bool) -> Verdict {
    let mut report = Report::first();
    entity_in_table::entity(table, position, is_near, &mut report);
    report.verdict()
}

/// Returns the rule key at a position of its table, together with the entities and the rule keys before it.
pub const fn rule(table: &TableMeta, position: usize) -> Verdict {
    let mut report = Report::first();
    rule_keys::rule(table, position, &mut report);
    report.verdict()
}

/// Returns the index at a position of its table, together with the indexes before it.
pub const fn index(table: &TableMeta, position: usize) -> Verdict {
    let mut report = Report::first();
    table_rules::index(table, position, &mut report);
    report.verdict()
}

/// Returns the table as a whole.
pub const fn table(table: &TableMeta) -> Verdict {
    let mut report = Report::first();
    table_rules::table(table, &mut report);
    report.verdict()
}

/// Returns one access pattern. Of the table's entities only the [keys](EntityMeta::keys) count.
pub const fn pattern(table: &TableMeta, pattern: &PatternMeta) -> Verdict {
    let mut report = Report::first();
    pattern_rules::pattern(table, pattern, &mut report);
    report.verdict()
}
