//! The bytes on disk: row keys, order-preserving key values, and stored items.
//!
//! `docs/format.md` describes all of them. This module does not know tables, requests or time.

pub(crate) mod item;
pub(crate) mod key_value;
pub(crate) mod row_key;
pub(crate) mod varint;

use thiserror::Error;

/// Bytes that don't follow the layout.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Malformed(pub(crate) &'static str);

impl From<Malformed> for crate::error::Error {
    fn from(malformed: Malformed) -> Self {
        Self::Corrupted(malformed.to_string())
    }
}
