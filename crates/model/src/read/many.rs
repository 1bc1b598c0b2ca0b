//! Many rows by their keys, in the order of the request.

use std::collections::HashMap;
use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;

use monotable_design::meta::{EntityMeta, PatternMeta};
use monotable_types::limits::{BATCH_GET_MAX, TRANSACT_MAX};
use monotable_types::{AttributeValue, Item};

use super::expiry::Expired;
use super::one::Response;
use super::raw::Fetched;
use super::recognise::{EntitySet, RawRow, recognise_by_key};
use crate::backend::request::{BatchGet, TransactionGet};
use crate::backend::{Reply, Row};
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::Parts;
use crate::retry::{Cause, Retry};

/// A request for many rows by their keys. Await it: the result has one entry for each key, in
/// order, `None` for a missing row. A key may be requested twice.
#[must_use = "a request does nothing until it is awaited"]
pub struct Many<E>(Source<E>);

enum Source<E> {
    Keys(Keys),
    Values(Vec<Option<E>>),
}

/// The keys of rows, and how they are read.
struct Keys {
    context: Arc<Context>,
    pattern: &'static PatternMeta,
    entities: EntitySet,
    keys: Result<Vec<Item>>,
    consistent: bool,
    moment: Moment,
}

impl<E> fmt::Debug for Many<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Many");
        match &self.0 {
            Source::Keys(Keys { keys: Ok(keys), consistent, moment, .. }) => debug
                .field("keys", &keys.len())
                .field("consistent", consistent)
                .field("moment", moment),
            Source::Keys(Keys { keys: Err(error), .. }) => debug.field("error", error),
            Source::Values(values) => debug.field("values", &values.len()),
        };
        debug.finish_non_exhaustive()
    }
}

/// Whether all rows are read from one snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Each,
    One,
}

impl<E: Entity> Many<E> {
    pub(super) fn new(
        context: &Arc<Context>,
        pattern: &'static PatternMeta,
        keys: &[E::Key],
    ) -> Self {
        let mut items = Ok(Vec::with_capacity(keys.len()));
        for key in keys {
            add_key(context, E::META, key, &mut items);
        }
        Self(Source::Keys(Keys {
            context: Arc::clone(context),
            pattern,
            entities: E::ENTITIES,
            keys: items,
            consistent: pattern.is_consistent,
            moment: Moment::Each,
        }))
    }

    /// Returns a request whose response is these rows, for fakes of a table in tests.
    pub fn from_values(values: Vec<Option<E>>) -> Self {
        Self(Source::Values(values))
    }

    /// Reads all acknowledged writes.
    pub fn consistent(mut self) -> Self {
        if let Source::Keys(keys) = &mut self.0 {
            keys.consistent = true;
        }
        self
    }

    /// Reads all rows from one snapshot: up to 100, on backends with transactions.
    pub fn at_one_moment(mut self) -> Self {
        if let Source::Keys(keys) = &mut self.0 {
            keys.moment = Moment::One;
        }
        self
    }

    /// Returns the rows with their cost.
    pub fn response(self) -> Reply<Response<Vec<Option<E>>>, Error> {
        match self.0 {
            Source::Keys(keys) => keys.fetch(true).then(Fetched::<Vec<Option<RawRow>>>::response),
            Source::Values(value) => Reply::ready(Ok(Response { value, units: 0.0, pattern: "" })),
        }
    }
}

impl<E: Entity> IntoFuture for Many<E> {
    type Output = Result<Vec<Option<E>>>;
    type IntoFuture = Reply<Vec<Option<E>>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        match self.0 {
            Source::Keys(keys) => keys.fetch(false).then(Fetched::<Vec<Option<RawRow>>>::value),
            Source::Values(values) => Reply::ready(Ok(values)),
        }
    }
}

/// Adds the primary key of a row, unless a previous key was invalid.
fn add_key(
    context: &Context,
    entity: &'static EntityMeta,
    key: &dyn Parts,
    items: &mut Result<Vec<Item>>,
) {
    if let Ok(known) = items {
        match context.primary_key(entity, key) {
            Ok(item) => known.push(item),
            Err(error) => *items = Err(error),
        }
    }
}

