//! Names and document paths.

use monotable_expression::Path;

use super::Cursor;
use crate::error::Result;
use crate::partiql::lexer::Kind;
use crate::partiql::problem::{TERM_MISSING, malformed, refused};

impl Cursor {
    /// Reads a name where only a name is allowed.
    pub(super) fn simple_name(&mut self) -> Result<String> {
        match self.peek() {
            Kind::Name(_) | Kind::QuotedName(_) => self.name_after_dot(),
            _ => Err(malformed("Expected identifier for simple path")),
        }
    }

    pub(super) fn name_after_dot(&mut self) -> Result<String> {
        match self.next() {
            Kind::Name(name) | Kind::QuotedName(name) => Ok(name),
            _ => Err(malformed("Invalid path dot component")),
        }
    }

    /// Reads the path that an `UPDATE` changes.
    pub(super) fn simple_path(&mut self) -> Result<Path> {
        let root = self.simple_name()?;
        self.path(root)
    }

    /// Reads the steps of a path after its first name.
    pub(super) fn path(&mut self, root: String) -> Result<Path> {
        let mut path = Path::attribute(root);
        loop {
            if self.eat_symbol(".") {
                path = path.key(self.name_after_dot()?);
            } else if self.eat_symbol("[") {
                path = match self.peek() {
                    Kind::Text(_) => self.key_in_brackets(path)?,
                    _ => path.index(self.list_index()?),
                };
                self.expect_symbol("]")?;
            } else {
                return Ok(path);
            }
        }
    }

    fn key_in_brackets(&mut self, path: Path) -> Result<Path> {
        match self.next() {
            Kind::Text(name) => Ok(path.key(name)),
            _ => Err(malformed(TERM_MISSING)),
        }
    }

    /// Reads a list index: an integer of 31 bits, which may have signs.
    fn list_index(&mut self) -> Result<usize> {
        let mut negative = false;
        while let Kind::Symbol(sign @ ("-" | "+")) = self.peek() {
            negative ^= *sign == "-";
            self.skip(1);
        }
        let position = self.position();
        let Kind::Number(digits) = self.next() else {
            return Err(malformed(TERM_MISSING));
        };
        let sign = if negative { "-" } else { "" };
        let index = digits.parse::<u64>().ok().filter(|index| *index == 0 || !negative);
        index
            .filter(|index| *index <= u64::from(i32::MAX.unsigned_abs()))
            .and_then(|index| usize::try_from(index).ok())
            .ok_or_else(|| {
                refused(format!(
                    "List index is not within the allowable range; index: [{sign}{digits}] at \
                     {position}"
                ))
            })
    }
}
