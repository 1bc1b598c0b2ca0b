//! Writes: PutItem, UpdateItem, DeleteItem, batches and transactions. Everything becomes an action
//! of a transaction, because those have all features: condition, change, return on failure.

use std::collections::{BTreeMap, BTreeSet};

use monotable_engine::{
    BatchWriteItem, ConsumedCapacity, DeleteItem, PutItem, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnOnConditionFailure, ReturnValues, StreamOrigin,
    TransactWrite, TransactWriteItems, UpdateItem, WriteRequest,
};
use monotable_expression::{SetOperand, SetValue, Update};
use monotable_types::Item;

use super::capacity::{report, size_bytes, statement_bytes};
use super::expression::{holds, project};
use super::table::{Part, Table};
use super::{Oracle, update};
use crate::operation::{Answer, Failure, Outcome, Spelling, tree};

const MAX_ITEM_BYTES: usize = 400 * 1024;

/// The effect of an action on an item.
struct Effect {
    table_name: String,
    key: Vec<Part>,
    before: Option<Item>,
    after: Option<Item>,
}

/// What a write reports.
type Reports = (ReturnConsumedCapacity, ReturnItemCollectionMetrics);

impl Oracle {
    /// Returns the effect of the action now, or why it fails.
    fn plan(&self, action: &TransactWrite) -> Result<Effect, Failure> {
        let (table_name, attributes, condition, on_failure) = match action {
            TransactWrite::Put(a) => {
                (&a.table_name, &a.item, &a.condition, a.return_on_condition_failure)
            }
            TransactWrite::Update(a) => {
                (&a.table_name, &a.key, &a.condition, a.return_on_condition_failure)
            }
            TransactWrite::Delete(a) => {
                (&a.table_name, &a.key, &a.condition, a.return_on_condition_failure)
            }
            TransactWrite::ConditionCheck(a) => {
                (&a.table_name, &a.key, &a.condition, a.return_on_condition_failure)
            }
        };
        let table = self.table(table_name)?;
        let key = table.primary_key(attributes);
        let before = table.items.get(&key).cloned();
        match action {
            TransactWrite::Put(put) => fits_indexes(table, &put.item)?,
            TransactWrite::Update(request) => fits_indexes(table, &known_values(table, request))?,
            TransactWrite::Delete(_) | TransactWrite::ConditionCheck(_) => {}
        }
        let seen = before.clone().unwrap_or_default();
        if tree(condition).is_some_and(|condition| !holds(&seen, condition)) {
            let wanted = on_failure == ReturnOnConditionFailure::AllOld;
            let failed =
                Failure::new("ConditionalCheckFailedException", "The conditional request failed");
            return Err(Failure { item: before.filter(|_| wanted), ..failed });
        }
        let after = match action {
            TransactWrite::Put(put) => Some(put.item.clone()),
            TransactWrite::Update(request) => updated(table, before.as_ref(), request)?,
            TransactWrite::Delete(_) => None,
            TransactWrite::ConditionCheck(_) => before.clone(),
        };
        Ok(Effect { table_name: table_name.clone(), key, before, after })
    }

    /// Checks what fails a transaction as a whole instead of cancelling it: a missing table, and an
    /// index key that the request itself sets to an empty value. AWS goes action by action.
    fn check_request(&self, action: &TransactWrite) -> Result<(), Failure> {
        let (table_name, mut written) = match action {
            TransactWrite::Put(put) => (&put.table_name, put.item.clone()),
            TransactWrite::Update(update) => (&update.table_name, literals(update)),
            TransactWrite::Delete(delete) => (&delete.table_name, Item::new()),
            TransactWrite::ConditionCheck(check) => (&check.table_name, Item::new()),
        };
        let table = self.table(table_name)?;
        written.retain(|name, value| table.is_of_key_type(name, value));
        match action {
            TransactWrite::Update(_) => fits_updated_indexes(table, &written),
            _ => fits_indexes(table, &written),
        }
    }

