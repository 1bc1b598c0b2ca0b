//! What is different between two designs of a table, and what to do about it.
//!
//! [`Design::changes_to`] compares the owned form of two designs; [`plan`] puts what the changes need
//! into an order that keeps a live table readable. Nothing here knows how a step is carried out.

mod change;
mod entity;
mod field;
mod pair;
mod plan;
mod step;
mod table;
mod template;
mod words;

pub use change::{Change, EntityChange, FieldChange, OldName, Place, Role};
pub use plan::{Plan, plan};
pub use step::Step;

use crate::Design;

impl Design {
    /// Everything that is different in a newer design of the same table, apart from what rows and
    /// requests don't show: documentation, places in the source, permissions, and what only rules
    /// look at.
    pub fn changes_to(&self, newer: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        table::attributes(self, newer, &mut changes);
        table::indexes(self, newer, &mut changes);
        entity::entities(self, newer, &mut changes);
        table::rules(self, newer, &mut changes);
        table::patterns(self, newer, &mut changes);
        changes
    }

    /// What to do to bring a live table from this design to a newer one.
    pub fn plan_to(&self, newer: &Self) -> Plan {
        plan(&self.changes_to(newer))
    }
}

#[cfg(test)]
mod tests;
