//! The traits that `table!` implements: a table and its entities.

use monotable_design::meta::{PatternSetMeta, TableMeta};

use crate::entity::{Entity, RowSet};
use crate::rows::RuleKey;

/// A table. Declare it with `table!`.
pub trait Table: Sized + Send + Sync + 'static {
    /// The declaration as data.
    const META: &'static TableMeta;

    /// The declaration with only the keys of its entities, for the checks of access patterns. It
    /// changes less often than the whole, so the checks run less often.
    const KEYS: &'static TableMeta;

    /// Any row of the table: one variant per entity.
    type Row: RowSet;
}

/// A table that contains an entity.
#[diagnostic::on_unimplemented(
    message = "`{E}` is not an entity of `{Self}`",
    note = "add it to `entities(…)` of the `table!`"
)]
pub trait Holds<E: Entity>: Table {}

/// A table that contains the rows of a rule.
#[diagnostic::on_unimplemented(
    message = "`{K}` is not a rule key of `{Self}`",
    note = "add it to `rules(…)` of the `table!`"
)]
pub trait HoldsRule<K: RuleKey>: Table {}

/// A trait of access patterns, implemented for `dyn Trait` by `#[access_patterns(Table)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a trait of access patterns",
    note = "declare it with `#[access_patterns(…)]` and the name of its table"
)]
pub trait PatternSet {
    /// The declaration as data.
    const META: &'static PatternSetMeta;
}

/// A table that lists a trait of access patterns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list the access patterns of `{P}`",
    note = "add the trait to `patterns(…)` of the `table!`: patterns that are not listed are missing in the design document, and their indexes count as unused"
)]
pub trait Reads<P: PatternSet + ?Sized>: Table {}

/// Compiles only if the table lists the trait.
pub const fn listed<T: Reads<P>, P: PatternSet + ?Sized>() {}
