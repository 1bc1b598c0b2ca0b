//! Complete results: all rows at once, or one value folded from them. Both know the maximum number
//! of rows.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;

use super::one::Response;
use super::raw::Fetched;
use super::recognise::RawRow;
use super::rows::{Rows, Source};
use super::stream::fetch_all;
use crate::backend::Reply;
use crate::entity::{Aggregate, RowSet};
use crate::error::{Error, Result};

/// A request for all rows of a pattern. Await it: `db.everything(&id).await?` is a `Vec`.
#[must_use = "a request does nothing until it is awaited"]
pub struct All<S>(Rows<S>);

impl<S> fmt::Debug for All<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("All").field(&self.0).finish()
    }
}

impl<S: RowSet> All<S> {
    pub(super) fn new(rows: Rows<S>) -> Self {
        Self(rows)
    }

    /// Returns a request whose response is these rows, for fakes of a table in tests.
    pub fn from_rows(rows: Vec<S>) -> Self {
        Self(Rows::from_rows(rows))
    }

    /// Reads all acknowledged writes; only for the table and for local indexes.
    pub fn consistent(self) -> Self {
        Self(self.0.consistent())
    }

    /// Returns the rows with their cost.
    pub fn response(self) -> Reply<Response<Vec<S>>, Error> {
        match self.fetch() {
            Ok(fetched) => fetched.then(Fetched::<Vec<RawRow>>::response),
            Err(value) => Reply::ready(Ok(Response { value, units: 0.0, pattern: "" })),
        }
    }

    /// Reads the rows of a pattern, or returns the given ones.
    fn fetch(self) -> Result<Reply<Fetched<Vec<RawRow>>, Error>, Vec<S>> {
        match self.0.0 {
            Source::Pattern(Ok(selection)) => Ok(fetch_all(selection)),
            Source::Pattern(Err(error)) => Ok(Reply::ready(Err(error))),
            Source::Values(rows) => Err(rows),
        }
    }
}

impl<S: RowSet> IntoFuture for All<S> {
    type Output = Result<Vec<S>>;
    type IntoFuture = Reply<Vec<S>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        match self.fetch() {
            Ok(fetched) => fetched.then(Fetched::<Vec<RawRow>>::value),
            Err(rows) => Reply::ready(Ok(rows)),
        }
    }
}

/// A request for one value folded from all rows of a pattern.
#[must_use = "a request does nothing until it is awaited"]
pub struct Fold<A: Aggregate> {
    rows: All<A::Row>,
    value: PhantomData<fn() -> A>,
}

impl<A: Aggregate> fmt::Debug for Fold<A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Fold").field(&self.rows).finish()
    }
}

impl<A: Aggregate> Fold<A> {
    pub(super) fn new(rows: All<A::Row>) -> Self {
        Self { rows, value: PhantomData }
    }

    /// Returns a request whose response is folded from these rows, for fakes of a table in tests.
    pub fn from_rows(rows: Vec<A::Row>) -> Self {
        Self::new(All::from_rows(rows))
    }

    /// Reads all acknowledged writes; only for the table and for local indexes.
    pub fn consistent(self) -> Self {
        Self::new(self.rows.consistent())
    }

    /// Returns the value with the cost of its rows.
    pub fn response(self) -> Reply<Response<Option<A>>, Error> {
        self.rows.response().then(|Response { value, units, pattern }| {
            Ok(Response { value: A::fold(value)?, units, pattern })
        })
    }
}

impl<A: Aggregate> IntoFuture for Fold<A> {
    type Output = Result<Option<A>>;
    type IntoFuture = Reply<Option<A>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        match self.rows.fetch() {
            Ok(fetched) => fetched.then(|fetched| A::fold(fetched.value()?)),
            Err(rows) => Reply::ready(A::fold(rows)),
        }
    }
}
