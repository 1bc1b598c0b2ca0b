//! Reads one or more records by their keys.

use serde::de::DeserializeOwned;

use super::{RecordRow, Stored};
use crate::backend::Row;
use crate::context::Context;
use crate::error::Result;
use crate::read::rows_by_keys;
use crate::rows::key::RuleKey;
use crate::rows::operation::RuleOperation;
use crate::rows::run::RunRule;

/// Reads a record. Made by [`Record::read`](super::Record::read).
#[derive(Debug)]
pub struct ReadRecord<T> {
    pub(super) record: RecordRow<T>,
}

impl<T: DeserializeOwned + Send> RunRule for ReadRecord<T> {
    type Output = Option<Stored<T>>;

    async fn run(self, context: &Context) -> Result<Option<Stored<T>>> {
        let row = self.record.rule.read(context).await?;
        row.map(|row| self.record.decode(context, row)).transpose()
    }
}

/// Reads any number of records. Made by [`Record::read_many`](super::Record::read_many).
#[derive(Debug)]
pub struct ReadRecords<T> {
    records: Vec<RecordRow<T>>,
    consistent: bool,
}

impl<T> ReadRecords<T> {
    pub(super) fn new(records: Vec<RecordRow<T>>) -> Self {
        Self { records, consistent: false }
    }
}

impl<K: RuleKey, T> RuleOperation<K, ReadRecords<T>> {
    /// Reads all acknowledged writes.
    pub fn consistent(mut self) -> Self {
        self.operation.consistent = true;
        self
    }
}

impl<T: DeserializeOwned + Send> RunRule for ReadRecords<T> {
    /// One entry per record, in order; `None` for a missing one.
    type Output = Vec<Option<Stored<T>>>;

    async fn run(self, context: &Context) -> Result<Vec<Option<Stored<T>>>> {
        let keys = self.records.iter().map(|record| record.rule.key_item(context));
        let keys = keys.collect::<Result<Vec<_>>>()?;
        let rows = rows_by_keys(context, &keys, self.consistent).await?;
        let decode = |(record, row): (&RecordRow<T>, Option<Row>)| {
            let row = row.map(Row::into_item).transpose()?;
            let row = row.filter(|row| record.rule.is_present(context, row));
            row.map(|row| record.decode(context, row)).transpose()
        };
        self.records.iter().zip(rows).map(decode).collect()
    }
}
