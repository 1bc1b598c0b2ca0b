//! The operands of operators: literals, paths, calls, and expressions in parentheses.

use super::Cursor;
use crate::error::{Failure, Result};
use crate::partiql::keyword;
use crate::partiql::lexer::Kind;
use crate::partiql::problem::{TERM_MISSING, malformed};
use crate::partiql::syntax::{Expression, Node};

/// The types that `IS` knows by one word, and AWS's names for them.
const TYPES: &[(&str, &str)] = &[
    ("bag", "bag"),
    ("blob", "blob"),
    ("bool", "boolean"),
    ("boolean", "boolean"),
    ("char", "character"),
    ("character", "character"),
    ("clob", "clob"),
    ("date", "date"),
    ("dec", "decimal"),
    ("decimal", "decimal"),
    ("float", "float"),
    ("int", "integer"),
    ("int2", "smallint"),
    ("int4", "integer4"),
    ("int8", "integer8"),
    ("integer", "integer"),
    ("integer2", "smallint"),
    ("integer4", "integer4"),
    ("integer8", "integer8"),
    ("list", "list"),
    ("missing", "missing"),
    ("null", "null"),
    ("numeric", "numeric"),
    ("real", "real"),
    ("sexp", "sexp"),
    ("smallint", "smallint"),
    ("string", "string"),
    ("struct", "struct"),
    ("symbol", "symbol"),
    ("time", "time"),
    ("timestamp", "timestamp"),
    ("tuple", "tuple"),
    ("varchar", "character_varying"),
];

impl Cursor {
    pub(super) fn term(&mut self) -> Result<Expression> {
        let position = self.position();
        if self.peek() == &Kind::Keyword("from") {
            return self.misplaced_update();
        }
        let node = match self.next() {
            Kind::Text(text) => Node::Text(text),
            Kind::Number(digits) => Node::Number(digits),
            Kind::Symbol("?") => Node::Parameter(self.parameter()),
            Kind::Symbol("[") => Node::List(self.elements("]")?),
            Kind::Symbol("<<") => Node::Bag(self.elements(">>")?),
            Kind::Symbol("{") => Node::Map(self.entries()?),
            Kind::Symbol("(") => return self.parenthesized(),
            Kind::Keyword("true") => Node::Bool(true),
            Kind::Keyword("false") => Node::Bool(false),
            Kind::Keyword("null") => Node::Null,
            Kind::Keyword("missing") => Node::Missing,
            Kind::Keyword(name) if keyword::is_function(name) && self.eat_symbol("(") => {
                Node::Call(name.to_owned(), self.arguments()?)
            }
            Kind::Name(name) if self.eat_symbol("(") => {
                Node::Call(name.to_ascii_lowercase(), self.arguments()?)
            }
            Kind::Name(name) | Kind::QuotedName(name) => Node::Path(self.path(name)?),
            other => return Err(no_term(&other)),
        };
        Ok(Expression { position, node })
    }

    /// Reads an expression or a list in parentheses.
    fn parenthesized(&mut self) -> Result<Expression> {
        let position = self.position();
        let first = self.expression()?;
        if !self.eat_symbol(",") {
            self.expect_symbol(")")?;
            return Ok(first);
        }
        let mut elements = vec![first];
        elements.extend(self.elements(")")?);
        Ok(Expression { position, node: Node::List(elements) })
    }

    /// Reads the list of `IN`; one element in parentheses is a list too.
    pub(super) fn in_list(&mut self) -> Result<Expression> {
        let position = self.position();
        if self.eat_symbol("(") {
            return Ok(Expression { position, node: Node::List(self.elements(")")?) });
        }
        self.term()
    }

    /// Reads expressions with commas between them, up to the closing symbol.
    fn elements(&mut self, closing: &str) -> Result<Vec<Expression>> {
        let mut elements = Vec::new();
        if self.eat_symbol(closing) {
            return Ok(elements);
        }
        loop {
            elements.push(self.expression()?);
            if self.eat_symbol(closing) {
                return Ok(elements);
            }
            self.expect_symbol(",")?;
        }
    }

    fn arguments(&mut self) -> Result<Vec<Expression>> {
        let position = self.position();
        if self.peek() == &Kind::Symbol("*") && self.peek_at(1) == &Kind::Symbol(")") {
            self.skip(2);
            return Ok(vec![Expression { position, node: Node::Star }]);
        }
        self.elements(")")
    }

    fn entries(&mut self) -> Result<Vec<(Expression, Expression)>> {
        let mut entries = Vec::new();
        if self.eat_symbol("}") {
            return Ok(entries);
        }
        loop {
            let name = self.expression()?;
            self.expect_symbol(":")?;
            entries.push((name, self.expression()?));
            if self.eat_symbol("}") {
                return Ok(entries);
            }
            self.expect_symbol(",")?;
        }
    }

    /// Reads the name of a type after `IS`, and skips its length in parentheses.
    pub(super) fn type_name(&mut self) -> Result<String> {
        let unknown = || malformed("Expected type name");
        let name = match (self.next(), self.peek()) {
            (Kind::Keyword("double"), Kind::Keyword("precision")) => "double_precision",
            (Kind::Keyword("character"), Kind::Keyword("varying")) => "character_varying",
            (Kind::Keyword(word), _) => {
                let found = TYPES.iter().find(|(name, _)| *name == word);
                found.map(|(_, name)| *name).ok_or_else(unknown)?
            }
            _ => return Err(unknown()),
        };
        if matches!(self.peek(), Kind::Keyword("precision" | "varying")) {
            self.skip(1);
        }
        if self.eat_symbol("(") {
            self.elements(")")?;
        }
        Ok(name.to_owned())
    }
}

/// Returns the error for a token that cannot start a term.
fn no_term(kind: &Kind) -> Failure {
    malformed(match kind {
        Kind::Keyword(keyword) if keyword::is_operator(keyword) => "Unexpected operator",
        Kind::Keyword(_) => "Unexpected keyword",
        Kind::Symbol(
            "=" | "<>" | "!=" | "<" | "<=" | ">" | ">=" | "*" | "/" | "%" | "||" | "@",
        ) => "Unexpected operator",
        _ => TERM_MISSING,
    })
}
