//! Names of tables and indexes, checked once at the edge.
//!
//! The texts are AWS's of 2026, as github.com/nubo-db/dynamodb-conformance records them.
//! `CreateTable` requires 3 to 255 characters. Operations that only address a table also accept a
//! single character (the parameter may also hold an ARN), and then find no table of that name: use
//! [`TableName::check_reference`] there. Older AWS texts ("TableName must be at least 3 characters
//! long and at most 255 characters long") and DynamoDB Local's ("Invalid table/index name. …")
//! are not produced.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use crate::limits::{NAME_LENGTH_MAX, NAME_LENGTH_MIN};

/// The reason why a text is not a valid table or index name. `Display` is AWS's text.
///
/// ```
/// use monotable_types::TableName;
///
/// let error = TableName::try_from("ab").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: \
///      Member must have length greater than or equal to 3"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    text: String,
    parameter: String,
    broken: Vec<Rule>,
}

/// A rule that a name breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Characters,
    LengthMin(usize),
    LengthMax(usize),
}

impl NameError {
    /// Returns the same error for a parameter other than `tableName` or `indexName`, by AWS's path of it:
    /// `globalSecondaryIndexes.1.member.indexName`.
    #[must_use]
    pub fn at(self, parameter: impl Into<String>) -> Self {
        Self { parameter: parameter.into(), ..self }
    }

    /// Returns one sentence for each rule that is broken, without the leading count, for requests in which
    /// other parameters are wrong as well: AWS lists all of them in one message.
    pub fn constraints(&self) -> impl Iterator<Item = String> {
        self.broken.iter().map(|rule| {
            let Self { text, parameter, .. } = self;
            format!(
                "Value '{text}' at '{parameter}' failed to satisfy constraint: Member must {rule}"
            )
        })
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.broken.len();
        let plural = if count == 1 { "" } else { "s" };
        let constraints: Vec<String> = self.constraints().collect();
        write!(formatter, "{count} validation error{plural} detected: {}", constraints.join("; "))
    }
}

impl std::error::Error for NameError {}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Characters => {
                formatter.write_str("satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
            }
            Self::LengthMin(length) => {
                write!(formatter, "have length greater than or equal to {length}")
            }
            Self::LengthMax(length) => {
                write!(formatter, "have length less than or equal to {length}")
            }
        }
    }
}

fn check(text: &str, parameter: &str, length_min: usize) -> Result<(), NameError> {
    let length = text.chars().count();
    let well_formed = text
        .bytes()
        .all(|byte| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'-'));
    let mut broken = Vec::new();
    if !well_formed {
        broken.push(Rule::Characters);
    }
    if length < length_min {
        broken.push(Rule::LengthMin(length_min));
    }
    if length > NAME_LENGTH_MAX {
        broken.push(Rule::LengthMax(NAME_LENGTH_MAX));
    }
    if broken.is_empty() {
        return Ok(());
    }
    Err(NameError { text: text.to_owned(), parameter: parameter.to_owned(), broken })
}

macro_rules! name {
    ($(#[$documentation:meta])* $name:ident, $parameter:literal) => {
        $(#[$documentation])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Returns the name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Checks a text that addresses something existing: one character is enough. No table
            /// or index has a name of less than three, so looking it up finds nothing.
            ///
            /// # Errors
            /// The text is empty, too long, or has other characters than names have.
            pub fn check_reference(text: &str) -> Result<(), NameError> {
                check(text, $parameter, 1)
            }
        }

        impl TryFrom<&str> for $name {
            type Error = NameError;

            fn try_from(text: &str) -> Result<Self, NameError> {
                check(text, $parameter, NAME_LENGTH_MIN)?;
                Ok(Self(text.into()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                Self::try_from(text.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::try_from(text)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), formatter)
            }
        }
    };
}

name! {
    /// The name of a table: 3 to 255 of `a-z A-Z 0-9 _ . -`. Cheap to clone.
    ///
    /// ```
    /// use monotable_types::TableName;
    ///
    /// assert_eq!(TableName::try_from("teams")?.as_str(), "teams");
    /// assert!(TableName::try_from("no spaces").is_err());
    /// # Ok::<(), monotable_types::NameError>(())
    /// ```
    TableName, "tableName"
}

name! {
    /// The name of a secondary index: 3 to 255 of `a-z A-Z 0-9 _ . -`. Cheap to clone.
    IndexName, "indexName"
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn check_error(result: Result<(), NameError>, text: &str) {
        assert_eq!(result.unwrap_err().to_string(), text);
    }

    fn create(text: &str) -> Result<(), NameError> {
        TableName::try_from(text).map(|_| ())
    }

    #[test]
    fn names_of_3_to_255_allowed_characters_are_valid() {
        let longest = "a".repeat(255);
        for text in ["abc", "a.b", "A_-", "012", longest.as_str()] {
            assert_eq!(TableName::try_from(text).unwrap().as_str(), text);
            assert_eq!(IndexName::try_from(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_characters_break_the_pattern() {
        for text in ["bad table!@#", "täg", "a/b"] {
            check_error(
                create(text),
                &format!(
                    "1 validation error detected: Value '{text}' at 'tableName' failed to satisfy \
                     constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
                ),
            );
        }
    }

    #[test]
    fn too_long_a_name_is_repeated_in_full() {
        let text = "a".repeat(256);
        check_error(
            TableName::check_reference(&text),
            &format!(
                "1 validation error detected: Value '{text}' at 'tableName' failed to satisfy \
                 constraint: Member must have length less than or equal to 255"
            ),
        );
    }

    #[test]
    fn every_broken_rule_is_listed() {
        check_error(
            create("a;"),
            "2 validation errors detected: Value 'a;' at 'tableName' failed to satisfy constraint: \
             Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at \
             'tableName' failed to satisfy constraint: Member must have length greater than or \
             equal to 3",
        );
    }

    #[test]
    fn a_reference_needs_one_character() {
        assert_eq!(TableName::check_reference("a"), Ok(()));
        check_error(
            TableName::check_reference(""),
            "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: \
             Member must have length greater than or equal to 1",
        );
    }

    #[test]
    fn an_error_can_name_another_parameter() {
        let error = IndexName::try_from("h").unwrap_err();
        let error = error.at("globalSecondaryIndexes.1.member.indexName");
        check_error(
            Err(error),
            "1 validation error detected: Value 'h' at \
             'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must \
             have length greater than or equal to 3",
        );
    }

    #[test]
    fn a_map_of_names_is_searched_by_text() {
        let name = TableName::try_from("teams").unwrap();
        let tables = HashMap::from([(name, 1)]);
        assert_eq!(tables.get("teams"), Some(&1));
    }
}
