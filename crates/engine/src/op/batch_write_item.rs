//! BatchWriteItem: up to 25 puts and deletes, each independent.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use monotable_types::{Item, item_size_bytes, limits};

use super::batch_get_item::duplicate_keys;
use super::capacity::{ConsumedCapacity, ItemCollectionMetrics, UsedByTable};
use super::request::{
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnOnConditionFailure,
};
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::stored::StoredItem;
use crate::table::{Catalog, Table};
use crate::validate;
use crate::write::{Effect, Isolation, Write, collection_metrics};

/// One write of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteRequest {
    /// Put this item.
    Put(Item),
    /// Delete the item with this primary key.
    Delete(Item),
}

/// Writes up to 25 items, each independently and without a condition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchWriteItem {
    /// What to write, by table name.
    pub request_items: BTreeMap<String, Vec<WriteRequest>>,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether item collection sizes are returned.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

impl BatchWriteItem {
    /// Creates an empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a put.
    #[must_use]
    pub fn put(mut self, table_name: impl Into<String>, item: Item) -> Self {
        self.request_items.entry(table_name.into()).or_default().push(WriteRequest::Put(item));
        self
    }

    /// Adds a delete.
    #[must_use]
    pub fn delete(mut self, table_name: impl Into<String>, key: Item) -> Self {
        self.request_items.entry(table_name.into()).or_default().push(WriteRequest::Delete(key));
        self
    }
}

impl BatchWriteItem {
    /// Checks the request against the newest catalog; the result runs on the committer.
    pub(crate) fn prepare(
        self,
        catalog: &Catalog,
    ) -> Result<impl FnOnce(&mut Stage<'_>) -> Result<BatchWriteItemOutput> + Send + use<>> {
        self.check()?;
        let mut writes = Vec::new();
        for table_name in self.request_items.keys() {
            catalog.table(table_name)?;
        }
        for (table_name, requests) in self.request_items {
            let table = catalog.table(&table_name)?;
            for request in requests {
                writes.push((table_name.clone(), request.clone(), request.bind(table)?));
            }
        }
        let distinct: HashSet<&[u8]> =
            writes.iter().map(|(_, _, write)| write.row_key.as_slice()).collect();
        if distinct.len() < writes.len() {
            return Err(duplicate_keys());
        }
        let capacity = self.return_consumed_capacity;
        let metrics = self.return_item_collection_metrics;
        Ok(move |stage: &mut Stage<'_>| run(stage, writes, capacity, metrics))
    }

    fn check(&self) -> Result<()> {
        if self.request_items.is_empty() {
            return Err(Error::validation(
                "The requestItems parameter is required for BatchWriteItem",
            ));
        }
        for (table_name, requests) in &self.request_items {
            validate::table_name(table_name)?;
            if requests.is_empty() || requests.len() > limits::BATCH_WRITE_MAX {
                let shown = if requests.is_empty() { "" } else { "..." };
                return Err(Error::validation(format!(
                    "1 validation error detected: Value '{{{table_name}=[{shown}]}}' at \
                     'requestItems' failed to satisfy constraint: Map value must satisfy \
                     constraint: [Member must have length less than or equal to 25, Member must \
                     have length greater than or equal to 1]"
                )));
            }
        }
        let requests: usize = self.request_items.values().map(Vec::len).sum();
        if requests > limits::BATCH_WRITE_MAX {
            return Err(Error::validation("Too many items requested for the BatchWriteItem call"));
        }
        for request in self.request_items.values().flatten() {
            match request {
                WriteRequest::Put(item) => drop(validate::item(item)?),
                WriteRequest::Delete(key) => validate::attributes(key)?,
            }
        }
        Ok(())
    }
}

impl WriteRequest {
    fn bind(self, table: &Arc<Table>) -> Result<Write> {
        let (row_key, effect) = match self {
            Self::Delete(key) => (validate::key(table, &key)?, Effect::Delete),
            Self::Put(item) => {
                let key = table.keys.project(&item);
                let row_key = validate::key(table, &key)?;
                validate::index_keys(table, &item)?;
                let stored = StoredItem::encode(&item, item_size_bytes(&item));
                (row_key, Effect::Put { item, stored })
            }
        };
        Ok(Write {
            table: Arc::clone(table),
            row_key,
            condition: None,
            return_on_condition_failure: ReturnOnConditionFailure::None,
            effect,
        })
    }
}

/// Runs every write independently: a throttled one is returned as unprocessed, and the others
/// continue.
fn run(
    stage: &mut Stage<'_>,
    writes: Vec<(String, WriteRequest, Write)>,
    capacity: ReturnConsumedCapacity,
    metrics: ReturnItemCollectionMetrics,
) -> Result<BatchWriteItemOutput> {
    let mut output = BatchWriteItemOutput::default();
    let mut used = UsedByTable::default();
    let mut planned = Vec::with_capacity(writes.len());
    for (table_name, request, write) in writes {
        let plan = if stage.shared.faults.leaves_unprocessed() {
            Err(Error::ProvisionedThroughputExceeded)
        } else {
            write.plan(stage, Isolation::Single)
        };
        match plan {
            Ok(plan) => {
                plan.cost.add_to(used.of(&plan.table), &plan.table, Isolation::Single);
                if metrics == ReturnItemCollectionMetrics::Size {
                    let sizes = collection_metrics(stage, &plan.table, &plan.row_key)?;
                    output.item_collection_metrics.entry(table_name).or_default().extend(sizes);
                }
                planned.push(plan);
            }
            Err(Error::ProvisionedThroughputExceeded | Error::IndexThroughputExceeded) => {
                output.unprocessed_items.entry(table_name).or_default().push(request);
            }
            Err(error) => return Err(error),
        }
    }
    for plan in planned {
        stage.shared.meters.count_write(&plan, Isolation::Single, stage.now_ms);
        plan.stage(stage);
    }
    output.item_collection_metrics.retain(|_, sizes| !sizes.is_empty());
    output.consumed_capacity = used.limited_to(capacity);
    Ok(output)
}

/// The response to a [`BatchWriteItem`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchWriteItemOutput {
    /// The writes that were not performed (in the fault mode): send them again.
    pub unprocessed_items: BTreeMap<String, Vec<WriteRequest>>,
    /// Capacity units per table, if requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
    /// Item collection sizes by table, if requested.
    pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>,
}
