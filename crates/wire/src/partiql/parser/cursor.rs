//! A cursor over the tokens of a statement, and the limit on the depth of the grammar.

use crate::error::Result;
use crate::partiql::lexer::{Kind, Position, Token};
use crate::partiql::problem::{TERM_MISSING, malformed};

/// How deep expressions may nest. DynamoDB stores 32 levels; conditions add a few of their own.
const DEPTH_MAX: usize = 64;

/// The tokens and the position of the next one. The last token is the end, which is never passed.
pub(super) struct Cursor {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    parameters: usize,
}

impl Cursor {
    pub(super) fn new(tokens: Vec<Token>) -> Self {
        Self { tokens, at: 0, depth: 0, parameters: 0 }
    }

    fn token(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn peek(&self) -> &Kind {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &Kind {
        &self.token(ahead).kind
    }

    pub(super) fn position(&self) -> Position {
        self.token(0).position
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.tokens.len() - 1);
    }

    pub(super) fn next(&mut self) -> Kind {
        let kind = self.peek().clone();
        self.skip(1);
        kind
    }

    pub(super) fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Kind::Symbol(next) if *next == symbol);
        self.skip(usize::from(found));
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Kind::Keyword(next) if *next == keyword);
        self.skip(usize::from(found));
        found
    }

    pub(super) fn expect_symbol(&mut self, symbol: &str) -> Result<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(malformed(TERM_MISSING)) }
    }

    pub(super) fn expect_keyword(&mut self, keyword: &str) -> Result<()> {
        if self.eat_keyword(keyword) { Ok(()) } else { Err(malformed(TERM_MISSING)) }
    }

    /// Reads a word in lower case, whether it is a keyword or not.
    pub(super) fn word(&mut self) -> Result<String> {
        match self.next() {
            Kind::Name(name) => Ok(name.to_ascii_lowercase()),
            Kind::Keyword(keyword) => Ok(keyword.to_owned()),
            _ => Err(malformed(TERM_MISSING)),
        }
    }

    /// Returns the number of the next parameter.
    pub(super) fn parameter(&mut self) -> usize {
        self.parameters += 1;
        self.parameters - 1
    }

    pub(super) fn parameters(&self) -> usize {
        self.parameters
    }

    /// Runs `read` one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.check_depth(1)?;
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Checks that the limit allows `levels` more levels.
    pub(super) fn check_depth(&self, levels: usize) -> Result<()> {
        if self.depth + levels <= DEPTH_MAX { Ok(()) } else { Err(malformed("")) }
    }
}
