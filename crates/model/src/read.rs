//! Reading: access patterns as requests that are awaited, paged or streamed.
//!
//! The macros turn every function of a pattern trait into one of [`one`], [`rows`], [`all`], [`fold`]
//! and [`many`].

mod all;
mod continuation;
mod cursor;
mod expiry;
mod filter;
mod keys;
mod lanes;
mod many;
mod name;
mod one;
mod owner;
mod raw;
mod recognise;
mod route;
mod rows;
mod stream;

pub use all::{All, Fold};
pub use cursor::Cursor;
pub use filter::{Filter, filter};
pub use many::Many;
pub(crate) use many::rows_by_keys;
pub(crate) use name::make;
pub use one::{One, Response};
pub(crate) use recognise::parse_key;
pub use route::Route;
pub use rows::{Page, Rows};
pub use stream::RowStream;

use std::marker::PhantomData;

use monotable_design::meta::{Codec, EntityMeta, Operation, PatternMeta, Shape};
use monotable_types::Item;

use one::Request;
use owner::Owner;
use rows::Selection;

use crate::backend::Row;
use crate::codec::{self, CodecError};
use crate::entity::{Aggregate, Entity, RowSet};
use crate::error::{Error, Result};
use crate::key::{ParsedParts, PartText};
use crate::store::Store;
use crate::table::{Holds, Table};

/// Returns one row by its key, or the first of a query.
pub fn one<T: Table, S: RowSet>(
    store: &Store<T>,
    route: &'static Route,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> One<S> {
    One::new(Request::new(store.context(), route, S::ENTITIES, arguments, filters))
}

/// Returns the owner of a unique value.
pub fn owner<T: Holds<E>, E: Entity>(
    store: &Store<T>,
    route: &'static Route,
    fields: &[&dyn PartText],
) -> One<E> {
    One::new(Owner::new::<E>(store.context(), route.pattern, fields).map(Request::Owner))
}

/// Returns rows page by page.
pub fn rows<T: Table, S: RowSet>(
    store: &Store<T>,
    route: &'static Route,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> Rows<S> {
    Rows::new(Selection::new(store.context(), route, S::ENTITIES, arguments, filters))
}

/// Returns all rows at once.
pub fn all<T: Table, S: RowSet>(
    store: &Store<T>,
    route: &'static Route,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> All<S> {
    All::new(rows(store, route, arguments, filters))
}

/// Returns one value folded from all rows.
pub fn fold<T: Table, A: Aggregate>(
    store: &Store<T>,
    route: &'static Route,
    arguments: &[&dyn PartText],
    filters: &[Filter],
) -> Fold<A> {
    Fold::new(all(store, route, arguments, filters))
}

/// Returns all rows of one entity, for jobs that must see every row.
pub(crate) fn everything<T: Holds<E>, E: Entity>(store: &Store<T>) -> Rows<E> {
    rows(store, Everything::<T, E>::ROUTE, &[], &[])
}

/// The pattern that reads all rows of one entity.
struct Everything<T, E>(PhantomData<(T, E)>);

impl<T: Table, E: Entity> Everything<T, E> {
    const ROUTE: &'static Route = &Route::new(T::META, Self::PATTERN);

    const PATTERN: &'static PatternMeta = &PatternMeta {
        name: E::META.name,
        doc: "",
        operation: Operation::Scan,
        index: None,
        arguments: &[],
        partition: &[],
        sort: &[],
        unique: None,
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

/// Returns many rows by their keys.
pub fn many<T: Holds<E>, E: Entity>(
    store: &Store<T>,
    route: &'static Route,
    keys: &[E::Key],
) -> Many<E> {
    Many::new(store.context(), route.pattern, keys)
}

/// Decodes a row of the table or of a stream record; returns `None` if it is not one of the table's
/// entities.
///
/// # Errors
///
/// The attributes of the row do not fit the entity.
pub fn decode_row<T: Table>(item: Item) -> Result<Option<T::Row>> {
    recognise::decode(T::META, item.into())
}

/// Decodes the entity of a row that was recognised as one.
///
/// # Errors
///
/// The attributes of the row do not fit the entity.
pub fn decode_entity<E: Entity>(mut row: Row, key: &ParsedParts) -> Result<E> {
    let unfit = |error: CodecError| unfit(E::META, &error);
    let stamps = codec::read_stamps(E::META, &|name| row.get(name)).map_err(unfit)?;
    // Only the codec of the entity is compiled for it.
    let mut entity: E = if const { matches!(E::META.codec, Codec::Plain) } {
        codec::decode_plain(E::META, &mut row, key)
    } else {
        codec::decode_joined(E::META, &mut row, key)
    }
    .map_err(unfit)?;
    entity.set_stamps(stamps);
    Ok(entity)
}

fn unfit(entity: &'static EntityMeta, error: &CodecError) -> Error {
    Error::Decode { entity: entity.name, message: error.to_string() }
}
