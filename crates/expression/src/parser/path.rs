//! The grammar of document paths: `a`, `#a`, `a.b`, `a[3].#b`.

use super::cursor::{Cursor, Parsed};
use super::lexer::TokenKind;
use super::problem::Rank;
use crate::{Path, Reason, Step, is_reserved_word};

/// AWS: a path has at most 32 elements, as an item has at most 32 levels.
const PATH_ELEMENTS_MAX: usize = 32;

/// The greatest list index that DynamoDB accepts.
const INDEX_MAX: usize = i32::MAX as usize;

impl Cursor<'_, '_, '_> {
    /// Reads a path.
    pub(super) fn path(&mut self) -> Parsed<Path> {
        let mut path = Path::attribute(self.path_name()?);
        self.path_steps(&mut path)?;
        Ok(path)
    }

    /// Returns whether steps into a map or list follow.
    pub(super) fn at_path_step(&self) -> bool {
        self.at(TokenKind::Dot) || self.at(TokenKind::OpenBracket)
    }

    /// Reads the steps that follow a path.
    pub(super) fn path_steps(&mut self, path: &mut Path) -> Parsed<()> {
        while self.at_path_step() {
            let step = if self.take(TokenKind::Dot) {
                Step::Key(self.path_name()?)
            } else {
                self.expect(TokenKind::OpenBracket)?;
                Step::Index(self.path_index()?)
            };
            path.steps.push(step);
        }
        let levels = path.steps.len() + 1;
        if levels > PATH_ELEMENTS_MAX {
            self.note(Rank::PathLimit, Reason::PathTooDeep { levels });
        }
        Ok(())
    }

    fn path_name(&mut self) -> Parsed<String> {
        if self.at(TokenKind::Name) {
            let token = self.advance();
            return Ok(self.name(token));
        }
        if !self.at_identifier() {
            return Err(self.syntax_error());
        }
        let word = self.advance().text.to_owned();
        if is_reserved_word(&word) {
            let word = word.clone();
            self.note(Rank::ReservedWord, Reason::ReservedWord { word });
        }
        Ok(word)
    }

    fn path_index(&mut self) -> Parsed<usize> {
        let digits = self.expect(TokenKind::Number)?.text;
        let index = digits.parse().ok().filter(|index| *index <= INDEX_MAX);
        self.expect(TokenKind::CloseBracket)?;
        Ok(index.unwrap_or_else(|| {
            let index = digits.to_owned();
            self.note(Rank::PathLimit, Reason::IndexOutOfRange { index });
            0
        }))
    }
}
