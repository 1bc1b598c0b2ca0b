//! The rules, checked over the constants of a design.
//!
//! Everything up to [`Verdict`] is a `const fn`, so that the compiler can evaluate it: the macros put
//! `const _: () = check::entity(&META, 3).assert();` beside each declaration, and a broken rule stops
//! the build with its message on that line. [`findings`] gives all of them at run time.
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
mod shared_attributes;
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
pub use template_rules::KeyUse;
pub use unneeded::{UnneededAllow, unneeded_allows};
pub use verdict::Verdict;

use crate::meta::{EntityMeta, PatternMeta, TableMeta};
use report::Report;

/// One template of an entity by itself.
pub const fn template(entity: &EntityMeta, key: KeyUse) -> Verdict {
    let mut report = Report::first();
    template_rules::template(entity, key, &mut report);
    report.verdict()
}

/// An entity by itself, beyond its templates.
pub const fn entity_rules(entity: &EntityMeta) -> Verdict {
    let mut report = Report::first();
    entity_rules::entity_rules(entity, &mut report);
    report.verdict()
}

/// The entity at a position of its table, together with the entities before it.
pub const fn entity(table: &TableMeta, position: usize) -> Verdict {
    let mut report = Report::first();
    entity_in_table::entity(table, position, &mut report);
    report.verdict()
}

/// The index at a position of its table, together with the indexes before it.
pub const fn index(table: &TableMeta, position: usize) -> Verdict {
    let mut report = Report::first();
    table_rules::index(table, position, &mut report);
    report.verdict()
}

/// The table as a whole.
pub const fn table(table: &TableMeta) -> Verdict {
    let mut report = Report::first();
    table_rules::table(table, &mut report);
    report.verdict()
}

/// One access pattern.
pub const fn pattern(table: &TableMeta, pattern: &PatternMeta) -> Verdict {
    let mut report = Report::first();
    pattern_rules::pattern(table, pattern, &mut report);
    report.verdict()
}
