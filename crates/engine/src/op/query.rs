//! Query: the items of one partition of a table or index, in sort-key order.

use std::ops::Bound;

use monotable_expression::{Condition, ExpressionKind, KeyCondition, Projection};
use monotable_types::Item;

use super::capacity::ConsumedCapacity;
use super::request::{
    Consistency, Expression, Resolver, ReturnConsumedCapacity, Substitutions, setters,
};
use crate::commit::{Shared, View};
use crate::error::{Error, Result};
use crate::layout::row_key::{BASE_AREA, partition_of_row};
use crate::read::{Output, PageRequest, Source, StartKey, key_range, read_page};
use crate::store::Order;
use crate::stored::ReadItem;
use crate::table::{Index, IndexKind, IndexState, KeySpec, Table};
use crate::validate;

/// Which attributes a Query or Scan returns (`Select`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// Every attribute of the item.
    AllAttributes,
    /// Every attribute that the index projects.
    AllProjectedAttributes,
    /// Only the number of matching items.
    Count,
    /// The attributes of the projection.
    SpecificAttributes,
}

/// The order in which a Query returns items (`ScanIndexForward`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Smallest sort key first.
    #[default]
    Forward,
    /// Largest sort key first.
    Backward,
}

/// Reads items of one partition.
///
/// ```
/// use monotable_engine::{Database, Query};
/// # use monotable_engine::{CreateTable, PutItem, item};
///
/// let db = Database::memory();
/// # db.create_table(CreateTable::new("league").partition_key("PK", "S")?.sort_key("SK", "S")?)?;
/// # db.put_item(PutItem::new("league", item! { "PK" => "TEAM#1", "SK" => "PLAYER#7" }))?;
/// let roster = Query::new("league")
///     .key_condition("PK = :team AND begins_with(SK, :player)")
///     .value(":team", "TEAM#1")
///     .value(":player", "PLAYER#");
/// let page = db.query(roster)?;
/// assert_eq!(page.count, 1);
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The table's name.
    pub table_name: String,
    /// The index to read; `None` for the table.
    pub index_name: Option<String>,
    /// The partition, and optionally a range of sort keys.
    pub key_condition: Option<Expression<KeyCondition>>,
    /// Applied to the items that were read, after `limit`.
    pub filter: Option<Expression<Condition>>,
    /// Which attributes to return.
    pub projection: Option<Expression<Projection>>,
    /// `#names` and `:values` of all expressions.
    pub substitutions: Substitutions,
    /// Which attributes to return, by kind.
    pub select: Option<Select>,
    /// The order.
    pub direction: Direction,
    /// The maximum number of items to read, before the filter.
    pub limit: Option<u32>,
    /// Continue after this key: the previous page's `last_evaluated_key`.
    pub exclusive_start_key: Option<Item>,
    /// Strong or eventual.
    pub consistency: Consistency,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl Query {
    /// Creates a query of a table; it still needs its key condition.
    pub fn new(table_name: impl Into<String>) -> Self {
        Self { table_name: table_name.into(), ..Self::default() }
    }

    setters! {
        /// Reads an index instead of the table.
        index: some index_name => String;
        /// Sets the key condition, as text or tree.
        key_condition: some key_condition => Expression<KeyCondition>;
        /// Sets the filter, as text or tree.
        filter: some filter => Expression<Condition>;
        /// Sets which attributes to return, as text or tree.
        projection: some projection => Expression<Projection>;
        placeholders: substitutions substitutions;
        /// Sets which attributes to return, by kind.
        select: some select => Select;
        /// Sets the order.
        direction: value direction => Direction;
        /// Sets the maximum number of items to read.
        limit: some limit => u32;
        /// Continues after a previous page.
        exclusive_start_key: some exclusive_start_key => Item;
        /// Sets strong or eventual consistency.
        consistency: value consistency => Consistency;
        /// Sets how capacity units are reported.
        return_consumed_capacity: value return_consumed_capacity => ReturnConsumedCapacity;
    }
}

impl Query {
    pub(crate) fn run(self, shared: &Shared) -> Result<QueryOutput> {
        validate::table_name(&self.table_name)?;
        validate::index_name(self.index_name.as_deref())?;
        if self.limit == Some(0) {
            return Err(Error::validation(
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: \
                 Member must have value greater than or equal to 1",
            ));
        }
        let expressions = self.expressions()?;
        Output::check_select(
            self.select,
            projection_parameter(self.projection.as_ref()),
            self.index_name.is_some(),
        )
        .map_err(|text| Error::validation(format!("1 validation error detected: {text}")))?;
        let view = read_view(shared, &self.table_name, self.index_name.as_deref())?;
        let table = view.catalog.table(&self.table_name)?;
        let index = find_index(table, self.index_name.as_deref(), self.consistency)?;
        let keys = index.map_or(&table.keys, |index| &index.keys);
        let area = index.map_or(BASE_AREA, |index| index.area);
        // Whether the start is a key at all is checked before the condition, whether it satisfies
        // the condition after it.
        let start = self.exclusive_start_key.as_ref();
        let place = start.map(|start| StartKey::of_query(table, index, start)).transpose()?;
        let mut range = key_range(table.id, area, keys, &expressions.key_condition)?;
        let order = match self.direction {
            Direction::Forward => Order::Ascending,
            Direction::Backward => Order::Descending,
        };
        if let Some((start, place)) = start.zip(place) {
            StartKey::check_within(index, keys, start, &expressions.key_condition)?;
            range = place.narrow(range, order);
        }
        if let Some(projection) = &expressions.projection {
            validate::scalar_paths(table, &projection.paths)?;
        }
        if let Some(filter) = &expressions.filter {
            check_filter(keys, filter, filter_parameter(self.filter.as_ref()))?;
        }
        let output = Output::resolve(table, index, self.select, expressions.projection)?;
        if let Some(filter) = &expressions.filter {
            check_filter_paths(table, filter)?;
        }
        let partition = match &range.lower {
            Bound::Included(key) | Bound::Excluded(key) => key.clone(),
            Bound::Unbounded => Vec::new(),
        };
        let request = PageRequest {
            range,
            order,
            limit: self.limit,
            filter: expressions.filter,
            output,
            consistency: self.consistency,
            return_consumed_capacity: self.return_consumed_capacity,
            partition_bytes: None,
        };
        let (mut page, cost) = read_page(Source { view: &view, table, index }, request)?;
        if index.is_none() && keys.sort.is_empty() {
            // The only row of such a partition was read, so no page follows.
            page.last_evaluated_key = None;
        }
        let units = cost.table_units + cost.index_units;
        let charge = [(partition_of_row(&partition), units)];
        shared.faults.charge_page(index, charge, || shared.now_ms())?;
        shared.meters.count_read_of_partition(table, index, cost, &partition);
        Ok(page)
    }

