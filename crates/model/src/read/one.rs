//! One row: by its key, or the first of a query.

use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;

use monotable_design::meta::{Operation, PatternMeta};
use monotable_types::Item;

use super::expiry::Expired;
use super::filter::Filter;
use super::keys::{Arguments, primary_key};
use super::owner::Owner;
use super::raw::{Fetched, RawOne};
use super::recognise::{EntitySet, Mirrors, recognise, recognise_by_key};
use super::route::Route;
use super::rows::Selection;
use super::stream::fetch_first;
use crate::backend::Reply;
use crate::backend::request::{Get, GetResponse};
use crate::context::Context;
use crate::entity::RowSet;
use crate::error::{Error, Result};

/// A request for one row. Await it: `db.team(&id).await?` is the row, if there is one.
#[must_use = "a request does nothing until it is awaited"]
pub struct One<S>(Source<S>);

enum Source<S> {
    Request(Request),
    Value(Option<S>),
}

impl<S> fmt::Debug for One<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("One");
        match &self.0 {
            Source::Request(Request::Failed(error)) => debug.field("error", error),
            Source::Request(request) => debug.field("pattern", &request.pattern()),
            Source::Value(value) => debug.field("is_some", &value.is_some()),
        };
        debug.finish_non_exhaustive()
    }
}

/// A value with its cost and the name of its pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Response<T> {
    /// The value.
    pub value: T,
    /// The consumed read units, if the backend reports them.
    pub units: f64,
    /// The name of the pattern.
    pub pattern: &'static str,
}

impl<S: RowSet> One<S> {
    pub(super) fn new(request: Result<Request>) -> Self {
        Self(Source::Request(request.unwrap_or_else(Request::Failed)))
    }

    /// Returns a request whose response is this value, for fakes of a table in tests.
    pub fn from_value(value: Option<S>) -> Self {
        Self(Source::Value(value))
    }

    /// Reads all acknowledged writes.
    pub fn consistent(mut self) -> Self {
        if let Source::Request(request) = &mut self.0 {
            request.set_consistent();
        }
        self
    }

    /// Returns the row even if it has expired, as long as it has not been removed.
    pub fn including_expired(mut self) -> Self {
        if let Source::Request(request) = &mut self.0 {
            request.include_expired();
        }
        self
    }

    /// Returns the row with its cost.
    pub fn response(self) -> Reply<Response<Option<S>>, Error> {
        match self.0 {
            Source::Request(request) => request.fetch(true).then(Fetched::<RawOne>::response),
            Source::Value(value) => Reply::ready(Ok(Response { value, units: 0.0, pattern: "" })),
        }
    }
}

impl<S: RowSet> IntoFuture for One<S> {
    type Output = Result<Option<S>>;
    type IntoFuture = Reply<Option<S>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        match self.0 {
            Source::Request(request) => request.fetch(false).then(Fetched::<RawOne>::value),
            Source::Value(value) => Reply::ready(Ok(value)),
        }
    }
}

/// How one row is found.
pub(super) enum Request {
    Get(Key),
    First(Box<Selection>),
    Owner(Box<Owner>),
    Failed(Error),
}

/// The key of a row, and how it is read.
pub(super) struct Key {
    context: Arc<Context>,
    pattern: &'static PatternMeta,
    entities: EntitySet,
    key: Item,
    consistent: bool,
    expired: Expired,
}

impl Request {
    /// Returns a row by its key, or the first of a query.
    pub(super) fn new(
        context: &Arc<Context>,
        route: &'static Route,
        entities: EntitySet,
        arguments: &Arguments<'_>,
        filters: &[Filter],
    ) -> Result<Self> {
        let pattern = route.pattern;
        if pattern.operation != Operation::Get {
            let selection = Selection::new(context, route, entities, arguments, filters)?;
            return Ok(Self::First(selection));
        }
        Ok(Self::Get(Key {
            context: Arc::clone(context),
            pattern,
            entities,
            key: primary_key(context, pattern, arguments)?,
            consistent: pattern.is_consistent,
            expired: Expired::Absent,
        }))
    }

    fn pattern(&self) -> &'static str {
        match self {
            Self::Get(key) => key.pattern.name,
            Self::First(selection) => selection.route.pattern.name,
            Self::Owner(owner) => owner.pattern.name,
            Self::Failed(_) => "",
        }
    }

    fn set_consistent(&mut self) {
        match self {
            Self::Get(key) => key.consistent = true,
            Self::First(selection) => selection.consistent = true,
            Self::Owner(_) | Self::Failed(_) => {}
        }
    }

    fn include_expired(&mut self) {
        match self {
            Self::Get(key) => key.expired = Expired::Included,
            Self::First(selection) => selection.expired = Expired::Included,
            Self::Owner(owner) => owner.expired = Expired::Included,
            Self::Failed(_) => {}
        }
    }

    fn fetch(self, returns_units: bool) -> Reply<Fetched<RawOne>, Error> {
        match self {
            Self::Get(key) => key.fetch(returns_units),
            Self::First(selection) => fetch_first(selection),
            Self::Owner(owner) => owner.fetch(returns_units),
            Self::Failed(error) => Reply::ready(Err(error)),
        }
    }
}

impl Key {
    /// Reads the row. If the backend responds at once, no future is allocated.
    fn fetch(mut self, returns_units: bool) -> Reply<Fetched<RawOne>, Error> {
        let request = Get {
            table: Arc::clone(&self.context.table_name),
            key: std::mem::take(&mut self.key),
            consistent: self.consistent,
            returns_units,
        };
        match self.context.get(request).now() {
            Ok(Ok(response)) => Reply::ready(Ok(self.recognise(response))),
            Ok(Err(error)) => Reply::ready(Err(error.into())),
            Err(reply) => Reply::pending(async move { Ok(self.recognise(reply.await?)) }),
        }
    }

    fn recognise(&self, GetResponse { row, units, .. }: GetResponse) -> Fetched<RawOne> {
        let row = row.and_then(|row| match self.pattern.allows {
            [] => recognise_by_key(&self.context, self.entities, row, self.expired),
            // A pattern that is allowed to break a rule may reach rows of other entities.
            _ => {
                recognise(&self.context, self.entities, row, Mirrors::Included, self.expired).row()
            }
        });
        let (table, pattern) = (self.context.table, self.pattern.name);
        Fetched { rows: row.map_or(RawOne::None, RawOne::Row), table, units, pattern }
    }
}
