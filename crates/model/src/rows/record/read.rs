//! Reading records by their keys: one, or as many as there are keys.

use serde::de::DeserializeOwned;

use super::{Record, Stored};
use crate::backend::Row;
use crate::context::Context;
use crate::error::Result;
use crate::read::rows_by_keys;
use crate::rows::run::Run;

/// Reads a record. Made by [`Record::read`].
#[derive(Debug)]
pub struct ReadRecord<T> {
    pub(super) record: Record<T>,
}

impl<T: DeserializeOwned + Send> Run for ReadRecord<T> {
    type Output = Option<Stored<T>>;

    async fn run(self, context: &Context) -> Result<Option<Stored<T>>> {
        let row = self.record.place.read(context).await?;
        row.map(|row| self.record.decode(context, row)).transpose()
    }
}

/// Reads any number of records. Made by [`Records::of`](super::Records::of).
#[derive(Debug)]
pub struct ReadRecords<T> {
    records: Vec<Record<T>>,
    consistent: bool,
}

impl<T> ReadRecords<T> {
    pub(super) fn new(records: Vec<Record<T>>) -> Self {
        Self { records, consistent: false }
    }

    /// Sees every write acknowledged before.
    #[must_use]
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }
}

impl<T: DeserializeOwned + Send> Run for ReadRecords<T> {
    /// One entry a record, in order; `None` where there is none.
    type Output = Vec<Option<Stored<T>>>;

    async fn run(self, context: &Context) -> Result<Vec<Option<Stored<T>>>> {
        let keys = self.records.iter().map(|record| record.place.key_item(context));
        let keys = keys.collect::<Result<Vec<_>>>()?;
        let rows = rows_by_keys(context, &keys, self.consistent).await?;
        let decode = |(record, row): (&Record<T>, Option<Row>)| {
            let row = row.map(Row::into_item).transpose()?;
            let row = row.filter(|row| record.place.is_present(context, row));
            row.map(|row| record.decode(context, row)).transpose()
        };
        self.records.iter().zip(rows).map(decode).collect()
    }
}
