//! A pull parser: it builds no tree, borrows strings without escapes, and bounds the nesting of
//! documents.

use std::borrow::Cow;

use memchr::memchr2;

/// The deepest nesting of arrays and objects. Attribute values of 32 levels take 64 of them; the
/// rest is for requests that should get AWS's error about nesting instead of "not JSON".
const DEPTH_MAX: usize = 2_000;

/// The error of a text that is not JSON or is nested too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Syntax;

/// The kind of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    Object,
    Array,
}

/// Parses one document.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Bytes of memory that values read from the document may still take.
    memory_left_bytes: usize,
}

/// The memory that every document may take, in bytes; larger documents may take a multiple of their
/// size.
const MEMORY_BYTES_MIN: usize = 16 * 1024 * 1024;
const MEMORY_TIMES_DOCUMENT: usize = 6;

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, Syntax> {
        let text = std::str::from_utf8(bytes).map_err(|_| Syntax)?;
        let memory_left_bytes = MEMORY_BYTES_MIN + text.len() * MEMORY_TIMES_DOCUMENT;
        Ok(Self { text, at: 0, depth: 0, memory_left_bytes })
    }

    /// Counts memory that is about to be used, and returns whether the limit allows it. Millions of
    /// tiny maps would take fifty times the memory of their text.
    pub(crate) fn spend_memory(&mut self, bytes: usize) -> bool {
        let left = self.memory_left_bytes.checked_sub(bytes);
        self.memory_left_bytes = left.unwrap_or(0);
        left.is_some()
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns the next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Syntax> {
        if self.peek() != Some(byte) {
            return Err(Syntax);
        }
        self.at += 1;
        Ok(())
    }

    /// Returns the kind of the next value without reading it.
    pub(crate) fn kind(&mut self) -> Result<Kind, Syntax> {
        Ok(match self.peek().ok_or(Syntax)? {
            b'"' => Kind::String,
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b't' => Kind::True,
            b'f' => Kind::False,
            b'n' => Kind::Null,
            b'-' | b'0'..=b'9' => Kind::Number,
            _ => return Err(Syntax),
        })
    }

    fn word(&mut self, word: &str) -> Result<(), Syntax> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(Syntax);
        }
        self.at += word.len();
        Ok(())
    }

    pub(crate) fn null(&mut self) -> Result<(), Syntax> {
        self.peek();
        self.word("null")
    }

    pub(crate) fn boolean(&mut self) -> Result<bool, Syntax> {
        if self.peek() == Some(b't') {
            self.word("true")?;
            return Ok(true);
        }
        self.word("false")?;
        Ok(false)
    }

    /// Reads a number as its text.
    pub(crate) fn number(&mut self) -> Result<&'a str, Syntax> {
        self.peek();
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.byte() == Some(b'0');
        let digits = self.digits()?;
        if leading_zero && digits > 1 {
            return Err(Syntax);
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Result<usize, Syntax> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        match self.at - start {
            0 => Err(Syntax),
            count => Ok(count),
        }
    }

    /// Reads a string, which is borrowed from the document unless it has escapes.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Syntax> {
        self.expect(b'"')?;
        let run = self.run()?;
        if self.byte() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(run));
        }
        let mut text = run.to_owned();
        while self.byte() == Some(b'\\') {
            self.at += 1;
            text.push(self.escape()?);
            text.push_str(self.run()?);
        }
        self.at += 1;
        Ok(Cow::Owned(text))
    }

    /// Reads up to the next quote or backslash, one of which follows.
    fn run(&mut self) -> Result<&'a str, Syntax> {
        let rest = &self.text.as_bytes()[self.at..];
        let length = memchr2(b'"', b'\\', rest).ok_or(Syntax)?;
        // Without an early exit the compiler vectorizes the loop.
        if rest[..length].iter().fold(false, |found, &byte| found | (byte < 0x20)) {
            return Err(Syntax);
        }
        let run = &self.text[self.at..self.at + length];
        self.at += length;
        Ok(run)
    }

    fn escape(&mut self) -> Result<char, Syntax> {
        let byte = self.byte().ok_or(Syntax)?;
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.code_point(),
            _ => return Err(Syntax),
        })
    }

    /// Reads the character of `\uXXXX`, which may be the first half of a surrogate pair.
    fn code_point(&mut self) -> Result<char, Syntax> {
        let first = self.hexadecimal()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).ok_or(Syntax);
        }
        self.word("\\u")?;
        let second = self.hexadecimal()?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(Syntax);
        }
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)).ok_or(Syntax)
    }

    fn hexadecimal(&mut self) -> Result<u32, Syntax> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).ok_or(Syntax)?;
        self.at += 4;
        digits.iter().try_fold(0, |code, &digit| {
            let digit = char::from(digit).to_digit(16).ok_or(Syntax)?;
            Ok(code << 4 | digit)
        })
    }

    /// Enters an object or array; call [`Self::more`] next.
    fn enter(&mut self, opening: u8) -> Result<(), Syntax> {
        self.expect(opening)?;
        self.depth += 1;
        if self.depth > DEPTH_MAX { Err(Syntax) } else { Ok(()) }
    }

    /// Returns whether another element follows; otherwise reads the closing bracket.
    fn more(&mut self, closing: u8, first: bool) -> Result<bool, Syntax> {
        match self.peek().ok_or(Syntax)? {
            byte if byte == closing => {
                self.at += 1;
                self.depth -= 1;
                Ok(false)
            }
            b',' if !first => {
                self.at += 1;
                Ok(true)
            }
            _ if first => Ok(true),
            _ => Err(Syntax),
        }
    }

    /// Reads an object; `member` must read the value of each member.
    pub(crate) fn object<E: From<Syntax>>(
        &mut self,
        mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.enter(b'{')?;
        let mut first = true;
        while self.more(b'}', first)? {
            let name = self.string()?;
            self.expect(b':')?;
            member(self, name)?;
            first = false;
        }
        Ok(())
    }

    /// Reads an array; `element` must read each element.
    pub(crate) fn array<E: From<Syntax>>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.enter(b'[')?;
        let mut first = true;
        while self.more(b']', first)? {
            element(self)?;
            first = false;
        }
        Ok(())
    }

    /// Skips a value of any kind. It keeps its own stack, so that nesting cannot overflow the call
    /// stack.
    pub(crate) fn skip(&mut self) -> Result<(), Syntax> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            match self.kind()? {
                Kind::Null => self.null()?,
                Kind::True | Kind::False => drop(self.boolean()?),
                Kind::Number => drop(self.number()?),
                Kind::String => drop(self.string()?),
                Kind::Object => {
                    self.enter(b'{')?;
                    open.push(b'}');
                    if self.next_skipped(&mut open, true)? {
                        continue;
                    }
                    return Ok(());
                }
                Kind::Array => {
                    self.enter(b'[')?;
                    open.push(b']');
                    if self.next_skipped(&mut open, true)? {
                        continue;
                    }
                    return Ok(());
                }
            }
            if !self.next_skipped(&mut open, false)? {
                return Ok(());
            }
        }
    }

    /// Moves to the next value inside the skipped one, and returns whether there is one.
    fn next_skipped(&mut self, open: &mut Vec<u8>, mut first: bool) -> Result<bool, Syntax> {
        while let Some(&closing) = open.last() {
            if self.more(closing, first)? {
                if closing == b'}' {
                    self.string()?;
                    self.expect(b':')?;
                }
                return Ok(true);
            }
            open.pop();
            first = false;
        }
        Ok(false)
    }

    /// Reads a value of any kind as its text.
    pub(crate) fn raw(&mut self) -> Result<&'a str, Syntax> {
        self.kind()?;
        let start = self.at;
        self.skip()?;
        Ok(&self.text[start..self.at])
    }

    /// Checks that only white space follows the document.
    pub(crate) fn end(&mut self) -> Result<(), Syntax> {
        if self.peek().is_some() { Err(Syntax) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn strings(document: &str) -> Result<Vec<String>, Syntax> {
        let mut reader = Reader::new(document.as_bytes())?;
        let mut found = Vec::new();
        reader.array::<Syntax>(|reader| {
            found.push(reader.string()?.into_owned());
            Ok(())
        })?;
        reader.end()?;
        Ok(found)
    }

    fn skips(document: &[u8]) -> bool {
        Reader::new(document)
            .is_ok_and(|mut reader| reader.skip().and_then(|()| reader.end()).is_ok())
    }

    #[test]
    fn strings_with_and_without_escapes_are_read() {
        let read = strings(r#" ["plain", "", "a\"\\\/\b\f\n\r\tz", "\u00e4\ud83d\ude00"] "#);
        assert_eq!(
            read,
            Ok(vec!["plain".into(), "".into(), "a\"\\/\u{8}\u{c}\n\r\tz".into(), "ä😀".into()])
        );
    }

    #[test]
    fn malformed_strings_are_refused() {
        for document in [
            r#"["a]"#,
            r#"["\x"]"#,
            r#"["\u12"]"#,
            r#"["\ud800"]"#,
            r#"["\ud800\u0041"]"#,
            "[\"\n\"]",
        ] {
            assert_eq!(strings(document), Err(Syntax), "{document}");
        }
    }

    #[test]
    fn malformed_documents_are_refused() {
        for document in [
            "",
            "{",
            "[1,]",
            "{\"a\"}",
            "{\"a\":1,}",
            "{,}",
            "01",
            "1.",
            "-",
            "1e",
            "tru",
            "nul",
            "[1 2]",
            "{\"a\":1 \"b\":2}",
            "1 1",
            "{a:1}",
            "'a'",
            "[}",
            "{]",
        ] {
            assert!(!skips(document.as_bytes()), "{document}");
        }
        assert!(!skips(b"\"\xff\""));
    }

    #[test]
    fn well_formed_documents_are_skipped() {
        for document in [
            "{}",
            "[]",
            " [ ] ",
            "[[],{}]",
            "{\"a\":{\"b\":[1,2.5e-3,null,true,false,\"x\"]},\"c\":{}}",
            "-0.1",
        ] {
            assert!(skips(document.as_bytes()), "{document}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(skips(&nested(DEPTH_MAX)));
        assert!(!skips(&nested(DEPTH_MAX + 1)));
        assert!(!skips(&vec![b'['; 1_000_000]));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            skips(&bytes);
        }

        #[test]
        fn json_like_text_is_read_or_refused(text in r#"[\[\]{}":,0-9a-z\\ .-]{0,40}"#) {
            skips(text.as_bytes());
        }
    }
}
