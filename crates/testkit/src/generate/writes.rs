//! Operations that write items.

use std::collections::BTreeSet;

use monotable_engine::{
    BatchWriteItem, ConditionCheck, DeleteItem, Expression, PutItem, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnOnConditionFailure, ReturnValues, TransactWrite,
    TransactWriteItems, UpdateItem, WriteRequest,
};
use monotable_expression::{Condition, Step as PathStep, Update};
use monotable_types::Item;
use proptest::prelude::*;
use proptest::sample::select;

use super::world::World;
use super::{capacity, each, expression, update};
use crate::operation::{Operation, Step};

/// What the writes of one item have in common: usually a condition, what its failure returns, and
/// what is reported.
#[derive(Clone, Debug)]
struct Terms {
    condition: Option<Expression<Condition>>,
    on_failure: ReturnOnConditionFailure,
    capacity: ReturnConsumedCapacity,
    metrics: ReturnItemCollectionMetrics,
}

fn terms(world: World) -> impl Strategy<Value = Terms> {
    let condition = expression::condition(world.shapes[0].partition[0]).prop_map(Expression::Tree);
    let on_failure =
        select(&[ReturnOnConditionFailure::None, ReturnOnConditionFailure::AllOld][..]);
    (prop::option::of(condition), on_failure, capacity(), metrics()).prop_map(
        |(condition, on_failure, capacity, metrics)| Terms {
            condition,
            on_failure,
            capacity,
            metrics,
        },
    )
}

fn metrics() -> impl Strategy<Value = ReturnItemCollectionMetrics> {
    select(&[ReturnItemCollectionMetrics::None, ReturnItemCollectionMetrics::Size][..])
}

pub(super) fn put_item(world: World) -> impl Strategy<Value = PutItem> {
    let values = select(&[ReturnValues::None, ReturnValues::AllOld][..]);
    (world.item(), terms(world), values).prop_map(move |(item, terms, values)| PutItem {
        condition: terms.condition,
        return_values: values,
        return_on_condition_failure: terms.on_failure,
        return_consumed_capacity: terms.capacity,
        return_item_collection_metrics: terms.metrics,
        ..PutItem::new(world.name, item)
    })
}

pub(super) fn delete_item(world: World) -> impl Strategy<Value = DeleteItem> {
    let values = select(&[ReturnValues::None, ReturnValues::AllOld][..]);
    (world.key(), terms(world), values).prop_map(move |(key, terms, values)| DeleteItem {
        condition: terms.condition,
        return_values: values,
        return_on_condition_failure: terms.on_failure,
        return_consumed_capacity: terms.capacity,
        return_item_collection_metrics: terms.metrics,
        ..DeleteItem::new(world.name, key)
    })
}

pub(super) fn update_item(world: World) -> impl Strategy<Value = UpdateItem> {
    use ReturnValues::{AllNew, AllOld, None, UpdatedNew, UpdatedOld};
    let update = prop::option::weighted(0.95, update::update());
    let values = select(&[None, AllOld, AllNew, UpdatedOld, UpdatedNew][..]);
    (world.key(), update, terms(world), values).prop_map(move |(key, update, terms, values)| {
        // AWS does not document what UPDATED_NEW returns for list elements that moved.
        let moves = update.as_ref().is_some_and(has_positions);
        UpdateItem {
            update: update.map(Expression::Tree),
            condition: terms.condition,
            return_values: if moves { AllNew } else { values },
            return_on_condition_failure: terms.on_failure,
            return_consumed_capacity: terms.capacity,
            return_item_collection_metrics: terms.metrics,
            ..UpdateItem::new(world.name, key)
        }
    })
}

fn has_positions(update: &Update) -> bool {
    let is_position = |step: &PathStep| matches!(step, PathStep::Index(_));
    update.paths().any(|path| path.steps.iter().any(is_position))
}

