//! What a transaction left, for the answers of commands.

use monotable::model::{Entity, Error, Receipt};
use monotable_kit::{Problem, Reply, ReplyBody};
use serde_json::Value;

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

/// The answer with a secret in it. What is kept for a repeat of the request has none: it is shown once,
/// to whoever asked first.
pub(crate) fn revealing(mut reply: Reply, name: &str, secret: String) -> Reply {
    if let ReplyBody::Json(Value::Object(body)) = &mut reply.body {
        body.insert(name.to_owned(), secret.into());
    }
    reply
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
