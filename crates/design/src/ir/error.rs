//! Errors of reading a design.

use std::error::Error;
use std::fmt;

use super::VERSION;

/// The reason why a text cannot be read as a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesignError {
    /// The text is not JSON.
    Json(String),
    /// The text is JSON, but is not marked as a design.
    NoDesign,
    /// It has another version than this program reads.
    Version(String),
    /// The text is marked as a design, but a member is missing or unknown.
    Form(String),
}

impl fmt::Display for DesignError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(reason) => write!(formatter, "the design is not JSON: {reason}"),
            Self::NoDesign => write!(
                formatter,
                "this is not a design: it lacks `monotable_design` with the version of its format"
            ),
            Self::Version(found) => write!(
                formatter,
                "the design has format {found}, but this program reads format {VERSION}; generate it again with a current version of the program that made it, or use a matching version of this program"
            ),
            Self::Form(reason) => {
                write!(formatter, "the design does not follow format {VERSION}: {reason}")
            }
        }
    }
}

impl Error for DesignError {}
