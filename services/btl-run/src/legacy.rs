//! Rows as older programs wrote them: which attributes they have, and how they become records.
//!
//! Rows without a version or a content type, with text, bytes, compressed bytes or a number for a value
//! are read everywhere, because every record and every entity of the table is. The older key-value service
//! kept values as attributes named `value`, which the key of records declares. Older names inside of values
//! are known where the values are.

/// The sort key of all its rows.
pub const SORT: &str = "v0";
