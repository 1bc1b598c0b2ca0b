//! Splits text into tokens, each with its position for AWS's messages. It knows no grammar.

use std::fmt;

use super::keyword;
use super::problem::malformed;
use crate::error::Result;

/// The position of a token: line and column from 1, and its length, all in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    line: usize,
    column: usize,
    length: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.line, self.column, self.length)
    }
}

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) position: Position,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An unquoted name that is not a keyword.
    Name(String),
    /// A name in double quotes.
    QuotedName(String),
    /// A keyword, in lower case.
    Keyword(&'static str),
    /// A string in single quotes.
    Text(String),
    /// A number without a sign, as its text.
    Number(String),
    /// Punctuation or an operator.
    Symbol(&'static str),
    /// The end of the statement.
    End,
}

/// The symbols, longer ones first, so that the first match is the longest.
const SYMBOLS: &[&str] = &[
    "<<", ">>", "<>", "<=", ">=", "!=", "||", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";",
    "?", "*", "/", "%", "+", "-", "=", "<", ">", "@",
];

/// Returns the tokens of a statement, ending with [`Kind::End`].
pub(super) fn tokens(statement: &str) -> Result<Vec<Token>> {
    let mut lexer = Lexer { rest: statement, line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let (before, line, column) = (lexer.rest, lexer.line, lexer.column);
        let kind = lexer.next()?;
        let length = before[..before.len() - lexer.rest.len()].chars().count();
        let end = kind == Kind::End;
        tokens.push(Token { kind, position: Position { line, column, length } });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Lexer<'a> {
    /// Takes a number of bytes, which must end between characters.
    fn take(&mut self, length_bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length_bytes);
        for character in taken.chars() {
            if character == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|character| !belongs(character)).unwrap_or(self.rest.len()))
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            self.take_while(|character| matches!(character, ' ' | '\t'..='\r'));
            if self.rest.starts_with("--") {
                self.take_while(|character| character != '\n');
            } else if self.rest.starts_with("/*") {
                let end = self.rest[2..].find("*/").ok_or_else(|| malformed(""))?;
                self.take(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Kind> {
        let mut characters = self.rest.chars();
        let Some(first) = characters.next() else {
            return Ok(Kind::End);
        };
        let second = characters.next();
        match first {
            '\'' => Ok(Kind::Text(self.quoted('\'')?)),
            '"' => Ok(Kind::QuotedName(self.quoted('"')?)),
            'a'..='z' | 'A'..='Z' | '_' | '$' => {
                let word = self.take_while(is_word_part);
                Ok(keyword::find(word).map_or_else(|| Kind::Name(word.to_owned()), Kind::Keyword))
            }
            '0'..='9' => self.number(),
            '.' if second.is_some_and(|second| second.is_ascii_digit()) => self.number(),
            _ => match SYMBOLS.iter().find(|symbol| self.rest.starts_with(**symbol)) {
                Some(symbol) => {
                    self.take(symbol.len());
                    Ok(Kind::Symbol(symbol))
                }
                None => Err(malformed("")),
            },
        }
    }

    /// Reads a quoted text, in which the quote itself is doubled.
    fn quoted(&mut self, quote: char) -> Result<String> {
        let mut text = String::new();
        self.take(1);
        loop {
            text.push_str(self.take_while(|character| character != quote));
            if self.rest.is_empty() {
                return Err(malformed(""));
            }
            self.take(1);
            if !self.rest.starts_with(quote) {
                return Ok(text);
            }
            text.push(quote);
            self.take(1);
        }
    }

    /// Reads a number whose exponent, and the power of ten of its last digit, fit into 32 bits.
    fn number(&mut self) -> Result<Kind> {
        let whole = self.rest;
        self.take_while(|character| character.is_ascii_digit());
        let mut fraction_digits = 0;
        if self.rest.starts_with('.') {
            self.take(1);
            fraction_digits = self.take_while(|character| character.is_ascii_digit()).len();
        }
        if self.rest.starts_with(['e', 'E']) {
            self.take(1);
            let signed = usize::from(self.rest.starts_with(['+', '-']));
            let sign = self.take(signed);
            let digits = self.take_while(|character| character.is_ascii_digit());
            let exponent: i32 = format!("{sign}{digits}").parse().map_err(|_| malformed(""))?;
            let scale = i64::try_from(fraction_digits).unwrap_or(i64::MAX) - i64::from(exponent);
            i32::try_from(scale).map_err(|_| malformed(""))?;
        }
        if self.rest.starts_with(is_word_part) {
            return Err(malformed(""));
        }
        Ok(Kind::Number(whole[..whole.len() - self.rest.len()].to_owned()))
    }
}

fn is_word_part(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$')
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(statement: &str, expected: Expect) {
        let text = match tokens(statement) {
            Ok(tokens) => tokens
                .iter()
                .map(|token| format!("{:?} {}", token.kind, token.position))
                .collect::<Vec<_>>()
                .join("\n"),
            Err(failure) => format!("{failure:?}"),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn words_numbers_and_quoted_texts_are_tokens() {
        check(
            "select \"a\"\"b\"\n  'it''s' 1.5E+3 .5",
            expect![[r#"
                Keyword("select") 1:1:6
                QuotedName("a\"b") 1:8:6
                Text("it's") 2:3:7
                Number("1.5E+3") 2:11:6
                Number(".5") 2:18:2
                End 2:20:0"#]],
        );
    }

    #[test]
    fn the_longest_symbol_matches() {
        check(
            "a<<1>>b<>c-1",
            expect![[r#"
                Name("a") 1:1:1
                Symbol("<<") 1:2:2
                Number("1") 1:4:1
                Symbol(">>") 1:5:2
                Name("b") 1:7:1
                Symbol("<>") 1:8:2
                Name("c") 1:10:1
                Symbol("-") 1:11:1
                Number("1") 1:12:1
                End 1:13:0"#]],
        );
    }

    #[test]
    fn comments_count_as_blanks() {
        check(
            "/* a */ -- b\n é",
            expect![[
                r#"Engine(Validation("Statement wasn't well formed, can't be processed: "))"#
            ]],
        );
        check("/* a */ -- b", expect!["End 1:13:0"]);
    }

    #[test]
    fn unterminated_tokens_are_refused() {
        for statement in ["'a", "\"a", "/* a", "#", "1e2147483648", "1.5e-2147483647", "1e", "1a"] {
            assert!(tokens(statement).is_err(), "{statement}");
        }
        assert!(tokens("1e2147483647").is_ok());
    }
}