    /// Commits effects; the factor is the price of a unit of the table.
    fn commit_all(
        &mut self,
        effects: Vec<Effect>,
        factor: f64,
        (wanted, metrics): Reports,
    ) -> Answer {
        let mut collections = BTreeSet::new();
        for effect in effects.iter().filter(|_| metrics == ReturnItemCollectionMetrics::Size) {
            let table = &self.tables[&effect.table_name];
            if table.indexes.iter().any(|index| !index.global) {
                collections.insert((effect.table_name.clone(), effect.key[0].clone()));
            }
        }
        let mut totals: BTreeMap<String, ConsumedCapacity> = BTreeMap::new();
        for Effect { table_name, key, after, .. } in effects {
            let total = totals.entry(table_name.clone()).or_default();
            total.table_name = table_name.clone();
            self.commit(&table_name, key, after, StreamOrigin::Request, factor, total);
        }
        let reported = totals.into_values().filter_map(|total| report(total, wanted));
        let consumed_capacity = reported.collect();
        Answer { consumed_capacity, collections, ..Answer::default() }
    }

    fn write_item(
        &mut self,
        action: TransactWrite,
        values: ReturnValues,
        reports: Reports,
    ) -> Outcome {
        let update = match &action {
            TransactWrite::Update(request) => tree(&request.update).cloned().unwrap_or_default(),
            _ => Update::default(),
        };
        let effect = self.plan(&action)?;
        let touched = |item: &Option<Item>| {
            item.as_ref().map(|item| project(item, update.paths())).filter(|item| !item.is_empty())
        };
        let attributes = match values {
            ReturnValues::None => None,
            ReturnValues::AllOld => effect.before.clone(),
            ReturnValues::AllNew => effect.after.clone(),
            ReturnValues::UpdatedOld => touched(&effect.before),
            ReturnValues::UpdatedNew => touched(&effect.after),
        };
        let items = vec![(effect.table_name.clone(), attributes)];
        Ok(Answer { items, ..self.commit_all(vec![effect], 1.0, reports) })
    }

    pub(super) fn put_item(&mut self, put: &PutItem) -> Outcome {
        let reports = (put.return_consumed_capacity, put.return_item_collection_metrics);
        self.write_item(put.clone().into(), put.return_values, reports)
    }

    pub(super) fn delete_item(&mut self, delete: &DeleteItem) -> Outcome {
        let reports = (delete.return_consumed_capacity, delete.return_item_collection_metrics);
        self.write_item(delete.clone().into(), delete.return_values, reports)
    }

    pub(super) fn update_item(&mut self, update: &UpdateItem, spelling: Spelling) -> Outcome {
        let statement_bytes = tree(&update.update).map_or(0, statement_bytes);
        if spelling == Spelling::Text && statement_bytes > MAX_ITEM_BYTES {
            let table = self.table(&update.table_name)?;
            fits_indexes(table, &known_values(table, update))?;
            return Err(too_large_to_update());
        }
        let reports = (update.return_consumed_capacity, update.return_item_collection_metrics);
        self.write_item(update.clone().into(), update.return_values, reports)
    }

    pub(super) fn batch_write_item(&mut self, batch: &BatchWriteItem) -> Outcome {
        batch.request_items.keys().try_for_each(|name| self.table(name).map(drop))?;
        let mut effects = Vec::new();
        for (name, requests) in &batch.request_items {
            for request in requests {
                effects.push(self.plan(&match request.clone() {
                    WriteRequest::Put(item) => PutItem::new(name, item).into(),
                    WriteRequest::Delete(key) => DeleteItem::new(name, key).into(),
                })?);
            }
        }
        let reports = (batch.return_consumed_capacity, batch.return_item_collection_metrics);
        Ok(self.commit_all(effects, 1.0, reports))
    }

