//! GetItem: one item by its primary key.

use monotable_expression::Projection;
use monotable_types::Item;

use super::capacity::ConsumedCapacity;
use super::request::{
    Consistency, Expression, Resolver, ReturnConsumedCapacity, Substitutions, setters,
};
use crate::commit::Shared;
use crate::error::Result;
use crate::read::{ReadCost, consumed_by_read, project, read_newest_item};
use crate::stored::{ReadItem, StoredItem};
use crate::validate;

/// Reads one item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetItem {
    /// The table's name.
    pub table_name: String,
    /// The primary key, exactly.
    pub key: Item,
    /// The attributes to return; `None` for all.
    pub projection: Option<Expression<Projection>>,
    /// `#names` of the projection.
    pub substitutions: Substitutions,
    /// Strong or eventual.
    pub consistency: Consistency,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl GetItem {
    /// Creates a read of a whole item.
    pub fn new(table_name: impl Into<String>, key: Item) -> Self {
        Self { table_name: table_name.into(), key, ..Self::default() }
    }

    setters! {
        /// Sets which attributes to return, as text or tree.
        projection: some projection => Expression<Projection>;
        placeholders: substitutions substitutions;
        /// Sets strong or eventual consistency.
        consistency: value consistency => Consistency;
        /// Sets how capacity units are reported.
        return_consumed_capacity: value return_consumed_capacity => ReturnConsumedCapacity;
    }
}

impl GetItem {
    pub(crate) fn run(self, shared: &Shared) -> Result<GetItemOutput> {
        validate::table_name(&self.table_name)?;
        validate::attributes(&self.key)?;
        let projection = projection(&self.projection, &self.substitutions)?;
        let newest = shared.newest();
        let table = newest.catalog.table(&self.table_name)?;
        let row_key = validate::key(table, &self.key)?;
        if let Some(projection) = &projection {
            validate::scalar_paths(table, &projection.paths)?;
        }
        let stored = read_newest_item(shared, &newest, table.id, &row_key)?;
        let bytes = stored.as_ref().map_or(0, StoredItem::size_bytes);
        let table_units = ReadCost::units(bytes, self.consistency);
        shared.faults.charge_read(&row_key, table_units, || shared.now_ms())?;
        let cost = ReadCost { table_units, index_units: 0.0 };
        shared.meters.count_read_of_partition(table, None, cost, &row_key);
        Ok(GetItemOutput {
            item: stored.map(|stored| project(stored, projection.as_ref())),
            consumed_capacity: consumed_by_read(table, None, cost, self.return_consumed_capacity),
        })
    }
}

/// Returns the projection of a request that has no other expression.
pub(super) fn projection(
    expression: &Option<Expression<Projection>>,
    substitutions: &Substitutions,
) -> Result<Option<Projection>> {
    validate::substitutions(substitutions)?;
    let mut resolver = Resolver::new(substitutions);
    let projection = resolver.projection(expression)?;
    resolver.finish(Some("ProjectionExpression is null"))?;
    Ok(projection)
}

/// The response to a [`GetItem`].
#[derive(Clone, Debug, Default)]
pub struct GetItemOutput {
    /// The item, if there is one.
    pub item: Option<ReadItem>,
    /// Capacity units, if requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
}
