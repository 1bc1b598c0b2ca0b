//! Why a text is no design.

use std::error::Error;
use std::fmt;

use super::VERSION;

/// Why a text can't be read as a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesignError {
    /// It is no JSON.
    Json(String),
    /// It is JSON, but nothing says that it is a design.
    NoDesign,
    /// It has another version than this program reads.
    Version(String),
    /// It says that it is a design, but something is missing or unknown.
    Form(String),
}

impl fmt::Display for DesignError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(reason) => write!(formatter, "the design is no JSON: {reason}"),
            Self::NoDesign => write!(
                formatter,
                "this is no design: it has no `monotable_design` with the version of its form"
            ),
            Self::Version(found) => write!(
                formatter,
                "the design has form {found}, but this program reads form {VERSION}; write it anew with the program that made it, or use the program's version that fits"
            ),
            Self::Form(reason) => {
                write!(formatter, "the design does not follow form {VERSION}: {reason}")
            }
        }
    }
}

impl Error for DesignError {}
