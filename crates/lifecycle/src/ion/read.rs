//! Parses Ion text into items: structs, lists, strings, symbols, decimals, integers, floats,
//! blobs, booleans and nulls. DynamoDB has no values for times and clobs.

use std::collections::BTreeMap;

use monotable_engine::{AttributeValue, Item, Number, Set};

use super::{BINARY_SET, NUMBER_SET, STRING_SET};
use crate::codec::LineError;

/// The limit of nesting: deeper than any item, and small enough for the stack.
const DEPTH_MAX: usize = 64;

/// The result of parsing the beginning of a text.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// An item, and the position of the rest.
    Item { item: Item, rest: usize },
    /// A value that is not an item, and the position of the next line.
    Unfit { why: String, rest: usize },
    /// The text ends within the value.
    More,
    /// Only whitespace is left.
    End,
}

/// Reads the next `{Item:{…}}` of a text. `is_whole` means that nothing follows the text.
pub(crate) fn parse_item(text: &[u8], is_whole: bool) -> Result<Parsed, LineError> {
    let mut reader = Reader { text, at: 0, start: 0, is_whole };
    let outcome = reader.item();
    match outcome {
        Ok(Some(item)) => Ok(Parsed::Item { item, rest: reader.at }),
        Ok(None) => Ok(Parsed::End),
        Err(Stop::More) if is_whole => {
            Err(LineError::Syntax("The Ion text ends within a value".to_owned()))
        }
        Err(Stop::More) => Ok(Parsed::More),
        Err(Stop::Wrong(LineError::Item(why))) => {
            let line = text[reader.start..].iter().position(|&byte| byte == b'\n');
            match line {
                Some(length) => Ok(Parsed::Unfit { why, rest: reader.start + length + 1 }),
                None if is_whole => Ok(Parsed::Unfit { why, rest: text.len() }),
                None => Ok(Parsed::More),
            }
        }
        Err(Stop::Wrong(error)) => Err(error),
    }
}

enum Stop {
    More,
    Wrong(LineError),
}

type Result2<T> = Result<T, Stop>;

fn syntax<T>(why: &str) -> Result2<T> {
    Err(Stop::Wrong(LineError::Syntax(format!("The text is not Ion: {why}"))))
}

fn unfit<T>(why: impl Into<String>) -> Result2<T> {
    Err(Stop::Wrong(LineError::Item(why.into())))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// The position of the item.
    start: usize,
    is_whole: bool,
}

