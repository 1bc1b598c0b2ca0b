//! What `table!` implements: a table and the entities in it.

use monotable_design::meta::TableMeta;

use crate::entity::{Entity, RowSet};

/// A table. Declare it with `table!`.
pub trait Table: Sized + Send + Sync + 'static {
    /// The declaration as data.
    const META: &'static TableMeta;

    /// Any row of the table: one variant an entity.
    type Row: RowSet;
}

/// A table that an entity lives in.
#[diagnostic::on_unimplemented(
    message = "`{E}` is not an entity of `{Self}`",
    note = "add it to `entities(…)` of the `table!`"
)]
pub trait Holds<E: Entity>: Table {}
