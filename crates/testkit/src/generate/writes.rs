//! Operations that write items.

use std::collections::BTreeSet;

use monotable_engine::{
    BatchWriteItem, ConditionCheck, DeleteItem, Expression, PutItem, ReturnConsumedCapacity,
    ReturnOnConditionFailure, ReturnValues, TransactWrite, TransactWriteItems, UpdateItem,
    WriteRequest,
};
use monotable_expression::{Condition, Step, Update};
use monotable_types::Item;
use proptest::prelude::*;
use proptest::sample::select;

use super::world::World;
use super::{capacity, each, expression, update};
use crate::operation::Operation;

/// A condition more often than not, and what its failure returns.
fn guard(
    world: World,
) -> impl Strategy<Value = (Option<Expression<Condition>>, ReturnOnConditionFailure)> {
    let condition = expression::condition(world.shapes[0].partition[0]);
    let on_failure =
        select(&[ReturnOnConditionFailure::None, ReturnOnConditionFailure::AllOld][..]);
    (prop::option::of(condition.prop_map(Expression::Tree)), on_failure)
}

pub(super) fn put_item(world: World) -> impl Strategy<Value = PutItem> {
    let values = select(&[ReturnValues::None, ReturnValues::AllOld][..]);
    (world.item(), guard(world), values, capacity()).prop_map(
        move |(item, (condition, on_failure), return_values, capacity)| PutItem {
            condition,
            return_values,
            return_on_condition_failure: on_failure,
            return_consumed_capacity: capacity,
            ..PutItem::new(world.name, item)
        },
    )
}

pub(super) fn delete_item(world: World) -> impl Strategy<Value = DeleteItem> {
    let values = select(&[ReturnValues::None, ReturnValues::AllOld][..]);
    (world.key(), guard(world), values, capacity()).prop_map(
        move |(key, (condition, on_failure), return_values, capacity)| DeleteItem {
            condition,
            return_values,
            return_on_condition_failure: on_failure,
            return_consumed_capacity: capacity,
            ..DeleteItem::new(world.name, key)
        },
    )
}

pub(super) fn update_item(world: World) -> impl Strategy<Value = UpdateItem> {
    let update = prop::option::weighted(0.95, update::update());
    let values = select(
        &[
            ReturnValues::None,
            ReturnValues::AllOld,
            ReturnValues::AllNew,
            ReturnValues::UpdatedOld,
            ReturnValues::UpdatedNew,
        ][..],
    );
    (world.key(), update, guard(world), values, capacity()).prop_map(
        move |(key, update, (condition, on_failure), values, capacity)| UpdateItem {
            // AWS does not say what UPDATED_NEW shows of list elements that moved.
            return_values: if update.as_ref().is_some_and(has_positions) {
                ReturnValues::AllNew
            } else {
                values
            },
            update: update.map(Expression::Tree),
            condition,
            return_on_condition_failure: on_failure,
            return_consumed_capacity: capacity,
            ..UpdateItem::new(world.name, key)
        },
    )
}

fn has_positions(update: &Update) -> bool {
    let is_position = |step: &Step| matches!(step, Step::Index(_));
    update.paths().any(|path| path.steps.iter().any(is_position))
}

/// Mostly puts: they fill the tables for everything else.
pub(super) fn batch_write_item() -> BoxedStrategy<Operation> {
    let request = each(|world| (Just(world), world.item(), prop::bool::weighted(0.8)));
    (prop::collection::vec(request, 1..16), capacity())
        .prop_map(|(requests, capacity)| {
            let mut seen = BTreeSet::new();
            let mut batch = BatchWriteItem::new();
            batch.return_consumed_capacity = capacity;
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
    let on_failure = guard(world).prop_map(|(_, on_failure)| on_failure);
    let check =
        (world.key(), condition, on_failure).prop_map(move |(key, condition, on_failure)| {
            ConditionCheck::new(world.name, key, condition).return_on_condition_failure(on_failure)
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

/// Actions on distinct items, at times with one of two tokens.
pub(super) fn transact_write_items() -> BoxedStrategy<Operation> {
    let token = prop::option::weighted(0.3, select(&["token-1", "token-2"][..]));
    (prop::collection::vec(each(action), 1..5), token, capacity())
        .prop_map(|(actions, token, capacity)| {
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
            // What a repeated transaction reports as consumed is not part of the model.
            let capacity = if token.is_some() { ReturnConsumedCapacity::None } else { capacity };
            request.return_consumed_capacity = capacity;
            request.client_request_token = token.map(String::from);
            Operation::TransactWriteItems(request)
        })
        .boxed()
}