    fn expressions(&self) -> Result<Expressions> {
        validate::substitutions(&self.substitutions)?;
        let mut resolver = Resolver::new(&self.substitutions);
        let key_condition = resolver.key_condition(&self.key_condition)?.ok_or_else(|| {
            Error::validation(
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in \
                 the request.",
            )
        })?;
        let filter = resolver.condition(&self.filter, ExpressionKind::Filter)?;
        let projection = resolver.projection(&self.projection)?;
        resolver.finish(Some("FilterExpression and KeyConditionExpression are null"))?;
        Ok(Expressions { key_condition: key_condition?, filter, projection })
    }
}

struct Expressions {
    key_condition: KeyCondition,
    filter: Option<Condition>,
    projection: Option<Projection>,
}

/// Returns the state to read: a global index may lag behind the table.
pub(super) fn read_view(
    shared: &Shared,
    table_name: &str,
    index_name: Option<&str>,
) -> Result<View> {
    let view = shared.view();
    let table = view.catalog.table(table_name)?;
    let lags = index_name
        .and_then(|name| table.index(name))
        .is_some_and(|index| index.kind == IndexKind::Global);
    match shared.lagging_rows() {
        // The older rows are read with the current definition of the table: an index that is
        // younger than the lag has no entries.
        Some(snapshot) if lags => Ok(View { snapshot, catalog: view.catalog }),
        _ => Ok(view),
    }
}

/// Returns the index that a request names; a global one refuses strong reads.
pub(super) fn find_index<'a>(
    table: &'a Table,
    index_name: Option<&str>,
    consistency: Consistency,
) -> Result<Option<&'a Index>> {
    let Some(name) = index_name else {
        return Ok(None);
    };
    let Some(index) = table.index(name) else {
        return Err(Error::index_not_found(name));
    };
    if index.kind == IndexKind::Global && consistency == Consistency::Strong {
        return Err(Error::validation(
            "Consistent reads are not supported on global secondary indexes",
        ));
    }
    if index.state == IndexState::Backfilling {
        return Err(Error::validation(format!(
            "Cannot read from backfilling global secondary index: {name}"
        )));
    }
    Ok(Some(index))
}

/// Returns the parameter that contains the projection.
pub(super) fn projection_parameter(
    projection: Option<&Expression<Projection>>,
) -> Option<&'static str> {
    projection.map(|projection| match projection.is_legacy() {
        true => "AttributesToGet",
        false => "ProjectionExpression",
    })
}

/// Returns the parameter that contains the filter, as AWS spells it when it refuses key attributes.
fn filter_parameter(filter: Option<&Expression<Condition>>) -> &'static str {
    if filter.is_some_and(Expression::is_legacy) { "QueryFilter" } else { "Filter Expression" }
}

/// Checks that the filter has no key attributes, which belong in the key condition.
pub(super) fn check_filter(keys: &KeySpec, filter: &Condition, parameter: &str) -> Result<()> {
    let mut key_attribute = None;
    filter.for_each_path(&mut |path| {
        if key_attribute.is_none() && keys.contains(&path.root) {
            key_attribute = Some(path.root.clone());
        }
    });
    match key_attribute {
        Some(name) => Err(Error::validation(format!(
            "{parameter} can only contain non-primary key attributes: Primary key attribute: {name}"
        ))),
        None => Ok(()),
    }
}

/// Checks that a filter's paths don't lead into key attributes.
pub(super) fn check_filter_paths(table: &Table, filter: &Condition) -> Result<()> {
    let mut paths = Vec::new();
    filter.for_each_path(&mut |path| paths.push(path));
    validate::scalar_paths(table, paths)
}

/// One page of a [`Query`].
#[derive(Clone, Debug, Default)]
pub struct QueryOutput {
    /// The items that passed the filter; empty with `Select::Count`.
    pub items: Vec<ReadItem>,
    /// How many items passed the filter.
    pub count: u32,
    /// How many items were read.
    pub scanned_count: u32,
    /// Where the next page starts; `None` at the end.
    pub last_evaluated_key: Option<Item>,
    /// Capacity units, if requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
}
