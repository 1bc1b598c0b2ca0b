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

/// The problem of a condition on a row's version that a command wrote itself: somebody else was
/// faster, and the command can be tried again.
pub(crate) fn outrun(error: &Error) -> Option<Problem> {
    match error {
        Error::ConditionFailed { entity, .. } => {
            Some(Error::VersionConflict { entity, key: String::new() }.into())
        }
        _ => None,
    }
}
