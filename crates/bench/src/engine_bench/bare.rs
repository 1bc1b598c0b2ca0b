//! The bare store: what the same bytes cost without any of DynamoDB's semantics.
//!
//! The same rows, keys and sync policy as the engine, opened with the same settings, and nothing
//! else: no validation, no expressions, no encoding (requests contain encoded rows), no checksums,
//! no counting, and no read before a put. An update is a read and a write of the base row. A read
//! touches the first byte of every value, as every reader does.

pub(crate) mod disk;
pub(crate) mod memory;
mod read;
pub(crate) mod rows;

use fjall::Slice;

/// Finished rows or the keys to look for.
pub(crate) enum Request {
    /// Write these rows together.
    Write(Vec<(Slice, Slice)>),
    /// Add 1 to the counter in this row, and write the result also to these rows.
    Increment {
        /// The row that is read.
        key: Slice,
        /// Rows of the full layout that repeat it.
        copies: Vec<Slice>,
    },
    /// Read one row.
    Get(Slice),
    /// Read all rows that start with this.
    Partition(Vec<u8>),
    /// Read the first 50 rows that start with this, and the items they stand for.
    Group(Vec<u8>),
}

/// What an index row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Where in its key the item's own key starts; the item is read from its own row.
    Keys,
    /// The whole item.
    Full,
}
