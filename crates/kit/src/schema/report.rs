//! The mistakes of a request and where they are. Paths are written only for what is wrong.

use std::fmt;

use crate::problem::{FieldProblem, Problem};

/// Mistakes that are reported at most. The client can correct these first.
const TOLD_MAX: usize = 50;
/// Characters of a name that are repeated in an answer.
const NAME_CHARACTERS_MAX: usize = 64;

/// Where a value is.
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

/// What was found wrong so far.
#[derive(Default)]
pub(super) struct Report {
    told: Vec<FieldProblem>,
    untold: usize,
    has_unknown: bool,
    has_read_only: bool,
}

impl Report {
    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// Returns how many mistakes were found.
    pub(super) fn len(&self) -> usize {
        self.told.len() + self.untold
    }

    /// A value is not as it must be.
    pub(super) fn wrong(&mut self, at: &At<'_>, message: impl Into<String>) {
        if self.told.len() < TOLD_MAX {
            self.told.push(FieldProblem::new(at.to_string(), message));
        } else {
            self.untold += 1;
        }
    }

    /// There is no such field.
    pub(super) fn unknown(&mut self, at: &At<'_>) {
        self.has_unknown = true;
        self.wrong(at, "is unknown");
    }

    /// The field can't be written.
    pub(super) fn read_only(&mut self, at: &At<'_>) {
        self.has_read_only = true;
        self.wrong(at, "can't be written");
    }

    /// 400 if anything is wrong. A field that is unknown or can't be written comes first in the code:
    /// whoever names it has something else in mind than the schema.
    pub(super) fn verdict(self) -> Result<(), Problem> {
        if self.told.is_empty() {
            return Ok(());
        }
        let code = match (self.has_unknown, self.has_read_only) {
            (true, _) => "UNKNOWN_FIELD",
            (false, true) => "READ_ONLY_FIELD",
            (false, false) => "VALIDATION",
        };
        let problem = Problem::fields(code, &self.told);
        Err(match self.untold {
            0 => problem,
            untold => problem.with("fieldsNotListed", untold),
        })
    }
}
