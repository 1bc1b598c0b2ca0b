//! Rows as they were read. The code that reads them knows no types and is compiled once; a request
//! decodes them at the end.

use std::any::Any;

use monotable_design::meta::TableMeta;

use super::one::Response;
use super::recognise::RawRow;
use crate::entity::{Entity, RowSet};
use crate::error::Result;
use crate::key::Parts;

/// Raw rows, with the cost of reading them.
pub(super) struct Fetched<R> {
    pub(super) rows: R,
    pub(super) table: &'static TableMeta,
    pub(super) units: f64,
    pub(super) pattern: &'static str,
}

/// The row of a request for one row.
pub(super) enum RawOne {
    None,
    Row(RawRow),
    /// The owner of a unique value, which is decoded to check the value.
    Owner(Box<dyn UniqueOwner>),
}

/// An entity behind a type that only the request knows.
pub(super) trait UniqueOwner: Parts + Any + Send {}

impl<E: Entity> UniqueOwner for E {}

impl<R> Fetched<R> {
    fn with<T>(self, decode: fn(R, &'static TableMeta) -> Result<T>) -> Result<Response<T>> {
        let Self { rows, table, units, pattern } = self;
        Ok(Response { value: decode(rows, table)?, units, pattern })
    }
}

impl Fetched<RawOne> {
    pub(super) fn value<S: RowSet>(self) -> Result<Option<S>> {
        one(self.rows, self.table)
    }

    pub(super) fn response<S: RowSet>(self) -> Result<Response<Option<S>>> {
        self.with(one)
    }
}

impl Fetched<Vec<RawRow>> {
    pub(super) fn value<S: RowSet>(self) -> Result<Vec<S>> {
        all(self.rows, self.table)
    }

    pub(super) fn response<S: RowSet>(self) -> Result<Response<Vec<S>>> {
        self.with(all)
    }
}

impl Fetched<Vec<Option<RawRow>>> {
    pub(super) fn value<S: RowSet>(self) -> Result<Vec<Option<S>>> {
        many(self.rows, self.table)
    }

    pub(super) fn response<S: RowSet>(self) -> Result<Response<Vec<Option<S>>>> {
        self.with(many)
    }
}

fn one<S: RowSet>(row: RawOne, table: &'static TableMeta) -> Result<Option<S>> {
    match row {
        RawOne::None => Ok(None),
        RawOne::Row(row) => row.decode(table).map(Some),
        RawOne::Owner(owner) => {
            let owner: Box<dyn Any> = owner;
            Ok(owner.downcast().ok().map(|owner| *owner))
        }
    }
}

fn all<S: RowSet>(rows: Vec<RawRow>, table: &'static TableMeta) -> Result<Vec<S>> {
    let mut values = Vec::with_capacity(rows.len());
    for row in rows {
        values.push(row.decode(table)?);
    }
    Ok(values)
}

fn many<S: RowSet>(rows: Vec<Option<RawRow>>, table: &'static TableMeta) -> Result<Vec<Option<S>>> {
    let mut values = Vec::with_capacity(rows.len());
    for row in rows {
        values.push(match row {
            Some(row) => Some(row.decode(table)?),
            None => None,
        });
    }
    Ok(values)
}
