//! Rows as older programs wrote them: which attributes they have, and how they become records.
//!
//! Rows without a version or a content type, with text, bytes, compressed bytes or a number for a value
//! are read everywhere, because every record and every entity of the table is. What only the key-value
//! service of before knew is here. Older names inside of values are known where the values are.

use monotable::model::rows::{Record, Records};

use crate::kv::Key;

/// The attribute in which the older key-value service kept values: as attributes, not as JSON text.
const VALUE: &str = "value";
/// The sort key of all its rows.
pub const SORT: &str = "v0";

/// The record under a key, whoever wrote it.
pub(crate) fn record<T>(key: &Key) -> Record<T> {
    Record::at(key.row()).formerly(VALUE)
}

/// Records of a partition, whoever wrote them.
pub(crate) fn records<T>(records: Records<T>) -> Records<T> {
    records.formerly(VALUE)
}