    pub(super) fn transact_write_items(&mut self, request: &TransactWriteItems) -> Outcome {
        // AWS does not document whether these checks or that of the token come first.
        request.transact_items.iter().try_for_each(|action| self.check_request(action))?;
        let token = request.client_request_token.as_ref();
        let first = token.and_then(|token| self.tokens.get(token));
        if let Some((actions, _)) = first.filter(|(_, at_ms)| self.now_ms < at_ms + 600_000) {
            let same = *actions == request.transact_items;
            return same
                .then(Answer::default)
                .ok_or(Failure::new("IdempotentParameterMismatchException", ""));
        }
        let plans: Vec<_> = request.transact_items.iter().map(|action| self.plan(action)).collect();
        if plans.iter().any(Result::is_err) {
            return Err(Failure::cancelled(plans.into_iter().map(Result::err).collect()));
        }
        let effects = plans.into_iter().flatten().collect();
        let reports = (request.return_consumed_capacity, request.return_item_collection_metrics);
        let answer = self.commit_all(effects, 2.0, reports);
        let done = (request.transact_items.clone(), self.now_ms);
        self.tokens.extend(token.map(|token| (token.clone(), done)));
        Ok(answer)
    }
}

fn fits_indexes(table: &Table, item: &Item) -> Result<(), Failure> {
    let Some((index, name, expected)) = table.misfit(item) else { return Ok(()) };
    let actual = item[name].type_name();
    Err(Failure::validation(if actual == expected.type_name() {
        format!(
            "One or more parameter values are not valid. A value specified for a secondary index \
             key is not supported. The AttributeValue for a key attribute cannot contain an empty \
             string value. IndexName: {index}, IndexKey: {name}"
        )
    } else {
        format!(
            "One or more parameter values were invalid: Type mismatch for Index Key {name} \
             Expected: {expected} Actual: {actual} IndexName: {index}"
        )
    }))
}

/// Returns the values that the update itself gives to attributes.
fn literals(request: &UpdateItem) -> Item {
    let update = tree(&request.update).cloned().unwrap_or_default();
    let set = update.set.into_iter().filter_map(|(path, value)| match value {
        SetValue::Operand(SetOperand::Value(value)) => Some((path, value)),
        _ => None,
    });
    let written = set.chain(update.add).filter(|(path, _)| path.steps.is_empty());
    written.map(|(path, value)| (path.root, value)).collect()
}

/// Returns the attributes that an update is known to set, before the item is read, to another type
/// than its index needs.
fn known_values(table: &Table, request: &UpdateItem) -> Item {
    let mut known = literals(request);
    known.retain(|name, value| !table.is_of_key_type(name, value));
    known
}

/// Returns the item after an update. An index key may only become a value that fits the index.
/// Removing from a missing item has no effect, and does not create it.
fn updated(
    table: &Table,
    before: Option<&Item>,
    request: &UpdateItem,
) -> Result<Option<Item>, Failure> {
    let update = tree(&request.update).cloned().unwrap_or_default();
    let writes = update.set.len() + update.add.len();
    let takes_away = update.remove.len() + update.delete.len();
    if before.is_none() && takes_away > 0 && writes == 0 {
        return Ok(None);
    }
    let old = before.unwrap_or(&request.key);
    let after = update::apply(&update, old).map_err(Failure::validation)?;
    let mut written = after.clone();
    written.retain(|name, _| update.paths().any(|path| path.root == *name));
    fits_updated_indexes(table, &written)?;
    if size_bytes(&after) > MAX_ITEM_BYTES {
        return Err(too_large_to_update());
    }
    Ok(Some(after))
}

fn too_large_to_update() -> Failure {
    Failure::validation("Item size to update has exceeded the maximum allowed size")
}

/// Refuses values that an update gives to attributes and that don't fit the indexes.
fn fits_updated_indexes(table: &Table, written: &Item) -> Result<(), Failure> {
    let Some((_, name, expected)) = table.misfit(written) else { return Ok(()) };
    Err(Failure::validation(if expected.matches(&written[name]) {
        "One or more parameter values are not valid. The update expression attempted to update a \
         secondary index key to a value that is not supported. The AttributeValue for a key \
         attribute cannot contain an empty string value."
    } else {
        "The update expression attempted to update the secondary index key to unsupported type"
    }))
}
