//! AWS's messages for parameters out of bounds, collected so that one response lists all of them.
//!
//! The requests themselves define their parameters and the allowed values.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::NameError;

/// How many broken constraints one message lists.
const LISTED_MAX: usize = 10;

/// The broken constraints of one request, in the order in which they are noted.
///
/// ```
/// use monotable_types::Constraints;
///
/// let mut constraints = Constraints::default();
/// constraints.null("key");
/// constraints.one_of("NEW", "returnValues", &["ALL_OLD", "NONE"]);
/// assert_eq!(
///     constraints.finish().unwrap_err().to_string(),
///     "2 validation errors detected: \
///      Value null at 'key' failed to satisfy constraint: Member must not be null; \
///      Value 'NEW' at 'returnValues' failed to satisfy constraint: \
///      Member must satisfy enum value set: [ALL_OLD, NONE]"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Constraints(Vec<String>);

/// The broken constraints of a request. `Display` is AWS's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenConstraints(String);

impl Constraints {
    /// Notes that `value` at `path` breaks `rule`, unless it `holds`. The rule completes the
    /// sentence "Member must …".
    pub fn check(&mut self, holds: bool, value: impl Display, path: &str, rule: &str) {
        if !holds {
            self.note(format_args!("'{value}'"), path, rule);
        }
    }

    fn note(&mut self, value: impl Display, path: &str, rule: &str) {
        self.0.push(format!(
            "Value {value} at '{path}' failed to satisfy constraint: Member must {rule}"
        ));
    }

    /// Notes a broken constraint that AWS words in another way.
    pub fn broken(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }

    /// Notes that a parameter is missing.
    pub fn null(&mut self, path: &str) {
        self.note("null", path, "not be null");
    }

    /// Checks that a word is one of `allowed`, which is in the order in which AWS lists them.
    pub fn one_of(&mut self, word: &str, path: &str, allowed: &[&str]) {
        if !allowed.contains(&word) {
            let rule = format!("satisfy enum value set: [{}]", allowed.join(", "));
            self.check(false, word, path, &rule);
        }
    }

    /// Checks the length of a text, in characters.
    pub fn text(&mut self, text: &str, path: &str, length: RangeInclusive<usize>) {
        self.length(text.chars().count(), text, path, length);
    }

    /// Checks the length of something that is printed as `value`.
    pub fn length(
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

    /// Checks a number.
    pub fn number(&mut self, number: u64, path: &str, allowed: RangeInclusive<u64>) {
        let (min, max) = allowed.into_inner();
        let least = format!("have value greater than or equal to {min}");
        self.check(number >= min, number, path, &least);
        let most = format!("have value less than or equal to {max}");
        self.check(number <= max, number, path, &most);
    }

    /// Checks a page size, which the request may leave out.
    pub fn limit(&mut self, limit: Option<u32>, max: usize) {
        if let Some(limit) = limit {
            self.number(u64::from(limit), "limit", 1..=max as u64);
        }
    }

    /// Notes the error of a name of a table or an index, if there is one.
    pub fn name<T>(&mut self, name: Result<T, NameError>, path: &str) {
        if let Err(error) = name {
            self.0.extend(error.at(path).constraints());
        }
    }

    /// Returns the first constraint that was broken, in AWS's words.
    pub fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// Returns whether no constraint has been broken so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Ends the checks.
    ///
    /// # Errors
    /// The first ten broken constraints, if there are any.
    pub fn finish(mut self) -> Result<(), BrokenConstraints> {
        self.0.truncate(LISTED_MAX);
        let plural = match self.0.len() {
            0 => return Ok(()),
            1 => "",
            _ => "s",
        };
        Err(BrokenConstraints(format!(
            "{} validation error{plural} detected: {}",
            self.0.len(),
            self.0.join("; ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(note: impl FnOnce(&mut Constraints), message: &str) {
        let mut constraints = Constraints::default();
        note(&mut constraints);
        assert_eq!(constraints.finish().unwrap_err().to_string(), message);
    }

    #[test]
    fn one_broken_constraint_is_one_error() {
        check(
            |constraints| constraints.limit(Some(0), 100),
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: \
             Member must have value greater than or equal to 1",
        );
    }

    #[test]
    fn several_are_listed_in_order() {
        check(
            |constraints| {
                constraints.limit(Some(101), 100);
                constraints.text("", "attributeName", 1..=255);
            },
            "2 validation errors detected: Value '101' at 'limit' failed to satisfy constraint: \
             Member must have value less than or equal to 100; Value '' at 'attributeName' failed \
             to satisfy constraint: Member must have length greater than or equal to 1",
        );
    }

    #[test]
    fn a_missing_parameter_has_no_quotes() {
        check(
            |constraints| constraints.null("tableName"),
            "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: \
             Member must not be null",
        );
    }

    #[test]
    fn a_word_is_one_of_those_listed() {
        let words = ["ALL_NEW", "UPDATED_OLD"];
        check(
            |constraints| {
                constraints.one_of("UPDATED_OLD", "returnValues", &words);
                constraints.one_of("all_new", "returnValues", &words);
            },
            "1 validation error detected: Value 'all_new' at 'returnValues' failed to satisfy \
             constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD]",
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
    fn without_broken_constraints_there_is_no_error() {
        let mut constraints = Constraints::default();
        constraints.limit(None, 100);
        constraints.limit(Some(100), 100);
        constraints.one_of("NONE", "returnValues", &["NONE"]);
        assert!(constraints.is_empty());
        assert_eq!(constraints.finish(), Ok(()));
    }
}
