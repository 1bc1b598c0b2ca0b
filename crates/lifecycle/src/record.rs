//! Records of jobs in the database: what was asked for, how far it is, and what became of it.

use monotable_engine::{Database, RecordChange, WriteRecords};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// What a record of one kind of job is.
pub(crate) trait Record: Serialize + DeserializeOwned {
    /// The beginning of the keys of all records of the kind.
    const PREFIX: &'static str;

    /// The identifier of the job.
    fn id(&self) -> &str;

    /// The key of the record.
    fn key(&self) -> String {
        key::<Self>(self.id())
    }

    /// The record as it is written.
    fn change(&self) -> Result<RecordChange> {
        let value = serde_json::to_vec(self)
            .map_err(|error| Error::Io(format!("a record can't be written: {error}")))?;
        Ok(RecordChange { key: self.key(), value: Some(value) })
    }

    /// Writes the record and waits until it is durable.
    fn save(&self, database: &Database) -> Result<()> {
        Ok(database.write_records(WriteRecords { changes: vec![self.change()?] })?)
    }
}

/// The key of the record of a job.
pub(crate) fn key<R: Record>(id: &str) -> String {
    format!("{}{id}", R::PREFIX)
}

fn parse<R: Record>(value: &[u8]) -> Result<R> {
    serde_json::from_slice(value)
        .map_err(|error| Error::Damaged(format!("a record can't be read: {error}")))
}

/// All records of a kind, oldest first.
pub(crate) fn all<R: Record>(database: &Database) -> Result<Vec<R>> {
    let records = database.records(R::PREFIX)?;
    records.iter().map(|(_, value)| parse(value)).collect()
}

/// The record of one job.
pub(crate) fn find<R: Record>(database: &Database, id: &str) -> Result<Option<R>> {
    let wanted = key::<R>(id);
    let records = database.records(&wanted)?;
    let found = records.iter().find(|(key, _)| *key == wanted);
    found.map(|(_, value)| parse(value)).transpose()
}
