//! What a transaction left, for the answers of commands.

use monotable::model::{Entity, Error, Receipt};
use monotable_kit::{Problem, Reply};

/// The answer that shows what the operation at a position left: a create or an edit.
pub(crate) fn shown<E: Entity>(
    receipt: &Receipt,
    operation: usize,
    show: impl FnOnce(&E) -> Reply,
) -> Reply {
    match receipt.get(operation) {
        Some(entity) => show(entity),
        None => unreachable!("operation {operation} leaves a {}", E::META.name),
    }
}

/// The problem of a condition that includes a row's version: whatever failed of it, the command is
/// tried again and finds out.
pub(crate) fn outrun(_: usize, error: &Error) -> Option<Problem> {
    match error {
        Error::ConditionFailed { entity, .. } | Error::NotFound { entity } => {
            Some(Error::VersionConflict { entity, key: String::new() }.into())
        }
        _ => None,
    }
}
