//! What TransactGetItems and TransactWriteItems share: the constraints on their list of actions.

use std::fmt::Arguments;

use monotable_engine::table_name_of_arn;
use monotable_types::{Constraints, TableName, limits};

/// Checks that a transaction has 1 to 100 actions. AWS's servers print longer lists in different
/// ways.
pub(super) fn check_length(constraints: &mut Constraints, length: Option<usize>) {
    const PATH: &str = "transactItems";
    match length {
        None => constraints.null(PATH),
        Some(0) => constraints.length(0, "[]", PATH, 1..=limits::TRANSACT_MAX),
        Some(length) => constraints.length(length, "[...]", PATH, 1..=limits::TRANSACT_MAX),
    }
}

/// Checks the table of the action at `path`: an ARN, or a name of at least three characters, unlike
/// in operations on one item.
pub(super) fn check_table_name(
    constraints: &mut Constraints,
    path: Arguments<'_>,
    name: Option<&str>,
) {
    match name.map(TableName::try_from) {
        None => constraints.null(&format!("{path}.tableName")),
        Some(Ok(_)) => {}
        Some(Err(_)) if name.and_then(table_name_of_arn).is_some() => {}
        Some(error) => constraints.name(error, &format!("{path}.tableName")),
    }
}
