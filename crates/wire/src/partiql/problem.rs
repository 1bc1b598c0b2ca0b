//! AWS's two ways to refuse a statement: it can't be read, or it is read and means nothing that
//! DynamoDB does.

use std::fmt::Display;

use crate::error::Failure;

/// The statement can't be read. AWS says nothing more where it can't even tell the words apart.
pub(super) fn malformed(details: &str) -> Failure {
    Failure::validation(format!("Statement wasn't well formed, can't be processed: {details}"))
}

/// The statement is read, and refused.
pub(super) fn refused(why: impl Into<String>) -> Failure {
    Failure::validation(why)
}

/// An operand of a type that the operator can't take.
pub(super) fn operand_type(operator: impl Display, type_name: impl Display) -> Failure {
    refused(format!(
        "Incorrect operand type for operator or function; operator or function: {operator}, operand \
         type: {type_name}"
    ))
}

/// Something follows where the statement should end.
pub(super) const TOKEN_LEFT: &str = "Unexpected token after expression";
/// Nothing, or nothing that begins a term, stands where one should.
pub(super) const TERM_MISSING: &str = "Unexpected term";
