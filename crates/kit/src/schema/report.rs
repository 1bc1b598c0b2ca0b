//! The errors of a request with their paths. Paths are written only for errors.

use std::fmt;

use crate::problem::{FieldProblem, Problem};

/// The maximum number of reported errors. The client can correct these first.
const REPORTED_MAX: usize = 50;
/// The maximum length of a client's name in a response.
const NAME_CHARACTERS_MAX: usize = 64;

/// The path of a value.
pub(super) enum At<'a> {
    /// The body or the query itself.
    Top,
    /// A field of an object.
    Field(&'a At<'a>, &'a str),
    /// An element of a list.
    Position(&'a At<'a>, usize),
}

impl fmt::Display for At<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Top => Ok(()),
            At::Field(parent, name) => {
                if !matches!(parent, At::Top) {
                    write!(formatter, "{parent}.")?;
                }
                match name.char_indices().nth(NAME_CHARACTERS_MAX) {
                    Some((end, _)) => write!(formatter, "{}…", &name[..end]),
                    None => formatter.write_str(name),
                }
            }
            At::Position(parent, position) => write!(formatter, "{parent}[{position}]"),
        }
    }
}

/// The errors so far.
#[derive(Default)]
pub(super) struct Report {
    reported: Vec<FieldProblem>,
    unreported: usize,
    has_unknown: bool,
    has_read_only: bool,
}

impl Report {
    pub(super) fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Returns the number of errors.
    pub(super) fn len(&self) -> usize {
        self.reported.len() + self.unreported
    }

    /// Reports an invalid value.
    pub(super) fn wrong(&mut self, at: &At<'_>, message: impl Into<String>) {
        if self.reported.len() < REPORTED_MAX {
            self.reported.push(FieldProblem::new(at.to_string(), message));
        } else {
            self.unreported += 1;
        }
    }

    /// Reports an unknown field.
    pub(super) fn unknown(&mut self, at: &At<'_>) {
        self.has_unknown = true;
        self.wrong(at, "is unknown");
    }

    /// Reports a field that can't be written.
    pub(super) fn read_only(&mut self, at: &At<'_>) {
        self.has_read_only = true;
        self.wrong(at, "can't be written");
    }

    /// Returns 400 if there are errors. The code is that of unknown fields and fields that can't be
    /// written, if there are any: the client expects another schema.
    pub(super) fn verdict(self) -> Result<(), Problem> {
        if self.reported.is_empty() {
            return Ok(());
        }
        let code = match (self.has_unknown, self.has_read_only) {
            (true, _) => "UNKNOWN_FIELD",
            (false, true) => "READ_ONLY_FIELD",
            (false, false) => "VALIDATION",
        };
        let problem = Problem::fields(code, &self.reported);
        Err(match self.unreported {
            0 => problem,
            unreported => problem.with("fieldsNotListed", unreported),
        })
    }
}
