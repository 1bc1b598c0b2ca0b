//! Lists whose pages are filled with what counts of several pages of rows.

use monotable::model::{Cursor, RowSet, Rows};

/// Pages of rows that are read to fill a page of which not every row counts.
pub(crate) const PAGES_MAX: usize = 20;

/// The rows that can be read, from a cursor on, or from the first.
pub(crate) fn from<S: RowSet>(cursor: Option<&Cursor>, rows: Rows<S>) -> Rows<S> {
    let rows = rows.skip_unreadable();
    match cursor {
        Some(cursor) => rows.after(cursor),
        None => rows,
    }
}
