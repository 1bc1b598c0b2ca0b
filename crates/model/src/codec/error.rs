//! Errors of converting between values and their stored form.

use std::fmt;

use monotable_types::{AttributeValue, TypeName};
use serde::{de, ser};

/// The reason why a value cannot be written as attributes, or attributes cannot be read as a value.
///
/// The message starts with the path of the error: `lineup[2].playerId: expected a number, found a
/// string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodecError(Box<Located>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Located {
    /// From the inside out, the order in which the steps are known.
    path: Vec<Step>,
    problem: CodecProblem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Index(usize),
}

/// The kind of the error, without its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodecProblem {
    /// The value does not fit the type; the text contains the details.
    Unfit(String),
    /// JSON text or compressed bytes cannot be read.
    Damaged(String),
    /// A value row exceeds the maximum size.
    ValueTooLarge {
        /// The size in bytes.
        bytes: usize,
        /// The maximum size in bytes.
        bytes_max: usize,
    },
}

impl CodecError {
    pub(super) fn new(problem: CodecProblem) -> Self {
        Self(Box::new(Located { path: Vec::new(), problem }))
    }

    pub(crate) fn unfit(message: impl Into<String>) -> Self {
        Self::new(CodecProblem::Unfit(message.into()))
    }

    pub(super) fn damaged(message: impl fmt::Display) -> Self {
        Self::new(CodecProblem::Damaged(message.to_string()))
    }

    /// Makes the error for a value of another type than expected.
    pub(super) fn mismatch(expected: &str, found: &AttributeValue) -> Self {
        Self::unfit(format!("expected {expected}, found {}", in_words(found)))
    }

    /// Makes the error for a deserializer that requests a value before its name.
    pub(super) fn no_name() -> Self {
        Self::unfit("a value was requested before its name")
    }

    /// Adds the name of a map entry to the path.
    pub(super) fn inside(mut self, name: &str) -> Self {
        self.0.path.push(Step::Name(name.to_owned()));
        self
    }

    /// Adds the index of a list element to the path.
    pub(super) fn inside_element(mut self, index: usize) -> Self {
        self.0.path.push(Step::Index(index));
        self
    }

    /// Returns the kind of the error.
    pub fn problem(&self) -> &CodecProblem {
        &self.0.problem
    }

    /// Returns the path of the error: `lineup[2].playerId`. Empty for the value as a whole.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.path.iter().rev() {
            match step {
                Step::Name(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}

impl fmt::Display for CodecProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(message) | Self::Damaged(message) => formatter.write_str(message),
            Self::ValueTooLarge { bytes, bytes_max } => {
                write!(formatter, "a value of {bytes} bytes is larger than {bytes_max}")
            }
        }
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.path.is_empty() {
            return self.0.problem.fmt(formatter);
        }
        write!(formatter, "{}: {}", self.path(), self.0.problem)
    }
}

impl std::error::Error for CodecError {}

impl ser::Error for CodecError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::unfit(message.to_string())
    }
}

impl de::Error for CodecError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::unfit(message.to_string())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::unfit(format!("expected {expected}, found {}", unexpected_in_words(found)))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::unfit(format!("expected {expected}, found {found}"))
    }
}

/// Returns the type of a value in words.
pub(super) fn in_words(value: &AttributeValue) -> &'static str {
    match value.type_name() {
        TypeName::S => "a string",
        TypeName::N => "a number",
        TypeName::B => "a binary",
        TypeName::Bool => "a Boolean",
        TypeName::Null => "NULL",
        TypeName::M => "a map",
        TypeName::L => "a list",
        TypeName::Ss => "a set of strings",
        TypeName::Ns => "a set of numbers",
        TypeName::Bs => "a set of binaries",
    }
}

fn unexpected_in_words(found: de::Unexpected<'_>) -> String {
    use de::Unexpected;
    match found {
        Unexpected::Bool(_) => "a Boolean".into(),
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number".into(),
        Unexpected::Char(_) | Unexpected::Str(_) => "a string".into(),
        Unexpected::Bytes(_) => "a binary".into(),
        Unexpected::Unit | Unexpected::Option => "NULL".into(),
        Unexpected::Seq => "a list".into(),
        Unexpected::Map => "a map".into(),
        other => other.to_string(),
    }
}