impl Keys {
    fn fetch(self, returns_units: bool) -> Reply<Fetched<Vec<Option<RawRow>>>, Error> {
        Reply::pending(async move {
            let Self { context, pattern, entities, keys, consistent, moment } = self;
            let keys = keys?;
            let Found { rows, units } = match moment {
                Moment::Each => in_batches(&context, &keys, consistent, returns_units).await?,
                Moment::One => at_once(&context, &keys, returns_units).await?,
            };
            let rows = keys.iter().map(|key| {
                let row = rows.get(&identity(&context, key))?.clone();
                recognise_by_key(&context, entities, row, Expired::Absent)
            });
            let rows = rows.collect();
            Ok(Fetched { rows, table: context.table, units, pattern: pattern.name })
        })
    }
}

/// Reads rows by their keys: one entry for each key, in order.
pub(crate) async fn rows_by_keys(
    context: &Context,
    keys: &[Item],
    consistent: bool,
) -> Result<Vec<Option<Row>>> {
    let Found { rows, .. } = in_batches(context, keys, consistent, false).await?;
    Ok(keys.iter().map(|key| rows.get(&identity(context, key)).cloned()).collect())
}

/// The rows that were found, with their cost.
#[derive(Default)]
struct Found {
    rows: HashMap<Identity, Row>,
    units: f64,
}

/// The key of a row, for looking it up.
type Identity = (Option<AttributeValue>, Option<AttributeValue>);

fn identity(context: &Context, key: &Item) -> Identity {
    let sort = context.table.sort_key.and_then(|attribute| key.get(attribute).cloned());
    (key.get(context.table.partition_key).cloned(), sort)
}

fn identity_of_row(context: &Context, row: &Row) -> Identity {
    let sort = context.table.sort_key.and_then(|attribute| row.get(attribute));
    (row.get(context.table.partition_key), sort)
}

/// Returns the keys without duplicates.
fn distinct(context: &Context, keys: &[Item]) -> Vec<Item> {
    let mut seen = std::collections::HashSet::new();
    keys.iter().filter(|key| seen.insert(identity(context, key))).cloned().collect()
}

async fn in_batches(
    context: &Context,
    keys: &[Item],
    consistent: bool,
    returns_units: bool,
) -> Result<Found> {
    let mut waiting = distinct(context, keys);
    let mut found = Found { rows: HashMap::with_capacity(waiting.len()), units: 0.0 };
    let mut retry = Retry::new();
    while !waiting.is_empty() {
        let rest = waiting.split_off(waiting.len().min(BATCH_GET_MAX));
        let asked = waiting.len();
        let table = Arc::clone(&context.table_name);
        let request = BatchGet { table, keys: waiting, consistent, returns_units };
        let response = context.batch_get(request).await?;
        found.units += response.units;
        for row in response.rows {
            found.rows.insert(identity_of_row(context, &row), row);
        }
        let progress = response.unprocessed.len() < asked;
        waiting = response.unprocessed;
        if progress {
            retry = Retry::new();
        }
        if !waiting.is_empty() && !retry.pause(&*context.backend, Cause::Throttled).await? {
            return Err(Error::Incomplete { unprocessed: waiting.len() + rest.len() });
        }
        waiting.extend(rest);
    }
    Ok(found)
}

async fn at_once(context: &Context, keys: &[Item], returns_units: bool) -> Result<Found> {
    let keys = distinct(context, keys);
    if keys.is_empty() {
        return Ok(Found::default());
    }
    if keys.len() > TRANSACT_MAX {
        let what = format!("a snapshot of {} rows (at most {TRANSACT_MAX})", keys.len());
        return Err(Error::LimitReached { what, retry_after_seconds: None });
    }
    let table = Arc::clone(&context.table_name);
    let request = TransactionGet { table, keys, returns_units };
    let response = context.transact_get(request).await?;
    let rows = response.rows.into_iter().flatten();
    let rows = rows.map(|row| (identity_of_row(context, &row), row)).collect();
    Ok(Found { rows, units: response.units })
}
