//! Messages about failed files: the file, the reason, and what to do.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::StoreError;
use crate::error::Error;

/// Returns the error for a file with changed bytes.
pub(super) fn damaged(path: &Path, what: &str) -> Error {
    Error::Corrupted(format!("{} is {what}; restore the database from a backup", path.display()))
}

/// Returns the error for a missing file.
pub(super) fn missing(path: &Path, detail: &str) -> Error {
    let space = if detail.is_empty() { "" } else { ", " };
    Error::Corrupted(format!(
        "{} is missing{space}{detail}; put it back or restore the database from a backup",
        path.display()
    ))
}

/// Returns the error for a file that can't be used: `verb` is the failed action, as in "can't be
/// read".
pub(super) fn io_failure(path: &Path, verb: &str, error: &io::Error) -> Error {
    if error.kind() == ErrorKind::NotFound {
        return missing(path, "");
    }
    Error::Open(format!("{} can't be {verb}: {}", path.display(), explain(error)))
}

/// Returns the error and what to do about it.
pub(super) fn explain(error: &io::Error) -> String {
    let advice = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; free some space and start again",
        ErrorKind::PermissionDenied => "; the database needs to read and write all of its files",
        ErrorKind::ReadOnlyFilesystem => "; the database needs a file system that can be written",
        _ => "",
    };
    format!("{error}{advice}")
}

/// Returns the error of the tree of table files without its internals.
pub(super) fn describe(error: &lsm_tree::Error) -> String {
    match error {
        lsm_tree::Error::Io(error) => explain(error),
        // Everything else is a file with changed bytes.
        _ => {
            "a file of it is damaged; stop the server and run `monotable check` on the directory, \
              which names the file"
                .to_owned()
        }
    }
}

/// Returns the message for a panic of the tree.
pub(super) fn panicked() -> String {
    "a file of it is damaged in a way that the store can't handle".to_owned()
}

pub(super) fn read_error(error: &lsm_tree::Error) -> StoreError {
    StoreError::Read(describe(error))
}
