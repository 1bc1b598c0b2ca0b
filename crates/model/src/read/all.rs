//! Whole results: all rows at once, or one value folded from them. Both know how many rows there may
//! be.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;

use monotable_design::meta::PatternMeta;

use super::one::Response;
use super::rows::Rows;
use crate::backend::Reply;
use crate::entity::{Aggregate, RowSet};
use crate::error::{Error, Result};

/// A request for all rows of a pattern. Await it: `db.everything(&id).await?` is a `Vec`.
#[must_use = "a request does nothing until it is awaited"]
pub struct All<S> {
    rows: Rows<S>,
    pattern: &'static str,
    items_max: Option<usize>,
}

impl<S> fmt::Debug for All<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("All")
            .field("rows", &self.rows)
            .field("items_max", &self.items_max)
            .finish_non_exhaustive()
    }
}

impl<S: RowSet> All<S> {
    pub(super) fn new(rows: Rows<S>, pattern: &'static PatternMeta) -> Self {
        let items_max = pattern.items_max.map(|items| items as usize);
        Self { rows, pattern: pattern.name, items_max }
    }

    /// A request that is answered with these rows: for programs that stand in for a table in tests.
    pub fn from_rows(rows: Vec<S>) -> Self {
        Self { rows: Rows::from_rows(rows), pattern: "", items_max: None }
    }

    /// Sees every write acknowledged before; of the table and of local indexes only.
    pub fn consistent(self) -> Self {
        Self { rows: self.rows.consistent(), ..self }
    }

    /// The rows with what they cost.
    pub fn response(self) -> Reply<Response<Vec<S>>, Error> {
        Reply::pending(self.collect())
    }

    async fn collect(self) -> Result<Response<Vec<S>>> {
        let mut stream = self.rows.stream();
        let mut rows = Vec::new();
        while let Some(row) = stream.next().await {
            if self.items_max.is_some_and(|items_max| rows.len() == items_max) {
                let what =
                    format!("pattern `{}` with its items_max of {}", self.pattern, rows.len());
                return Err(Error::LimitReached { what, retry_after_seconds: None });
            }
            rows.push(row?);
        }
        Ok(Response { value: rows, units: stream.units(), pattern: self.pattern })
    }
}

impl<S: RowSet> IntoFuture for All<S> {
    type Output = Result<Vec<S>>;
    type IntoFuture = Reply<Vec<S>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        Reply::pending(async move { Ok(self.collect().await?.value) })
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

    /// A request that is answered from these rows: for programs that stand in for a table in tests.
    pub fn from_rows(rows: Vec<A::Row>) -> Self {
        Self::new(All::from_rows(rows))
    }

    /// Sees every write acknowledged before; of the table and of local indexes only.
    pub fn consistent(self) -> Self {
        Self::new(self.rows.consistent())
    }

    /// The value with what the rows cost.
    pub fn response(self) -> Reply<Response<Option<A>>, Error> {
        Reply::pending(self.read())
    }

    async fn read(self) -> Result<Response<Option<A>>> {
        let Response { value, units, pattern } = self.rows.collect().await?;
        Ok(Response { value: A::fold(value)?, units, pattern })
    }
}

impl<A: Aggregate> IntoFuture for Fold<A> {
    type Output = Result<Option<A>>;
    type IntoFuture = Reply<Option<A>, Error>;

    fn into_future(self) -> Self::IntoFuture {
        Reply::pending(async move { Ok(self.read().await?.value) })
    }
}
