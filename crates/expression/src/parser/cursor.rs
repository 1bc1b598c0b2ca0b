//! The state that all grammars share: the position in the text, the placeholders, the problems so far.

use monotable_types::{AttributeValue, limits};

use super::lexer::{Token, TokenKind, token_at};
use super::problem::{LEAF, Order, Problems, Rank};
use crate::{ExpressionError, ExpressionKind, Placeholders, Reason};

/// A parser at a position in the text, with one token of lookahead.
pub(super) struct Cursor<'t, 'p, 'a> {
    kind: ExpressionKind,
    text: &'t str,
    previous: Option<Token<'t>>,
    token: Token<'t>,
    placeholders: &'p mut Placeholders<'a>,
    /// Keywords of this grammar, which are never attribute names.
    keywords: &'static [&'static str],
    problems: Problems,
    /// Problems of the comparison that is being read.
    leaf: Problems,
    operators: usize,
}

/// Parsing continues unless this is returned.
pub(super) type Parsed<T> = Result<T, ExpressionError>;

impl<'t, 'p, 'a> Cursor<'t, 'p, 'a> {
    pub(super) fn new(
        kind: ExpressionKind,
        text: &'t str,
        placeholders: &'p mut Placeholders<'a>,
        keywords: &'static [&'static str],
        order: Order,
    ) -> Parsed<Self> {
        placeholders.check_keys()?;
        let refuse = |reason| Err(ExpressionError::Invalid { kind, reason });
        if text.is_empty() {
            return refuse(Reason::Empty);
        }
        if text.len() > limits::EXPRESSION_BYTES_MAX {
            let bytes = (kind != ExpressionKind::Update).then_some(text.len());
            return refuse(Reason::TooLong { bytes });
        }
        Ok(Self {
            kind,
            text,
            previous: None,
            token: token_at(text, 0),
            placeholders,
            keywords,
            problems: Problems::new(order),
            leaf: Problems::new(LEAF),
            operators: 0,
        })
    }

    pub(super) fn token(&self) -> Token<'t> {
        self.token
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    pub(super) fn at_keyword(&self, keyword: &str) -> bool {
        self.token.is_keyword(keyword)
    }

    /// Returns whether the current token is a word that can be an attribute or function name.
    pub(super) fn at_identifier(&self) -> bool {
        self.at(TokenKind::Identifier)
            && !self.keywords.iter().any(|keyword| self.at_keyword(keyword))
    }

    /// Returns whether the current token is the name of a called function.
    pub(super) fn at_call(&self) -> bool {
        self.at_identifier() && token_at(self.text, self.token.end()).kind == TokenKind::Open
    }

    /// Advances, and returns the token that was current.
    pub(super) fn advance(&mut self) -> Token<'t> {
        let token = self.token;
        self.token = token_at(self.text, token.end());
        self.previous = Some(token);
        token
    }

    /// Advances if the current token is of this kind.
    pub(super) fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, kind: TokenKind) -> Parsed<Token<'t>> {
        if self.at(kind) { Ok(self.advance()) } else { Err(self.syntax_error()) }
    }

    /// Returns the error that the current token does not fit. `near` is the text from the previous token
    /// to the next one.
    pub(super) fn syntax_error(&self) -> ExpressionError {
        let token = self.token;
        let start = self.previous.map_or(token.start, |token| token.start);
        let (name, end) = if token.kind == TokenKind::End {
            ("<EOF>", self.previous.map_or(start, |token| token.end()))
        } else {
            let next = token_at(self.text, token.end());
            let last = if next.kind == TokenKind::End { token } else { next };
            (token.text, last.end())
        };
        self.refusal(Reason::Syntax {
            token: name.to_owned(),
            near: self.text[start..end].to_owned(),
        })
    }

    /// Notes a problem; parsing continues.
    pub(super) fn note(&mut self, rank: Rank, reason: Reason) {
        if self.problems.lists(rank) {
            self.problems.note(rank, reason);
        } else {
            self.leaf.note(rank, reason);
        }
    }

    /// Ends a comparison.
    pub(super) fn end_leaf(&mut self) {
        if let Some(reason) = self.leaf.take() {
            self.problems.note(Rank::Leaf, reason);
        }
    }

    /// Counts an operator or a function.
    pub(super) fn count_operator(&mut self) {
        self.operators += 1;
    }

    /// Returns the value of the `:value` token at the cursor. An undefined one is noted, and null
    /// replaces it while parsing continues.
    pub(super) fn value(&mut self) -> Parsed<AttributeValue> {
        let token = self.expect(TokenKind::Value)?;
        if let Some(value) = self.placeholders.value(token.text) {
            return Ok(value.clone());
        }
        let value = token.text.to_owned();
        self.note(Rank::UndefinedValue, Reason::UndefinedValue { value });
        Ok(AttributeValue::Null)
    }

    /// Returns the attribute name of a `#name` token.
    pub(super) fn name(&mut self, token: Token<'t>) -> String {
        if let Some(name) = self.placeholders.name(token.text) {
            return name.to_owned();
        }
        let name = token.text.to_owned();
        self.note(Rank::UndefinedName, Reason::UndefinedName { name });
        String::new()
    }

    /// Ends the text, and returns the problem with the highest rank, if there is one.
    pub(super) fn finish(&mut self) -> Parsed<()> {
        if !self.at(TokenKind::End) {
            return Err(self.syntax_error());
        }
        let count = self.operators;
        if count > limits::EXPRESSION_OPERATORS_MAX {
            self.note(Rank::OperatorCount, Reason::TooManyOperators { count });
        }
        self.end_leaf();
        match self.problems.take() {
            None => Ok(()),
            Some(reason) => Err(self.refusal(reason)),
        }
    }

    pub(super) fn refusal(&self, reason: Reason) -> ExpressionError {
        let kind = self.kind;
        ExpressionError::Invalid { kind, reason }
    }
}
