//! Records of jobs in the database: the request, the progress and the result.

use monotable_engine::{Database, RecordChange, WriteRecords};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};

/// A kind of record.
pub(crate) trait Record: Serialize + DeserializeOwned {
    /// The prefix of the keys of this kind.
    const PREFIX: &'static str;

    /// Returns the identifier of the job.
    fn id(&self) -> &str;

    /// Returns the key of the record.
    fn key(&self) -> String {
        key::<Self>(self.id())
    }

    /// Returns the change that writes the record.
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

/// Returns the key of the record of a job.
pub(crate) fn key<R: Record>(id: &str) -> String {
    format!("{}{id}", R::PREFIX)
}

fn parse<R: Record>(value: &[u8]) -> Result<R> {
    serde_json::from_slice(value)
        .map_err(|error| Error::Damaged(format!("a record can't be read: {error}")))
}

/// Returns all records of a kind, oldest first.
pub(crate) fn all<R: Record>(database: &Database) -> Result<Vec<R>> {
    let records = database.records(R::PREFIX)?;
    records.iter().map(|(_, value)| parse(value)).collect()
}

/// Returns the record of one job.
pub(crate) fn find<R: Record>(database: &Database, id: &str) -> Result<Option<R>> {
    let wanted = key::<R>(id);
    let records = database.records(&wanted)?;
    let found = records.iter().find(|(key, _)| *key == wanted);
    found.map(|(_, value)| parse(value)).transpose()
}
