//! The largest number of rows in one request. Every backend checks it here first, so that a batch
//! that is too long gets the same message everywhere, before anything is sent.

use monotable_types::limits::{BATCH_GET_MAX, BATCH_WRITE_MAX, TRANSACT_MAX};

use super::BackendError;
use super::request::{BatchGet, BatchWrite, Transaction, TransactionGet};

pub(super) fn batch_get(request: &BatchGet) -> Result<(), BackendError> {
    check("a batch reads", request.keys.len(), BATCH_GET_MAX)
}

pub(super) fn batch_write(request: &BatchWrite) -> Result<(), BackendError> {
    check("a batch writes", request.writes.len(), BATCH_WRITE_MAX)
}

pub(super) fn transact_get(request: &TransactionGet) -> Result<(), BackendError> {
    check("a transaction reads", request.keys.len(), TRANSACT_MAX)
}

pub(super) fn transact(request: &Transaction) -> Result<(), BackendError> {
    check("a transaction writes", request.writes.len(), TRANSACT_MAX)
}

fn check(what: &str, rows: usize, rows_max: usize) -> Result<(), BackendError> {
    match rows {
        0 => Err(BackendError::Refused(format!("{what} at least one row; this one has none"))),
        rows if rows > rows_max => Err(BackendError::Refused(format!(
            "{what} at most {rows_max} rows; this one has {rows}, so split it"
        ))),
        _ => Ok(()),
    }
}
