//! One row: by its key, or the first of a query.

use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;

use monotable_design::meta::PatternMeta;
use monotable_types::Item;

use super::expiry::Expired;
use super::owner::Owner;
use super::recognise::decode_present;
use super::rows::Rows;
use crate::backend::Reply;
use crate::backend::request::{Get, GetAnswer};
use crate::context::Context;
use crate::entity::{Entity, RowSet};
use crate::error::{Error, Result};

/// A request for one row. Await it: `db.team(&id).await?` is the row, if there is one.
#[must_use = "a request does nothing until it is awaited"]
pub struct One<S>(Source<S>);

enum Source<S> {
    Get(Result<Key>),
    First(Box<Rows<S>>),
    /// The owner of a unique value, and how it is read as what it is.
    Owner(Result<Box<Owner>>, fn(Owner) -> Reply<Response<Option<S>>, Error>),
    Value(Option<S>),
}

impl<S> fmt::Debug for One<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("One");
        match &self.0 {
            Source::Get(Ok(key)) => debug.field("pattern", &key.pattern.name),
            Source::First(rows) => debug.field("first", rows),
            Source::Owner(Ok(owner), _) => debug.field("pattern", &owner.pattern.name),
            Source::Get(Err(error)) | Source::Owner(Err(error), _) => debug.field("error", error),
            Source::Value(value) => debug.field("is_some", &value.is_some()),
        };
        debug.finish_non_exhaustive()
    }
}

/// The key of a row, and how it is read.
struct Key {
    context: Arc<Context>,
    pattern: &'static PatternMeta,
    key: Item,
    consistent: bool,
    expired: Expired,
}

/// A value, what it cost, and the pattern that it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Response<T> {
    /// The value.
    pub value: T,
    /// Read units used, where the backend tells.
    pub units: f64,
    /// The pattern's name.
    pub pattern: &'static str,
}

impl<S: RowSet> One<S> {
    pub(super) fn get(
        context: &Arc<Context>,
        pattern: &'static PatternMeta,
        key: Result<Item>,
    ) -> Self {
        Self(Source::Get(key.map(|key| Key {
            context: Arc::clone(context),
            pattern,
            key,
            consistent: pattern.is_consistent,
            expired: Expired::Absent,
        })))
    }

    pub(super) fn first(rows: Rows<S>) -> Self {
        Self(Source::First(Box::new(rows)))
    }

    pub(super) fn owner(owner: Result<Owner>) -> Self
    where
        S: Entity,
    {
        Self(Source::Owner(owner.map(Box::new), |owner| Reply::pending(owner.read::<S>())))
    }

    /// A request that is answered with this value: for programs that stand in for a table in tests.
    pub fn from_value(value: Option<S>) -> Self {
        Self(Source::Value(value))
    }

    /// Sees every write acknowledged before.
    pub fn consistent(mut self) -> Self {
        self.0 = match self.0 {
            Source::Get(Ok(key)) => Source::Get(Ok(Key { consistent: true, ..key })),
            Source::First(rows) => Source::First(Box::new(rows.consistent())),
            other => other,
        };
        self
    }

    /// Returns the row although it has expired, as long as it was not removed.
    pub fn including_expired(mut self) -> Self {
        self.0 = match self.0 {
            Source::Get(Ok(key)) => Source::Get(Ok(Key { expired: Expired::Included, ..key })),
            Source::First(rows) => Source::First(Box::new(rows.including_expired())),
            Source::Owner(Ok(owner), read) => {
                Source::Owner(Ok(Box::new(owner.including_expired())), read)
            }
            other => other,
        };
        self
    }

    /// The row with what it cost.
    pub fn response(self) -> Reply<Response<Option<S>>, Error> {
        match self.0 {
            Source::Get(Ok(key)) => key.read(true, |key, answer| {
                let units = answer.units;
                let value = key.value(answer)?;
                Ok(Response { value, units, pattern: key.pattern.name })
            }),
            Source::Get(Err(error)) => Reply::ready(Err(error)),
            Source::First(rows) => Reply::pending(rows.first_response()),
            Source::Owner(Ok(owner), read) => read(owner.telling_units()),
            Source::Owner(Err(error), _) => Reply::ready(Err(error)),
            Source::Value(value) => Reply::ready(Ok(Response { value, units: 0.0, pattern: "" })),
        }
    }
}

impl Key {
    /// Reads the row. When the backend answers at once, nothing is allocated for the future.
    fn read<T: Send + 'static>(
        mut self,
        tells_units: bool,
        finish: impl FnOnce(&Self, GetAnswer) -> Result<T> + Send + 'static,
    ) -> Reply<T, Error> {
        let request = Get {
            table: Arc::clone(&self.context.table_name),
            key: std::mem::take(&mut self.key),
            consistent: self.consistent,
            tells_units,
        };
        match self.context.backend.get(request).now() {
            Ok(answer) => {
                Reply::ready(answer.map_err(Error::from).and_then(|answer| finish(&self, answer)))
            }
            Err(reply) => Reply::pending(async move { finish(&self, reply.await?) }),
        }
    }

    fn value<S: RowSet>(&self, answer: GetAnswer) -> Result<Option<S>> {
        match answer.row {
            Some(row) => decode_present(&self.context, row, self.expired),
            None => Ok(None),
        }
    }
}

impl<S: RowSet> IntoFuture for One<S> {
    type Output = Result<Option<S>>;
    type IntoFuture = Reply<Option<S>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        match self.0 {
            Source::Get(Ok(key)) => key.read(false, Key::value),
            Source::Get(Err(error)) => Reply::ready(Err(error)),
            Source::First(rows) => Reply::pending(rows.first()),
            Source::Value(value) => Reply::ready(Ok(value)),
            Source::Owner(Ok(owner), read) => {
                Reply::pending(async move { Ok(read(*owner).await?.value) })
            }
            Source::Owner(Err(error), _) => Reply::ready(Err(error)),
        }
    }
}
