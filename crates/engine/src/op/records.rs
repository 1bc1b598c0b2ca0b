//! Records: rows that the layer above stores in the database, for its jobs. They are durable and
//! atomic like everything else; the engine does not know their content.

use crate::commit::{Shared, Stage};
use crate::error::{Error, Result};
use crate::layout::row_key::RowRange;
use crate::store::Order;
use crate::system;

/// The maximum length of a record's key.
const KEY_BYTES_MAX: usize = 256;

/// A record that is written, or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordChange {
    /// Its key.
    pub key: String,
    /// Its new content; `None` removes it.
    pub value: Option<Vec<u8>>,
}

impl RecordChange {
    pub(crate) fn validate(&self) -> Result<()> {
        match self.key.len() {
            1..=KEY_BYTES_MAX => Ok(()),
            _ => Err(Error::validation("The key of a record has 1 to 256 bytes")),
        }
    }

    pub(crate) fn stage(self, stage: &mut Stage<'_>) {
        let key = system::record_key(&self.key);
        match self.value {
            Some(value) => stage.put(key, value),
            None => stage.remove(key),
        }
    }
}

/// Writes and removes records, all or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteRecords {
    /// The changes.
    pub changes: Vec<RecordChange>,
}

impl WriteRecords {
    /// Creates a request that writes one record.
    pub fn put(key: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Self { changes: vec![RecordChange { key: key.into(), value: Some(value.into()) }] }
    }

    /// Creates a request that removes one record.
    pub fn remove(key: impl Into<String>) -> Self {
        Self { changes: vec![RecordChange { key: key.into(), value: None }] }
    }

    pub(crate) fn validate(&self) -> Result<()> {
        self.changes.iter().try_for_each(RecordChange::validate)
    }

    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<()> {
        self.changes.into_iter().for_each(|change| change.stage(stage));
        Ok(())
    }
}

/// Returns the records whose keys begin with `prefix`, in order of their keys.
pub(crate) fn records(shared: &Shared, prefix: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let range = RowRange::prefix(&system::record_key(prefix));
    let view = shared.view();
    let rows = view.snapshot.range(&range, Order::Ascending);
    rows.map(|row| {
        let (key, value) = row?;
        let key = system::record_of_key(&key)
            .ok_or_else(|| Error::Corrupted("the key of a record is malformed".to_owned()))?;
        Ok((key.to_owned(), value.to_vec()))
    })
    .collect()
}
