//! What is different between two designs of a table, and what to do about it.
//!
//! [`Design::changes_to`] compares the owned form of two designs; [`plan`] orders the steps that
//! the changes need so that a live table stays readable. Nothing here knows how a step is executed.

mod change;
mod entity;
mod field;
mod pair;
mod plan;
mod step;
mod table;
mod template;
mod words;

pub use change::{Change, EntityChange, FieldChange, FieldLocation, OldName, Role};
pub use plan::{Plan, plan};
pub use step::Step;

use crate::Design;

impl Design {
    /// Returns every difference of a newer design of the same table, except those that rows and
    /// requests do not show: documentation, source locations, permissions, and information that
    /// only rules use.
    pub fn changes_to(&self, newer: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        table::attributes(self, newer, &mut changes);
        table::indexes(self, newer, &mut changes);
        entity::entities(self, newer, &mut changes);
        table::rules(self, newer, &mut changes);
        table::patterns(self, newer, &mut changes);
        changes
    }

    /// Returns the steps that bring a live table from this design to a newer one.
    pub fn plan_to(&self, newer: &Self) -> Plan {
        plan(&self.changes_to(newer))
    }
}

#[cfg(test)]
mod tests;
