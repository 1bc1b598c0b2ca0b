//! Random operations on a small set of tables and values, most of them well formed.

mod expression;
pub mod malformed;
mod reads;
mod update;
pub mod value;
pub mod world;
mod writes;

use monotable_engine::{
    Consistency, DeleteTable, Expression, IndexUpdate, ReturnConsumedCapacity, StreamUpdate,
    StreamViewType, UpdateTable, UpdateTimeToLive,
};
use monotable_types::{AttributeDefinition, ScalarType};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;

use self::world::{ADDED_INDEX, ADDED_KEY, TABLES, World};
use crate::operation::{Operation, Spelling, Step};

/// Runs of up to this many operations on the generated tables, which they first create and fill. In
/// one run of twenty most items are large, so that pages end at 1 MB.
pub fn steps(count: usize) -> BoxedStrategy<Vec<Step>> {
    let fill = prop::collection::vec(writes::batch_write_item(), 0..6);
    (fill, prop::collection::vec(step(), 0..=count), prop::bool::weighted(0.05))
        .prop_map(move |(fill, steps, is_heavy)| {
            let fill = fill.into_iter().map(Step::plain);
            let mut all: Vec<Step> = create_tables().into_iter().chain(fill).chain(steps).collect();
            if is_heavy {
                all.iter_mut().for_each(writes::make_heavy);
            }
            all
        })
        .boxed()
}

/// Returns the steps that create the tables.
pub fn create_tables() -> Vec<Step> {
    TABLES.iter().map(|world| Step::plain(world.create().into())).collect()
}

/// Returns one operation.
fn step() -> BoxedStrategy<Step> {
    let seconds = select(vec![2, 60, 700, 3_600, 90_000]);
    let well_formed = prop_oneof![
        12 => each(|world| writes::put_item(world).prop_map(Operation::PutItem)),
        14 => each(|world| writes::update_item(world).prop_map(Operation::UpdateItem)),
        4 => each(|world| writes::delete_item(world).prop_map(Operation::DeleteItem)),
        5 => each(reads::get_item),
        12 => each(|world| Union::new(world.shapes.iter().map(|shape| reads::query(world, *shape)))),
        5 => each(|world| Union::new(world.shapes.iter().map(|shape| reads::scan(world, *shape)))),
        3 => reads::batch_get_item(),
        4 => writes::batch_write_item(),
        3 => reads::transact_get_items(),
        8 => writes::transact_write_items(),
        4 => each(table_operation),
        1 => seconds.prop_map(|seconds| Operation::AdvanceClock { seconds }),
        1 => Just(Operation::SweepExpired),
        1 => Just(Operation::Reopen),
    ];
    let spelling = prop_oneof![2 => Just(Spelling::Tree), 1 => Just(Spelling::Text)];
    let well_formed = (well_formed, spelling).prop_map(|(operation, spelling)| Step {
        operation,
        spelling,
        refused: None,
    });
    prop_oneof![12 => well_formed, 1 => malformed::step()].boxed()
}

/// Returns a strategy for one of the tables. The strategies of all are built once, which is most of
/// the work of drawing from them.
fn each<S: Strategy + 'static>(of: impl Fn(World) -> S) -> BoxedStrategy<S::Value> {
    Union::new(TABLES.map(|world| of(world).boxed())).boxed()
}

fn tree<T>(tree: T) -> Option<Expression<T>> {
    Some(Expression::Tree(tree))
}

fn capacity() -> impl Strategy<Value = ReturnConsumedCapacity> {
    use ReturnConsumedCapacity::{Indexes, None, Total};
    select(&[None, Total, Indexes][..])
}

fn consistency() -> impl Strategy<Value = Consistency> {
    select(&[Consistency::Eventual, Consistency::Strong][..])
}

/// Returns a change of a table, sometimes its removal.
fn table_operation(world: World) -> BoxedStrategy<Operation> {
    let views = [
        StreamViewType::NewAndOldImages,
        StreamViewType::NewImage,
        StreamViewType::OldImage,
        StreamViewType::KeysOnly,
    ];
    let update = UpdateTable::new(world.name);
    let added = world.shapes[world.shapes.len() - 1].definition();
    let with_index = UpdateTable {
        attribute_definitions: vec![AttributeDefinition::new(
            ADDED_KEY,
            value::key_type(ADDED_KEY),
        )],
        index_updates: vec![IndexUpdate::Create(added)],
        ..update.clone()
    };
    // A type that contradicts the known one is refused.
    let mut contradicting = with_index.clone();
    contradicting.attribute_definitions.push(AttributeDefinition::new("gn", ScalarType::S));
    let without_index = UpdateTable {
        index_updates: vec![IndexUpdate::Delete { index_name: ADDED_INDEX.to_owned() }],
        ..update.clone()
    };
    let without_stream = UpdateTable { stream: Some(StreamUpdate::Disable), ..update.clone() };
    let with_stream = select(views.to_vec()).prop_map(move |view| {
        UpdateTable { stream: Some(StreamUpdate::Enable(view)), ..update.clone() }.into()
    });
    let attribute = prop_oneof![5 => Just("ttl"), 1 => Just("n")];
    let time_to_live =
        (attribute, prop::bool::weighted(0.8)).prop_map(move |(attribute, enabled)| {
            let attribute_name = attribute.to_owned();
            let table_name = world.name.to_owned();
            UpdateTimeToLive { table_name, attribute_name, enabled }.into()
        });
    prop_oneof![
        6 => Just(world.create().into()),
        1 => Just(DeleteTable::new(world.name).into()),
        8 => Just(with_index.into()),
        1 => Just(contradicting.into()),
        2 => Just(without_index.into()),
        2 => with_stream,
        1 => Just(without_stream.into()),
        8 => time_to_live,
    ]
    .boxed()
}
