//! Scan: every item of a table or index, in order of the partition key's hash.

use std::ops::Bound;

use monotable_expression::{Condition, ExpressionKind, Projection};
use monotable_types::{Item, limits};

use super::query::{
    QueryOutput, Select, check_filter_paths, find_index, projection_parameter, read_view,
};
use super::request::{
    Consistency, Expression, Resolver, ReturnConsumedCapacity, Substitutions, setters,
};
use crate::commit::Shared;
use crate::error::{Error, Result};
use crate::layout::row_key::{BASE_AREA, RowRange, area_prefix};
use crate::read::{Output, PageRequest, Source, StartKey, read_page};
use crate::store::Order;
use crate::validate;

/// One part of a parallel scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The number of the segment, from 0.
    pub segment: u32,
    /// The number of segments.
    pub total_segments: u32,
}

/// Reads a whole table or index, page by page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// The table's name.
    pub table_name: String,
    /// The index to read; `None` for the table.
    pub index_name: Option<String>,
    /// Applied to the items that were read, after `limit`.
    pub filter: Option<Expression<Condition>>,
    /// Which attributes to return.
    pub projection: Option<Expression<Projection>>,
    /// `#names` and `:values` of all expressions.
    pub substitutions: Substitutions,
    /// Which attributes to return, by kind.
    pub select: Option<Select>,
    /// The part of a parallel scan.
    pub segment: Option<Segment>,
    /// The maximum number of items to read, before the filter.
    pub limit: Option<u32>,
    /// Continue after this key: the previous page's `last_evaluated_key`.
    pub exclusive_start_key: Option<Item>,
    /// Strong or eventual.
    pub consistency: Consistency,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl Scan {
    /// Creates a scan of a table.
    pub fn new(table_name: impl Into<String>) -> Self {
        Self { table_name: table_name.into(), ..Self::default() }
    }

    setters! {
        /// Reads an index instead of the table.
        index: some index_name => String;
        /// Sets the filter, as text or tree.
        filter: some filter => Expression<Condition>;
        /// Sets which attributes to return, as text or tree.
        projection: some projection => Expression<Projection>;
        placeholders: substitutions substitutions;
        /// Sets which attributes to return, by kind.
        select: some select => Select;
        /// Sets the part of a parallel scan.
        segment: some segment => Segment;
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

impl Scan {
    pub(crate) fn run(self, shared: &Shared) -> Result<ScanOutput> {
        self.check()?;
        validate::substitutions(&self.substitutions)?;
        let mut resolver = Resolver::new(&self.substitutions);
        let filter = resolver.condition(&self.filter, ExpressionKind::Filter)?;
        let projection = resolver.projection(&self.projection)?;
        resolver.finish(Some("FilterExpression is null"))?;
        let parameter = projection_parameter(self.projection.as_ref());
        Output::check_select(self.select, parameter, self.index_name.is_some())
            .map_err(Error::Validation)?;
        let view = read_view(shared, &self.table_name, self.index_name.as_deref())?;
        let table = view.catalog.table(&self.table_name)?;
        let index = find_index(table, self.index_name.as_deref(), self.consistency)?;
        let area = index.map_or(BASE_AREA, |index| index.area);
        let mut range = segment_range(&area_prefix(table.id, area), self.segment);
        if let Some(start) = &self.exclusive_start_key {
            let start = StartKey::of_scan(table, index, start)?;
            if let Some(segment) = self.segment.filter(|_| !range.contains(&start.0)) {
                return Err(Error::validation(format!(
                    "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use \
                     ExclusiveStartKey with correct Segment. TotalSegments: {} Segment: {}",
                    segment.total_segments, segment.segment
                )));
            }
            range = start.narrow(range, Order::Ascending);
        }
        if let Some(projection) = &projection {
            validate::scalar_paths(table, &projection.paths)?;
        }
        let output = Output::resolve(table, index, self.select, projection)?;
        if let Some(filter) = &filter {
            check_filter_paths(table, filter)?;
        }
        let mut partition_bytes = shared.faults.limits_partitions().then(Vec::new);
        let request = PageRequest {
            range,
            order: Order::Ascending,
            limit: self.limit,
            filter,
            output,
            consistency: self.consistency,
            return_consumed_capacity: self.return_consumed_capacity,
            partition_bytes: partition_bytes.as_mut(),
        };
        let (page, cost) = read_page(Source { view: &view, table, index }, request)?;
        let read = partition_bytes.unwrap_or_default();
        let page_bytes: usize = read.iter().map(|(_, bytes)| bytes).sum();
        let units_per_byte = (cost.table_units + cost.index_units) / page_bytes.max(1) as f64;
        let charges = read.into_iter().map(|(id, bytes)| (id, bytes as f64 * units_per_byte));
        shared.faults.charge_page(index, charges, || shared.now_ms())?;
        shared.meters.count_read(table, index, cost);
        Ok(page)
    }

    fn check(&self) -> Result<()> {
        validate::table_name(&self.table_name)?;
        validate::index_name(self.index_name.as_deref())?;
        let constraint = |value: u32, parameter: &str, rule: &str| {
            Err(Error::validation(format!(
                "1 validation error detected: Value '{value}' at '{parameter}' failed to satisfy \
                 constraint: Member must have value {rule}"
            )))
        };
        if self.limit == Some(0) {
            return constraint(0, "limit", "greater than or equal to 1");
        }
        let Some(Segment { segment, total_segments }) = self.segment else {
            return Ok(());
        };
        if total_segments == 0 {
            return constraint(0, "totalSegments", "greater than or equal to 1");
        }
        if total_segments > limits::SCAN_SEGMENTS_MAX {
            let rule = "less than or equal to 1000000";
            return constraint(total_segments, "totalSegments", rule);
        }
        if segment >= total_segments {
            return Err(Error::validation(format!(
                "The Segment parameter is zero-based and must be less than parameter \
                 TotalSegments: Segment: {segment} is not less than TotalSegments: {total_segments}"
            )));
        }
        Ok(())
    }
}

/// Returns the range of an area whose partition hashes are in the segment's share.
fn segment_range(prefix: &[u8], segment: Option<Segment>) -> RowRange {
    let mut range = RowRange::prefix(prefix);
    if let Some(Segment { segment, total_segments }) = segment {
        let first_hash = |segment: u32| {
            let share = (u128::from(segment) << 64) / u128::from(total_segments);
            let mut key = prefix.to_vec();
            key.extend_from_slice(&(share as u64).to_be_bytes());
            key
        };
        range.lower = Bound::Included(first_hash(segment));
        if segment + 1 < total_segments {
            range.upper = Bound::Excluded(first_hash(segment + 1));
        }
    }
    range
}

/// One page of a [`Scan`], with the same fields as that of a query.
pub type ScanOutput = QueryOutput;
