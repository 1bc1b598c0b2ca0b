//! Many rows by their keys, in the order they were asked for.

use std::collections::HashMap;
use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_types::limits::{BATCH_GET_MAX, TRANSACT_MAX};
use monotable_types::{AttributeValue, Item};

use super::expiry::Expired;
use super::recognise::decode_present;
use crate::backend::request::{BatchGet, TransactionGet};
use crate::backend::{Reply, Row};
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::retry::Retry;

/// A request for many rows by their keys. Await it: the answer has one entry a key, in order, `None`
/// where there is no such row. A key may be asked for twice.
#[must_use = "a request does nothing until it is awaited"]
pub struct Many<E> {
    source: Source<E>,
    consistent: bool,
    moment: Moment,
    entity: PhantomData<fn() -> E>,
}

enum Source<E> {
    Keys(Arc<Context>, Result<Vec<Item>>),
    Values(Vec<Option<E>>),
}

impl<E> fmt::Debug for Many<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Many");
        match &self.source {
            Source::Keys(_, Ok(keys)) => debug.field("keys", &keys.len()),
            Source::Keys(_, Err(error)) => debug.field("error", error),
            Source::Values(values) => debug.field("values", &values.len()),
        };
        debug
            .field("consistent", &self.consistent)
            .field("moment", &self.moment)
            .finish_non_exhaustive()
    }
}

/// Whether all rows are read as of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Each,
    One,
}

impl<E: Entity> Many<E> {
    pub(super) fn new(context: &Arc<Context>, keys: &[E::Key], consistent: bool) -> Self {
        let keys = keys.iter().map(|key| context.primary_key(E::META, key)).collect();
        Self {
            source: Source::Keys(Arc::clone(context), keys),
            consistent,
            moment: Moment::Each,
            entity: PhantomData,
        }
    }

    /// A request that is answered with these rows: for programs that stand in for a table in tests.
    pub fn from_values(values: Vec<Option<E>>) -> Self {
        Self {
            source: Source::Values(values),
            consistent: false,
            moment: Moment::Each,
            entity: PhantomData,
        }
    }

    /// Sees every write acknowledged before.
    pub fn consistent(self) -> Self {
        Self { consistent: true, ..self }
    }

    /// Reads all rows as of one moment: up to 100, on backends with transactions.
    pub fn at_one_moment(self) -> Self {
        Self { moment: Moment::One, ..self }
    }

    async fn read(self) -> Result<Vec<Option<E>>> {
        let (context, keys) = match self.source {
            Source::Keys(context, keys) => (context, keys?),
            Source::Values(values) => return Ok(values),
        };
        let found = match self.moment {
            Moment::Each => in_batches(&context, &keys, self.consistent).await?,
            Moment::One => at_once(&context, &keys).await?,
        };
        keys.iter()
            .map(|key| match found.get(&identity(&context, key)) {
                Some(row) => decode_present(&context, row.clone(), Expired::Absent),
                None => Ok(None),
            })
            .collect()
    }
}

/// Rows by their keys: one entry a key, in order.
pub(crate) async fn rows_by_keys(
    context: &Context,
    keys: &[Item],
    consistent: bool,
) -> Result<Vec<Option<Row>>> {
    let found = in_batches(context, keys, consistent).await?;
    Ok(keys.iter().map(|key| found.get(&identity(context, key)).cloned()).collect())
}

/// A row's key as something to look it up by.
type Identity = (Option<AttributeValue>, Option<AttributeValue>);

fn identity(context: &Context, key: &Item) -> Identity {
    let sort = context.table.sort_key.and_then(|attribute| key.get(attribute).cloned());
    (key.get(context.table.partition_key).cloned(), sort)
}

fn identity_of_row(context: &Context, row: &Row) -> Identity {
    let sort = context.table.sort_key.and_then(|attribute| row.get(attribute));
    (row.get(context.table.partition_key), sort)
}

/// Every key once.
fn distinct(context: &Context, keys: &[Item]) -> Vec<Item> {
    let mut seen = std::collections::HashSet::new();
    keys.iter().filter(|key| seen.insert(identity(context, key))).cloned().collect()
}

async fn in_batches(
    context: &Context,
    keys: &[Item],
    consistent: bool,
) -> Result<HashMap<Identity, Row>> {
    let mut waiting = distinct(context, keys);
    let mut found = HashMap::with_capacity(waiting.len());
    let mut retry = Retry::new();
    while !waiting.is_empty() {
        let rest = waiting.split_off(waiting.len().min(BATCH_GET_MAX));
        let asked = waiting.len();
        let table = Arc::clone(&context.table_name);
        let answer =
            context.backend.batch_get(BatchGet { table, keys: waiting, consistent }).await?;
        for row in answer.rows {
            found.insert(identity_of_row(context, &row), row);
        }
        let progress = answer.unprocessed.len() < asked;
        waiting = answer.unprocessed;
        if !waiting.is_empty() && !retry.pause(context, progress).await? {
            return Err(Error::Incomplete { unprocessed: waiting.len() + rest.len() });
        }
        waiting.extend(rest);
    }
    Ok(found)
}

async fn at_once(context: &Context, keys: &[Item]) -> Result<HashMap<Identity, Row>> {
    let keys = distinct(context, keys);
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    if keys.len() > TRANSACT_MAX {
        let what = format!("one moment for {} rows (at most {TRANSACT_MAX})", keys.len());
        return Err(Error::LimitReached { what, retry_after_seconds: None });
    }
    let table = Arc::clone(&context.table_name);
    let answer = context.backend.transact_get(TransactionGet { table, keys }).await?;
    let rows = answer.rows.into_iter().flatten();
    Ok(rows.map(|row| (identity_of_row(context, &row), row)).collect())
}

impl<E: Entity> IntoFuture for Many<E> {
    type Output = Result<Vec<Option<E>>>;
    type IntoFuture = Reply<Vec<Option<E>>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        Reply::pending(self.read())
    }
}
