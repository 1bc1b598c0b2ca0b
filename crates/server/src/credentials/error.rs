//! The errors in a file of credentials, with their position and correction.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::key::SECRET_CHARACTERS_MIN;

/// A mistake in a file of credentials. The text names the file, the line and the key; it never
/// contains a secret.
#[derive(Debug)]
pub struct CredentialsError {
    file: PathBuf,
    line: Option<usize>,
    access_key: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

impl CredentialsError {
    pub(super) fn of_file(file: &Path, problem: Problem) -> Self {
        Self { file: file.to_owned(), line: None, access_key: None, problem }
    }

    pub(super) fn of_line(file: &Path, line: usize, problem: Problem) -> Self {
        Self { line: Some(line), ..Self::of_file(file, problem) }
    }

    pub(super) fn of_key(mut self, access_key: Option<&str>) -> Self {
        self.access_key = access_key.map(str::to_owned);
        self
    }
}

impl fmt::Display for CredentialsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(formatter, ", line {line}")?;
        }
        if let Some(access_key) = &self.access_key {
            write!(formatter, ", key {access_key}")?;
        }
        write!(formatter, ": {}", self.problem)
    }
}

impl std::error::Error for CredentialsError {}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file can't be read.
    #[error("can't be read: {0}")]
    Unreadable(io::Error),
    /// The file is not TOML.
    #[error("is not valid TOML: {0}")]
    Syntax(String),
    /// There are no keys, so no request could be accepted.
    #[error("there are no keys. Add a [[key]] with access_key, secret_key, tables and actions.")]
    NoKeys,
    /// A section that is not for keys.
    #[error("unknown entry '{0}'. The file has [[key]] sections only.")]
    UnknownSection(String),
    /// `key` is not a list of sections.
    #[error("'key' must be a section. Write [[key]] on a line of its own.")]
    NotATable,
    /// A field that keys don't have.
    #[error(
        "unknown field '{0}'. A key has access_key, secret_key or secret_key_file, name, tables \
         and actions."
    )]
    UnknownField(String),
    /// A required field is missing.
    #[error("{field} is missing. Add {example}.")]
    MissingField {
        /// The field.
        field: &'static str,
        /// An example of it.
        example: &'static str,
    },
    /// A field has a value of another type.
    #[error("{field} must be {expected}.")]
    WrongType {
        /// The field.
        field: &'static str,
        /// The expected type.
        expected: &'static str,
    },
    /// The access key has characters that can't be sent.
    #[error("access_key must have 3 to 128 letters, digits and underscores.")]
    InvalidAccessKey,
    /// Two keys have the same id.
    #[error("the key of line {first} has the same access_key. Give each key its own.")]
    DuplicateAccessKey {
        /// The line of the other key.
        first: usize,
    },
    /// The name has characters that are not allowed in names of users.
    #[error("name must have 1 to 64 letters, digits and any of +=,.@_-")]
    InvalidName,
    /// A key has both kinds of secret.
    #[error("secret_key and secret_key_file are both given. Keep one of them.")]
    TwoSecrets,
    /// A secret without characters.
    #[error("the secret is empty. {}", HOW_TO_MAKE_A_SECRET)]
    EmptySecret,
    /// A secret that could be guessed.
    #[error(
        "the secret has fewer than {} characters. {}",
        SECRET_CHARACTERS_MIN,
        HOW_TO_MAKE_A_SECRET
    )]
    ShortSecret,
    /// A secret that could not be sent by every client.
    #[error(
        "the secret has spaces at its ends, or characters besides printable ASCII. {}",
        HOW_TO_MAKE_A_SECRET
    )]
    InvalidSecret,
    /// The file of a secret can't be read.
    #[error("secret_key_file {} can't be read: {error}", .path.display())]
    SecretFile {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// A name that is not valid for a table.
    #[error("'{0}' is not the name of a table: use letters, digits and _-. with * for any.")]
    InvalidTable(String),
    /// An action that does not exist.
    #[error("unknown action '{action}'. {}", Suggestion(.known))]
    UnknownAction {
        /// The action.
        action: String,
        /// Similar names of actions.
        known: Vec<String>,
    },
}

const HOW_TO_MAKE_A_SECRET: &str = "Make one with: openssl rand -base64 30";

struct Suggestion<'a>(&'a [String]);

impl fmt::Display for Suggestion<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [one] => write!(formatter, "Did you mean '{one}'?"),
            all => write!(formatter, "Use \"*\" for all, or some of: {}.", all.join(", ")),
        }
    }
}

/// A warning about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// Other users of the machine can read the file.
    ReadableByOthers(PathBuf),
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadableByOthers(file) => {
                let file = file.display();
                write!(
                    formatter,
                    "{file} contains secrets and other users can read it. Run: chmod 600 {file}"
                )
            }
        }
    }
}