/// Mostly puts: they fill the tables for everything else.
pub(super) fn batch_write_item() -> BoxedStrategy<Operation> {
    let request = each(|world| (Just(world), world.item(), prop::bool::weighted(0.8)));
    (prop::collection::vec(request, 1..16), capacity(), metrics())
        .prop_map(|(requests, capacity, metrics)| {
            let mut seen = BTreeSet::new();
            let mut batch = BatchWriteItem::new();
            batch.return_consumed_capacity = capacity;
            batch.return_item_collection_metrics = metrics;
            for (world, item, is_put) in requests {
                let key = primary_key(&world, &item);
                if !seen.insert(format!("{} {key:?}", world.name)) {
                    continue;
                }
                let request =
                    if is_put { WriteRequest::Put(item) } else { WriteRequest::Delete(key) };
                batch.request_items.entry(world.name.to_owned()).or_default().push(request);
            }
            Operation::BatchWriteItem(batch)
        })
        .boxed()
}

fn primary_key(world: &World, item: &Item) -> Item {
    let key = world.shapes[0];
    let names = key.partition.iter().chain(key.sort);
    names.map(|name| ((*name).to_owned(), item[*name].clone())).collect()
}

fn action(world: World) -> BoxedStrategy<(World, TransactWrite)> {
    let condition = expression::condition(world.shapes[0].partition[0]);
    let check = (world.key(), condition, terms(world)).prop_map(move |(key, condition, terms)| {
        let check = ConditionCheck::new(world.name, key, condition);
        check.return_on_condition_failure(terms.on_failure)
    });
    let update = update_item(world)
        .prop_filter("a transaction updates something", |request| request.update.is_some());
    prop_oneof![
        put_item(world).prop_map(TransactWrite::Put),
        update.prop_map(TransactWrite::Update),
        delete_item(world).prop_map(TransactWrite::Delete),
        check.prop_map(TransactWrite::ConditionCheck),
    ]
    .prop_map(move |action| (world, action))
    .boxed()
}

/// Actions on distinct items, sometimes with one of two tokens.
pub(super) fn transact_write_items() -> BoxedStrategy<Operation> {
    let token = prop::option::weighted(0.3, select(&["token-1", "token-2"][..]));
    (prop::collection::vec(each(action), 1..5), token, capacity(), metrics())
        .prop_map(|(actions, token, capacity, metrics)| {
            let mut seen = BTreeSet::new();
            let mut request = TransactWriteItems::new();
            for (world, action) in actions {
                let key = match &action {
                    TransactWrite::Put(put) => primary_key(&world, &put.item),
                    TransactWrite::Update(update) => update.key.clone(),
                    TransactWrite::Delete(delete) => delete.key.clone(),
                    TransactWrite::ConditionCheck(check) => check.key.clone(),
                };
                if seen.insert(format!("{} {key:?}", world.name)) {
                    request = request.action(action);
                }
            }
            // The consumed units of a repeated transaction are not part of the model.
            let capacity = if token.is_some() { ReturnConsumedCapacity::None } else { capacity };
            request.return_consumed_capacity = capacity;
            request.return_item_collection_metrics = metrics;
            request.client_request_token = token.map(String::from);
            Operation::TransactWriteItems(request)
        })
        .boxed()
}

/// Makes the items large that a well-formed step puts.
pub(super) fn make_heavy(step: &mut Step) {
    let items: Vec<&mut Item> = match &mut step.operation {
        _ if step.refused.is_some() => return,
        Operation::PutItem(put) => vec![&mut put.item],
        Operation::BatchWriteItem(batch) => {
            let requests = batch.request_items.values_mut().flatten();
            requests
                .filter_map(|request| match request {
                    WriteRequest::Put(item) => Some(item),
                    WriteRequest::Delete(_) => None,
                })
                .collect()
        }
        _ => return,
    };
    for (item, length) in items.into_iter().zip([370_000, 250_000, 120_000].into_iter().cycle()) {
        item.remove("big");
        item.insert("huge".to_owned(), "z".repeat(length).into());
    }
}
