//! Splits expression text into tokens, one at a time and without copying.
//!
//! The lexer never fails: a character that begins no token is a token itself, which no grammar
//! accepts, so the parser reports it at its position.

use crate::Comparator;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A letter, then letters, digits and underscores. Keywords are identifiers here.
    Identifier,
    /// `#name`
    Name,
    /// `:value`
    Value,
    /// Digits.
    Number,
    Comparator(Comparator),
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Dot,
    Comma,
    Plus,
    Minus,
    /// A character that begins no token.
    Unknown,
    End,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    /// The position of its first byte.
    pub(super) start: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Returns whether the token is this keyword, in any case.
    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        self.kind == TokenKind::Identifier && self.text.eq_ignore_ascii_case(keyword)
    }
}

/// Returns the token at or after `position`.
pub(super) fn token_at(text: &str, position: usize) -> Token<'_> {
    let spaces = text.as_bytes()[position..]
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
        .count();
    let start = position + spaces;
    let (kind, length) = scan(&text[start..]);
    Token { kind, text: &text[start..start + length], start }
}

/// Returns the kind and length of the token that `text` begins with.
fn scan(text: &str) -> (TokenKind, usize) {
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else {
        return (TokenKind::End, 0);
    };
    let second = bytes.get(1);
    match first {
        b'a'..=b'z' | b'A'..=b'Z' => (TokenKind::Identifier, 1 + word_length(&bytes[1..])),
        b'0'..=b'9' => (TokenKind::Number, digits_length(bytes)),
        b'#' | b':' => {
            let kind = if *first == b'#' { TokenKind::Name } else { TokenKind::Value };
            match word_length(&bytes[1..]) {
                0 => (TokenKind::Unknown, 1),
                length => (kind, 1 + length),
            }
        }
        b'=' => (TokenKind::Comparator(Comparator::Eq), 1),
        b'<' => match second {
            Some(b'>') => (TokenKind::Comparator(Comparator::Ne), 2),
            Some(b'=') => (TokenKind::Comparator(Comparator::Le), 2),
            _ => (TokenKind::Comparator(Comparator::Lt), 1),
        },
        b'>' => match second {
            Some(b'=') => (TokenKind::Comparator(Comparator::Ge), 2),
            _ => (TokenKind::Comparator(Comparator::Gt), 1),
        },
        b'(' => (TokenKind::Open, 1),
        b')' => (TokenKind::Close, 1),
        b'[' => (TokenKind::OpenBracket, 1),
        b']' => (TokenKind::CloseBracket, 1),
        b'.' => (TokenKind::Dot, 1),
        b',' => (TokenKind::Comma, 1),
        b'+' => (TokenKind::Plus, 1),
        b'-' => (TokenKind::Minus, 1),
        _ => (TokenKind::Unknown, text.chars().next().map_or(0, char::len_utf8)),
    }
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

fn digits_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut tokens = Vec::new();
        let mut position = 0;
        loop {
            let token = token_at(text, position);
            position = token.end();
            if token.kind == TokenKind::End {
                break;
            }
            tokens.push(format!("{:?} {}", token.kind, token.text));
        }
        expected.assert_eq(&tokens.join(" | "));
    }

    #[test]
    fn words_placeholders_and_numbers_end_where_they_must() {
        check(
            "a_1.#n2[10]=:v_ 2x",
            expect![
                "Identifier a_1 | Dot . | Name #n2 | OpenBracket [ | Number 10 | CloseBracket ] | Comparator(Eq) = | Value :v_ | Number 2 | Identifier x"
            ],
        );
    }

    #[test]
    fn two_character_operators_are_one_token() {
        check(
            "<=<>>=<>=",
            expect![
                "Comparator(Le) <= | Comparator(Ne) <> | Comparator(Ge) >= | Comparator(Ne) <> | Comparator(Eq) ="
            ],
        );
    }

    #[test]
    fn characters_outside_the_grammar_are_tokens_of_their_own() {
        check(
            "_a # : ü !!",
            expect![
                "Unknown _ | Identifier a | Unknown # | Unknown : | Unknown ü | Unknown ! | Unknown !"
            ],
        );
    }

    #[test]
    fn only_four_characters_are_white_space() {
        check(" \t\r\na\u{a0}", expect!["Identifier a | Unknown \u{a0}"]);
    }
}
