//! AWS's messages for parameters out of bounds, collected so that one answer lists all of them.

use std::fmt::Display;
use std::ops::RangeInclusive;

use monotable_types::{NameError, TableName};

use crate::error::{Error, Result};

/// How many broken constraints one message lists.
const LISTED_MAX: usize = 10;

/// The broken constraints of one request.
#[derive(Debug, Default)]
pub(crate) struct Constraints(Vec<String>);

impl Constraints {
    /// Notes that `value` at `path` breaks `rule`, unless it `holds`.
    pub(crate) fn check(&mut self, holds: bool, value: impl Display, path: &str, rule: &str) {
        if !holds {
            self.0.push(format!(
                "Value '{value}' at '{path}' failed to satisfy constraint: Member must {rule}"
            ));
        }
    }

    /// The length of a text, in characters.
    pub(crate) fn text(&mut self, text: &str, path: &str, length: RangeInclusive<usize>) {
        self.length(text.chars().count(), text, path, length);
    }

    /// The length of something that is printed as `value`.
    pub(crate) fn length(
        &mut self,
        length: usize,
        value: impl Display,
        path: &str,
        allowed: RangeInclusive<usize>,
    ) {
        let (min, max) = allowed.into_inner();
        let least = format!("have length greater than or equal to {min}");
        self.check(length >= min, &value, path, &least);
        let most = format!("have length less than or equal to {max}");
        self.check(length <= max, &value, path, &most);
    }

    /// A number of something.
    pub(crate) fn number(&mut self, number: u64, path: &str, allowed: RangeInclusive<u64>) {
        let (min, max) = allowed.into_inner();
        let least = format!("have value greater than or equal to {min}");
        self.check(number >= min, number, path, &least);
        let most = format!("have value less than or equal to {max}");
        self.check(number <= max, number, path, &most);
    }

    /// A page size that the request may leave out.
    pub(crate) fn limit(&mut self, limit: Option<u32>, max: usize) {
        if let Some(limit) = limit {
            self.number(u64::from(limit), "limit", 1..=max as u64);
        }
    }

    /// A name of a table or an index.
    pub(crate) fn name<T>(&mut self, name: Result<T, NameError>, path: &str) {
        if let Err(error) = name {
            self.0.extend(error.at(path).constraints());
        }
    }

    /// The error that lists what was broken, if anything was.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.0.truncate(LISTED_MAX);
        let plural = match self.0.len() {
            0 => return Ok(()),
            1 => "",
            _ => "s",
        };
        Err(Error::validation(format!(
            "{} validation error{plural} detected: {}",
            self.0.len(),
            self.0.join("; ")
        )))
    }
}

/// AWS's most frequent way to refuse a parameter.
pub(crate) fn invalid(why: impl Display) -> Error {
    Error::validation(format!("One or more parameter values were invalid: {why}"))
}

/// The table name of an operation on tables; unlike data operations these ask for 3 characters.
pub(crate) fn table_name(name_or_arn: &str) -> Result<()> {
    if name_or_arn.starts_with("arn:") {
        return Ok(());
    }
    match TableName::try_from(name_or_arn) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::validation(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(note: impl FnOnce(&mut Constraints), message: Expect) {
        let mut constraints = Constraints::default();
        note(&mut constraints);
        message.assert_eq(&constraints.finish().unwrap_err().to_string());
    }

    #[test]
    fn one_broken_constraint_is_one_error() {
        check(
            |constraints| constraints.limit(Some(0), 100),
            expect![[
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
            ]],
        );
    }

    #[test]
    fn several_are_listed_in_order() {
        check(
            |constraints| {
                constraints.limit(Some(101), 100);
                constraints.text("", "attributeName", 1..=255);
            },
            expect![[
                "2 validation errors detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100; Value '' at 'attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1"
            ]],
        );
    }

    #[test]
    fn ten_are_listed_at_most() {
        let mut constraints = Constraints::default();
        (0..12).for_each(|_| constraints.limit(Some(0), 100));
        let message = constraints.finish().unwrap_err().to_string();
        assert!(message.starts_with("10 validation errors detected: "));
        assert_eq!(message.matches("Value '0'").count(), 10);
    }

    #[test]
    fn nothing_broken_is_no_error() {
        let mut constraints = Constraints::default();
        constraints.limit(None, 100);
        constraints.limit(Some(100), 100);
        assert_eq!(constraints.finish(), Ok(()));
    }

    #[test]
    fn an_arn_is_a_table_name_too() {
        assert_eq!(table_name("arn:aws:dynamodb:us-east-1:123456789012:table/teams"), Ok(()));
        assert_eq!(table_name("teams"), Ok(()));
        assert!(table_name("ab").is_err());
    }
}
