//! AWS's messages for invalid parameters, besides those that [`monotable_types::Constraints`]
//! collects.

use std::fmt::Display;

use monotable_types::TableName;

use crate::error::{Error, Result};
use crate::table::table_name_of_arn;

/// Returns AWS's most frequent error for a parameter.
pub(crate) fn invalid(why: impl Display) -> Error {
    Error::validation(format!("One or more parameter values were invalid: {why}"))
}

/// Checks the table name of an operation on tables; unlike data operations they require 3
/// characters.
pub(crate) fn table_name(name_or_arn: &str) -> Result<()> {
    if table_name_of_arn(name_or_arn).is_some() {
        return Ok(());
    }
    match TableName::try_from(name_or_arn) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::validation(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_is_a_table_name_too() {
        assert_eq!(table_name("arn:aws:dynamodb:us-east-1:123456789012:table/teams"), Ok(()));
        assert_eq!(table_name("teams"), Ok(()));
        assert!(table_name("arn::table/teams").is_err());
        assert!(table_name("ab").is_err());
    }
}
