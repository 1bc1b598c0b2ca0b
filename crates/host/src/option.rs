//! Settings of single services. A service declares them, a program offers them to its users and
//! passes their values back as text.

use std::collections::BTreeMap;
use std::num::ParseIntError;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::BoxError;

/// The heading of options that name no other.
const HEADING_DEFAULT: &str = "Services";

/// A setting of one service, such as a flag of a command.
#[derive(Clone, Debug)]
pub struct ServiceOption {
    /// Its name, unique among the options of all services unless they mean the same:
    /// `narrator-model`.
    pub name: &'static str,
    /// The placeholder of the value: `NAME`.
    pub value_name: &'static str,
    /// One sentence about it.
    pub help: &'static str,
    /// The heading that it is listed under.
    pub heading: &'static str,
    /// The default value. An option without a default has an effect only if it is given.
    pub default: Option<&'static str>,
    /// Another option that must be given together with it.
    pub requires: Option<&'static str>,
    /// The values that are accepted.
    pub kind: OptionKind,
}

/// The values that an option accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Any text.
    Text,
    /// The path of a file.
    File,
    /// An integer in a range.
    Number(RangeInclusive<u64>),
}

impl ServiceOption {
    /// Declares an option that accepts any text.
    pub fn new(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            value_name,
            help,
            heading: HEADING_DEFAULT,
            default: None,
            requires: None,
            kind: OptionKind::Text,
        }
    }

    /// Lists the option under another heading.
    #[must_use]
    pub fn heading(mut self, heading: &'static str) -> Self {
        self.heading = heading;
        self
    }

    /// Sets the default value.
    #[must_use]
    pub fn default(mut self, value: &'static str) -> Self {
        self.default = Some(value);
        self
    }

    /// Requires that another option is given together with this one.
    #[must_use]
    pub fn requires(mut self, name: &'static str) -> Self {
        self.requires = Some(name);
        self
    }

    /// Accepts the path of a file.
    #[must_use]
    pub fn file(mut self) -> Self {
        self.kind = OptionKind::File;
        self
    }

    /// Accepts integers in a range.
    #[must_use]
    pub fn number(mut self, range: RangeInclusive<u64>) -> Self {
        self.kind = OptionKind::Number(range);
        self
    }

    /// Checks that a text is a value of this option.
    ///
    /// # Errors
    /// Returns what is wrong with the text.
    pub fn check(&self, text: &str) -> Result<(), String> {
        let OptionKind::Number(range) = &self.kind else { return Ok(()) };
        let outside = || format!("{text} is not in {}..={}", range.start(), range.end());
        match text.parse() {
            Ok(number) if range.contains(&number) => Ok(()),
            Ok(_) => Err(outside()),
            // A negative number is a number as well.
            Err(_) if text.parse::<i64>().is_ok() => Err(outside()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The values of options by their names: those that were given, and defaults.
#[derive(Clone, Debug, Default)]
pub struct OptionValues(BTreeMap<String, String>);

impl OptionValues {
    /// Returns the value of an option, if it has one.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the value of an option as a number, if it has one.
    ///
    /// # Errors
    /// Fails if the value is not a number of this type.
    pub fn number<N: FromStr<Err = ParseIntError>>(
        &self,
        name: &str,
    ) -> Result<Option<N>, BoxError> {
        let number = self.text(name).map(str::parse).transpose();
        number.map_err(|error| format!("the value of {name} is not a number: {error}").into())
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for OptionValues {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(values: I) -> Self {
        Self(values.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked_against_their_range() {
        let shards = ServiceOption::new("shards", "NUMBER", "Shards").number(1..=64);
        for (text, expected) in [
            ("1", None),
            ("64", None),
            ("0", Some("0 is not in 1..=64")),
            ("65", Some("65 is not in 1..=64")),
            ("-5", Some("-5 is not in 1..=64")),
            ("x", Some("invalid digit found in string")),
            ("", Some("cannot parse integer from empty string")),
        ] {
            assert_eq!(shards.check(text).err().as_deref(), expected, "{text}");
        }
        let file = ServiceOption::new("key", "FILE", "The key").file();
        assert_eq!(file.check("anything"), Ok(()));
    }

    #[test]
    fn values_are_read_as_text_and_as_numbers() {
        let values: OptionValues =
            [("shards", "8"), ("url", "http://localhost")].into_iter().collect();
        assert_eq!(values.number::<u16>("shards").unwrap(), Some(8));
        assert_eq!(values.number::<u16>("absent").unwrap(), None);
        assert_eq!(values.text("url"), Some("http://localhost"));
        let error = values.number::<u16>("url").unwrap_err().to_string();
        assert!(error.starts_with("the value of url is not a number: "), "{error}");
    }
}
