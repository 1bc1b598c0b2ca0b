//! AWS's two kinds of errors for statements: the statement cannot be parsed, or DynamoDB does not
//! support what it means.

use std::fmt::Display;

use crate::error::Failure;

/// Makes the error for a statement that cannot be parsed. AWS gives no details where it cannot even
/// separate the words.
pub(super) fn malformed(details: &str) -> Failure {
    Failure::validation(format!("Statement wasn't well formed, can't be processed: {details}"))
}

/// Makes the error for a statement that can be parsed but is not supported.
pub(super) fn refused(why: impl Into<String>) -> Failure {
    Failure::validation(why)
}

/// Makes the error for an operand whose type the operator does not accept.
pub(super) fn operand_type(operator: impl Display, type_name: impl Display) -> Failure {
    refused(format!(
        "Incorrect operand type for operator or function; operator or function: {operator}, operand \
         type: {type_name}"
    ))
}

/// The message for tokens after the end of the statement.
pub(super) const TOKEN_LEFT: &str = "Unexpected token after expression";
/// The message for a missing or invalid term.
pub(super) const TERM_MISSING: &str = "Unexpected term";