impl Reader<'_> {
    fn item(&mut self) -> Result2<Option<Item>> {
        loop {
            if !self.space()? {
                return Ok(None);
            }
            if self.text[self.at..].starts_with(b"$ion_1_0") {
                self.at += b"$ion_1_0".len();
                if self.peek().is_ok_and(|byte| !byte.is_ascii_whitespace() && byte != b'{') {
                    return syntax("$ion_1_0 is not followed by space");
                }
                continue;
            }
            break;
        }
        if b"$ion_1_0".starts_with(&self.text[self.at..]) {
            return Err(Stop::More);
        }
        if self.peek()? != b'{' {
            return syntax("a struct with the field Item was expected");
        }
        self.start = self.at;
        match self.value(0)? {
            AttributeValue::M(mut fields) => match fields.remove("Item") {
                Some(AttributeValue::M(item)) => Ok(Some(item)),
                _ => unfit("The struct has no field Item with a struct"),
            },
            _ => unfit("The value is not a struct"),
        }
    }

    fn peek(&self) -> Result2<u8> {
        self.text.get(self.at).copied().ok_or(Stop::More)
    }

    fn take(&mut self) -> Result2<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    fn starts_with(&self, expected: &[u8]) -> Result2<bool> {
        let rest = &self.text[self.at..];
        if rest.len() < expected.len() && expected.starts_with(rest) && !self.is_whole {
            return Err(Stop::More);
        }
        Ok(rest.starts_with(expected))
    }

    /// Skips whitespace and comments. Returns whether more text follows.
    fn space(&mut self) -> Result2<bool> {
        loop {
            match self.text.get(self.at) {
                None => return Ok(false),
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(b'/') if self.starts_with(b"//")? => {
                    let length = self.text[self.at..].iter().position(|&byte| byte == b'\n');
                    match length {
                        Some(length) => self.at += length,
                        None if self.is_whole => self.at = self.text.len(),
                        None => return Err(Stop::More),
                    }
                }
                Some(b'/') if self.starts_with(b"/*")? => {
                    let rest = &self.text[self.at + 2..];
                    let end = rest.windows(2).position(|pair| pair == b"*/").ok_or(Stop::More)?;
                    self.at += 2 + end + 2;
                }
                Some(_) => return Ok(true),
            }
        }
    }

    fn skip_space(&mut self) -> Result2<()> {
        if self.space()? { Ok(()) } else { Err(Stop::More) }
    }

    fn value(&mut self, depth: usize) -> Result2<AttributeValue> {
        if depth > DEPTH_MAX {
            return syntax("values are nested too deeply");
        }
        self.skip_space()?;
        match self.peek()? {
            b'{' if self.starts_with(b"{{")? => self.blob(),
            b'{' => self.fields(depth),
            b'[' => Ok(AttributeValue::L(self.list(depth)?)),
            b'"' => Ok(AttributeValue::S(self.string(b'"')?)),
            b'\'' if self.starts_with(b"'''")? => Ok(AttributeValue::S(self.long_string()?)),
            b'\'' => {
                let text = self.string(b'\'')?;
                self.annotated(text, depth)
            }
            b'-' | b'+' | b'0'..=b'9' => self.number(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' => {
                let word = self.word()?;
                match word.as_str() {
                    "true" => Ok(AttributeValue::Bool(true)),
                    "false" => Ok(AttributeValue::Bool(false)),
                    "null" => self.null(),
                    "nan" => unfit("nan is not a number in DynamoDB"),
                    _ => self.annotated(word, depth),
                }
            }
            _ => syntax("a value was expected"),
        }
    }

    fn word(&mut self) -> Result2<String> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let length = match rest.iter().position(|byte| !is_part(byte)) {
            Some(length) => length,
            None if self.is_whole => rest.len(),
            None => return Err(Stop::More),
        };
        self.at += length;
        Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
    }

    /// Parses `null`, or a null with a type behind a point.
    fn null(&mut self) -> Result2<AttributeValue> {
        if self.starts_with(b".")? {
            self.at += 1;
            self.word()?;
        }
        Ok(AttributeValue::Null)
    }

    /// Parses the rest of a symbol: it is a string, unless it annotates the value after it.
    fn annotated(&mut self, text: String, depth: usize) -> Result2<AttributeValue> {
        let is_annotation = if self.space()? { self.starts_with(b"::")? } else { false };
        if !is_annotation {
            return Ok(AttributeValue::S(text));
        }
        self.at += 2;
        let value = self.value(depth + 1)?;
        match (text.as_str(), value) {
            (STRING_SET, AttributeValue::L(list)) => {
                set(list, |value| value.as_s().map(str::to_owned)).map(AttributeValue::Ss)
            }
            (NUMBER_SET, AttributeValue::L(list)) => {
                set(list, |value| value.as_n().copied()).map(AttributeValue::Ns)
            }
            (BINARY_SET, AttributeValue::L(list)) => set(list, |value| match value {
                AttributeValue::B(bytes) => Some(bytes.clone()),
                _ => None,
            })
            .map(AttributeValue::Bs),
            (STRING_SET | NUMBER_SET | BINARY_SET, _) => unfit("a set is not a list"),
            (_, value) => Ok(value),
        }
    }

    fn fields(&mut self, depth: usize) -> Result2<AttributeValue> {
        self.at += 1;
        let mut fields = BTreeMap::new();
        loop {
            self.skip_space()?;
            let name = match self.peek()? {
                b'}' => {
                    self.at += 1;
                    return Ok(AttributeValue::M(fields));
                }
                b'\'' if self.starts_with(b"'''")? => self.long_string()?,
                quote @ (b'\'' | b'"') => self.string(quote)?,
                byte if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' => {
                    self.word()?
                }
                _ => return syntax("the name of a field was expected"),
            };
            self.skip_space()?;
            if self.take()? != b':' {
                return syntax("a colon was expected behind the name of a field");
            }
            let value = self.value(depth + 1)?;
            fields.insert(name, value);
            self.next(b'}')?;
        }
    }

    fn list(&mut self, depth: usize) -> Result2<Vec<AttributeValue>> {
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip_space()?;
            if self.peek()? == b']' {
                self.at += 1;
                return Ok(list);
            }
            list.push(self.value(depth + 1)?);
            self.next(b']')?;
        }
    }

    /// Skips the comma behind an element, unless the closing bracket follows, which is not
    /// consumed.
    fn next(&mut self, closing: u8) -> Result2<()> {
        self.skip_space()?;
        match self.peek()? {
            b',' => self.at += 1,
            byte if byte == closing => {}
            _ => return syntax("a comma was expected"),
        }
        Ok(())
    }

    fn string(&mut self, quote: u8) -> Result2<String> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.take()? {
                byte if byte == quote => return self.text(bytes),
                b'\\' => self.escape(&mut bytes)?,
                b'\n' | b'\r' => return syntax("a string does not end on its line"),
                byte => bytes.push(byte),
            }
        }
    }

    /// Parses strings in triple quotes; adjacent ones are joined.
    fn long_string(&mut self) -> Result2<String> {
        let mut bytes = Vec::new();
        while self.starts_with(b"'''")? {
            self.at += 3;
            while !self.starts_with(b"'''")? {
                match self.take()? {
                    b'\\' => self.escape(&mut bytes)?,
                    byte => bytes.push(byte),
                }
            }
            self.at += 3;
            self.skip_space()?;
        }
        self.text(bytes)
    }

    fn text(&self, bytes: Vec<u8>) -> Result2<String> {
        String::from_utf8(bytes).or_else(|_| syntax("a string is not UTF-8"))
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result2<()> {
        let character = match self.take()? {
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b'v' => '\u{b}',
            b'f' => '\u{c}',
            b'0' => '\0',
            byte @ (b'"' | b'\'' | b'\\' | b'/' | b'?') => char::from(byte),
            b'\n' => return Ok(()),
            b'x' => self.code_point(2)?,
            b'U' => self.code_point(8)?,
            b'u' => self.unit()?,
            _ => return syntax("an escape is unknown"),
        };
        bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn hexadecimal(&mut self, digits: usize) -> Result2<u32> {
        let mut code = 0_u32;
        for _ in 0..digits {
            let Some(digit) = char::from(self.take()?).to_digit(16) else {
                return syntax("an escape contains characters that are not digits");
            };
            code = (code << 4) | digit;
        }
        Ok(code)
    }

    fn code_point(&mut self, digits: usize) -> Result2<char> {
        let code = self.hexadecimal(digits)?;
        char::from_u32(code).map_or_else(|| syntax("an escape is not a valid character"), Ok)
    }

    /// Parses `\uXXXX`, which may be the first half of a surrogate pair.
    fn unit(&mut self) -> Result2<char> {
        let first = self.hexadecimal(4)?;
        let code = if (0xd800..0xdc00).contains(&first) {
            if self.take()? != b'\\' || self.take()? != b'u' {
                return syntax("half of a pair of escapes is missing");
            }
            let second = self.hexadecimal(4)?;
            if !(0xdc00..0xe000).contains(&second) {
                return syntax("half of a pair of escapes is missing");
            }
            0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        char::from_u32(code).map_or_else(|| syntax("an escape is not a valid character"), Ok)
    }

    fn blob(&mut self) -> Result2<AttributeValue> {
        self.at += 2;
        let rest = &self.text[self.at..];
        let end = rest.windows(2).position(|pair| pair == b"}}").ok_or(Stop::More)?;
        let text: Vec<u8> =
            rest[..end].iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        self.at += end + 2;
        if text.first().is_some_and(|byte| matches!(byte, b'"' | b'\'')) {
            return unfit("a clob is no value of DynamoDB");
        }
        match base64_simd::STANDARD.decode_to_vec(&text) {
            Ok(bytes) => Ok(AttributeValue::B(bytes)),
            Err(_) => syntax("a blob is not base 64"),
        }
    }

    fn number(&mut self) -> Result2<AttributeValue> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_' | b':')
        };
        let length = match rest.iter().position(|byte| !is_part(byte)) {
            Some(length) => length,
            None if self.is_whole => rest.len(),
            None => return Err(Stop::More),
        };
        self.at += length;
        let text = String::from_utf8_lossy(&rest[..length]).replace('_', "");
        if text.contains([':', 'T']) {
            return unfit("a time is no value of DynamoDB");
        }
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", text.as_str()),
        };
        let radix = [("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2)]
            .into_iter()
            .find_map(|(prefix, radix)| digits.strip_prefix(prefix).map(|rest| (rest, radix)));
        let decimal = match radix {
            Some((digits, radix)) => match u128::from_str_radix(digits, radix) {
                Ok(number) => format!("{sign}{number}"),
                Err(_) => return unfit(format!("{text} is not a number in DynamoDB")),
            },
            None => text.replace(['d', 'D'], "e").replace(".e", "e"),
        };
        let decimal = decimal.trim_end_matches('.');
        match decimal.parse::<Number>() {
            Ok(number) => Ok(AttributeValue::N(number)),
            Err(error) => unfit(format!("{text} is not a number in DynamoDB: {error}")),
        }
    }
}

fn set<T: Ord + Clone + std::fmt::Debug>(
    list: Vec<AttributeValue>,
    element: impl Fn(&AttributeValue) -> Option<T>,
) -> Result2<Set<T>> {
    let elements: Option<Vec<T>> = list.iter().map(element).collect();
    let Some(elements) = elements else {
        return unfit("a set has an element of another type");
    };
    match Set::new(elements) {
        Ok(set) => Ok(set),
        Err(error) => unfit(format!("a set is invalid: {error}")),
    }
}
