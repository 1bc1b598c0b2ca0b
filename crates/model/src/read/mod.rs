//! Reading: access patterns as requests that are awaited, paged or streamed.
//!
//! The macros turn every function of a pattern trait into one of [`one`], [`rows`], [`all`], [`fold`]
//! and [`many`].

mod all;
mod cursor;
mod expiry;
mod keys;
mod lanes;
mod many;
mod name;
mod one;
mod recognise;
mod rows;
mod stream;

pub use all::{All, Fold};
pub use cursor::Cursor;
pub use many::Many;
pub(crate) use name::make;
pub use one::{One, Response};
pub use rows::{Page, Rows};
pub use stream::RowStream;

use std::marker::PhantomData;

use monotable_design::meta::{Operation, PatternMeta, PresenceTest, Shape};
use monotable_expression::{Condition, path};
use monotable_types::{AttributeValue, Item};
use serde::Serialize;

use crate::backend::Row;
use crate::codec;
use crate::entity::{Aggregate, Entity, RowSet, unfit};
use crate::error::{Error, Result};
use crate::key::{ParsedParts, PartText};
use crate::store::Store;
use crate::table::{Holds, Table};

/// A condition that drops rows after they were read.
pub struct Filter(Result<Option<Condition>>);

/// Keeps only rows whose attribute has this value; `None` keeps all.
pub fn filter<T: Serialize + ?Sized>(attribute: &'static str, value: &T) -> Filter {
    Filter(match codec::to_value(value) {
        Ok(AttributeValue::Null) => Ok(None),
        Ok(value) => Ok(Some(path(attribute).eq(value))),
        Err(error) => Err(Error::Encode { entity: attribute, error }),
    })
}

/// What every row of a pattern must pass.
fn all_of(pattern: &PatternMeta, filters: &[Filter]) -> Result<Option<Condition>> {
    let presence = pattern.presence.iter().map(|test| Ok(Some(has_value(*test))));
    let filters = filters.iter().map(|Filter(filter)| filter.clone());
    let mut all: Option<Condition> = None;
    for filter in filters.chain(presence) {
        if let Some(filter) = filter? {
            all = Some(match all {
                Some(all) => all.and(filter),
                None => filter,
            });
        }
    }
    Ok(all)
}

/// Whether rows have an attribute. One that is NULL has no value, as where rows are read.
fn has_value(test: PresenceTest) -> Condition {
    let attribute = path(test.attribute());
    let absent = attribute.clone().not_exists().or(attribute.eq(AttributeValue::Null));
    match test {
        PresenceTest::Exists(_) => !absent,
        PresenceTest::Absent(_) => absent,
    }
}

/// One row by its key, or the first of a query.
pub fn one<T: Table, S: RowSet>(
    store: &Store<T>,
    pattern: &'static PatternMeta,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> One<S> {
    match pattern.operation {
        Operation::Get => {
            let key = keys::primary_key(store.context(), pattern, arguments);
            One::get(store.context(), pattern, key)
        }
        _ => One::first(rows(store, pattern, arguments, filters)),
    }
}

/// Rows page by page.
pub fn rows<T: Table, S: RowSet>(
    store: &Store<T>,
    pattern: &'static PatternMeta,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> Rows<S> {
    Rows::new(store.context(), pattern, arguments, all_of(pattern, filters))
}

/// All rows at once.
pub fn all<T: Table, S: RowSet>(
    store: &Store<T>,
    pattern: &'static PatternMeta,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> All<S> {
    All::new(rows(store, pattern, arguments, filters), pattern)
}

/// One value folded from all rows.
pub fn fold<T: Table, A: Aggregate>(
    store: &Store<T>,
    pattern: &'static PatternMeta,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> Fold<A> {
    Fold::new(all(store, pattern, arguments, filters))
}

/// Everything of one entity, for chores that must see every row.
pub(crate) fn everything<T: Holds<E>, E: Entity>(store: &Store<T>) -> Rows<E> {
    rows(store, Everything::<E>::PATTERN, &[], &[])
}

/// The pattern that reads everything of one entity.
struct Everything<E>(PhantomData<E>);

impl<E: Entity> Everything<E> {
    const PATTERN: &'static PatternMeta = &PatternMeta {
        name: E::META.name,
        doc: "",
        operation: Operation::Scan,
        index: None,
        arguments: &[],
        partition: &[],
        sort: &[],
        presence: &[],
        returns: E::ENTITIES,
        shape: Shape::Rows,
        is_descending: false,
        is_consistent: true,
        shards: None,
        limit: None,
        items_max: None,
        requests_per_second: None,
        is_admin: true,
        allows: &[],
        location: E::META.location,
    };
}

/// Many rows by their keys.
pub fn many<T: Holds<E>, E: Entity>(
    store: &Store<T>,
    pattern: &'static PatternMeta,
    keys: &[E::Key],
) -> Many<E> {
    Many::new(store.context(), keys, pattern.is_consistent)
}

/// The value of a row as it stands in the table or in a stream record; nothing if it is none of the
/// table's entities.
///
/// # Errors
/// If its attributes don't fit the entity.
pub fn decode_row<T: Table>(item: Item) -> Result<Option<T::Row>> {
    recognise::decode(T::META, item.into())
}

/// The entity of a row that was recognised as one.
///
/// # Errors
/// If its attributes don't fit the entity.
pub fn decode_entity<E: Entity>(row: Row, key: &ParsedParts) -> Result<E> {
    codec::decode_fields(E::META, row.into_item(), key).map_err(unfit::<E>)
}
