//! Operations that read items.

use std::collections::BTreeMap;

use monotable_engine::{
    BatchGetItem, Consistency, Direction, Expression, GetItem, KeysAndAttributes, Query, Scan,
    Segment, Select, TransactGet, TransactGetItems,
};
use monotable_expression::{Condition, KeyTest, Projection};
use monotable_types::Item;
use proptest::prelude::*;
use proptest::sample::select;

use super::value::key_value;
use super::world::{ADDED_INDEX, Shape, TABLES, World};
use super::{capacity, consistency, each, expression, tree};
use crate::operation::Operation;

pub(super) fn get_item(world: World) -> impl Strategy<Value = Operation> {
    let projection = prop::option::of(expression::projection(&world.shapes[0]));
    (world.key(), projection, consistency(), capacity()).prop_map(
        move |(key, projection, consistency, capacity)| {
            Operation::GetItem(GetItem {
                projection: projection.and_then(tree),
                consistency,
                return_consumed_capacity: capacity,
                ..GetItem::new(world.name, key)
            })
        },
    )
}

/// How a read filters, what it returns, and its consistency.
type Reading =
    (Option<Expression<Condition>>, Option<Expression<Projection>>, Option<Select>, Consistency);

/// Returns the possible requests of a read.
fn reading(shape: Shape) -> impl Strategy<Value = Reading> {
    // For a local index with a partial projection, the model would have to decide whether its
    // filter fetches.
    let filters = shape.index != Some(ADDED_INDEX) && (shape.global || shape.included.is_none());
    let filter =
        if filters { prop::option::of(expression::filter()).boxed() } else { Just(None).boxed() };
    let whole = shape.index.is_none() || !shape.global || shape.included.is_none();
    let mut selects = vec![None, Some(Select::Count)];
    selects.extend(shape.index.map(|_| Some(Select::AllProjectedAttributes)));
    selects.extend(whole.then_some(Some(Select::AllAttributes)));
    let all = select(selects).prop_map(|select| (None, select));
    let some =
        (expression::projection(&shape), select(vec![None, Some(Select::SpecificAttributes)]))
            .prop_map(|(projection, select)| (tree(projection), select));
    let consistency = select(if shape.global {
        vec![Consistency::Eventual]
    } else {
        vec![Consistency::Eventual, Consistency::Strong]
    });
    (filter, prop_oneof![2 => all, 1 => some], consistency).prop_map(
        |(filter, (projection, select), consistency)| {
            (filter.and_then(tree), projection, select, consistency)
        },
    )
}

/// Returns a query: its condition, its range and order, and what it returns.
pub(super) fn query(world: World, shape: Shape) -> BoxedStrategy<Operation> {
    let own = world.shapes[0];
    let names = [own.partition, own.sort, shape.partition, shape.sort].concat();
    let start: Vec<_> = names
        .into_iter()
        .map(|name| key_value(name).prop_map(move |value| (name.to_owned(), value)))
        .collect();
    let direction = select(&[Direction::Forward, Direction::Backward][..]);
    let extent = (direction, prop::option::of(1..4_u32), prop::option::weighted(0.3, start));
    (expression::key_condition(&shape), reading(shape), extent, capacity())
        .prop_map(
            move |(condition, (filter, projection, select, consistency), extent, capacity)| {
                let (direction, limit, start) = extent;
                let exclusive_start_key = start.and_then(|start| {
                    // It has to be in the partition; its possible ranges would need more code.
                    let mut key: Item = start.into_iter().collect();
                    for term in &condition.terms {
                        let KeyTest::Eq(value) = &term.test else { return None };
                        key.insert(term.attribute.clone(), value.clone());
                    }
                    Some(key)
                });
                Operation::Query(Query {
                    index_name: shape.index.map(String::from),
                    key_condition: tree(condition),
                    exclusive_start_key,
                    filter,
                    projection,
                    select,
                    consistency,
                    direction,
                    limit,
                    return_consumed_capacity: capacity,
                    ..Query::new(world.name)
                })
            },
        )
        .boxed()
}

/// Returns a scan, sometimes in segments, all of which are read.
pub(super) fn scan(world: World, shape: Shape) -> BoxedStrategy<Operation> {
    let segments = prop::option::weighted(0.3, 1..5_u32);
    (reading(shape), prop::option::of(1..4_u32), segments, capacity())
        .prop_map(move |((filter, projection, select, consistency), limit, segments, capacity)| {
            Operation::Scan(Scan {
                index_name: shape.index.map(String::from),
                filter,
                projection,
                select,
                consistency,
                limit,
                segment: segments.map(|total_segments| Segment { segment: 0, total_segments }),
                return_consumed_capacity: capacity,
                ..Scan::new(world.name)
            })
        })
        .boxed()
}

/// Distinct keys.
fn keys() -> BoxedStrategy<Vec<(World, Item)>> {
    prop::collection::vec(each(|world| (Just(world), world.key())), 1..7)
        .prop_map(|mut keys| {
            keys.sort_by_cached_key(|(world, key)| format!("{} {key:?}", world.name));
            keys.dedup_by_key(|(world, key)| format!("{} {key:?}", world.name));
            keys
        })
        .boxed()
}

pub(super) fn batch_get_item() -> BoxedStrategy<Operation> {
    let projection = |world: World| prop::option::of(expression::projection(&world.shapes[0]));
    (keys(), TABLES.map(projection).to_vec(), consistency(), capacity())
        .prop_map(|(keys, projections, consistency, capacity)| {
            let mut request_items: BTreeMap<String, KeysAndAttributes> = BTreeMap::new();
            for (world, key) in keys {
                let request = request_items.entry(world.name.to_owned()).or_default();
                let table = TABLES.iter().position(|table| table.name == world.name);
                let projection = table.and_then(|table| projections[table].clone());
                request.projection = projection.map(Expression::Tree);
                request.consistency = consistency;
                request.keys.push(key);
            }
            let return_consumed_capacity = capacity;
            Operation::BatchGetItem(BatchGetItem { request_items, return_consumed_capacity })
        })
        .boxed()
}

pub(super) fn transact_get_items() -> BoxedStrategy<Operation> {
    let projection = prop::option::of(expression::projection(&TABLES[0].shapes[0]));
    (keys(), prop::collection::vec(projection, 7), capacity())
        .prop_map(|(keys, projections, capacity)| {
            let reads = keys.into_iter().zip(projections);
            let get = |((world, key), projection): ((World, Item), Option<Projection>)| {
                let projection = projection.map(Expression::Tree);
                TransactGet {
                    table_name: world.name.to_owned(),
                    key,
                    projection,
                    ..Default::default()
                }
            };
            Operation::TransactGetItems(TransactGetItems {
                transact_items: reads.map(get).collect(),
                return_consumed_capacity: capacity,
            })
        })
        .boxed()
}
