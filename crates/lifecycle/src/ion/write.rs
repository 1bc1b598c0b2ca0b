//! Items as Ion text.

use monotable_engine::{Container, ItemVisitor, Number, ReadItem};

use super::{BINARY_SET, NUMBER_SET, STRING_SET};

/// Appends an item as a struct.
pub(crate) fn write_item(item: &ReadItem, out: &mut Vec<u8>) {
    out.push(b'{');
    item.visit(&mut Writer { out, comma: false });
    out.push(b'}');
}

struct Writer<'a> {
    out: &'a mut Vec<u8>,
    comma: bool,
}

impl Writer<'_> {
    fn value(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.separate();
        write(self.out);
        self.comma = true;
    }

    fn separate(&mut self) {
        if self.comma {
            self.out.push(b',');
        }
        self.comma = false;
    }
}

/// Returns whether a name can be written without quotes.
fn is_identifier(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
    let bytes = name.as_bytes();
    let is_symbol_id = bytes.first() == Some(&b'$') && bytes[1..].iter().all(u8::is_ascii_digit);
    bytes.first().is_some_and(|byte| is_letter(*byte))
        && bytes.iter().all(|byte| is_letter(*byte) || byte.is_ascii_digit())
        && !is_symbol_id
        && !["null", "true", "false", "nan"].contains(&name)
}

fn quoted(out: &mut Vec<u8>, text: &str, quote: u8) {
    out.push(quote);
    for byte in text.bytes() {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 | 0x7f => out.extend_from_slice(format!("\\x{byte:02x}").as_bytes()),
            byte if byte == quote => out.extend_from_slice(&[b'\\', byte]),
            byte => out.push(byte),
        }
    }
    out.push(quote);
}

/// Writes a decimal in Java's form: `103.`, `2d3`, `1.5`.
fn decimal(out: &mut Vec<u8>, number: &Number) {
    let text = number.to_string();
    if let Some((digits, exponent)) = text.split_once(['E', 'e']) {
        out.extend_from_slice(format!("{digits}d{}", exponent.trim_start_matches('+')).as_bytes());
        return;
    }
    out.extend_from_slice(text.as_bytes());
    if text.contains('.') {
        return;
    }
    let digits = text.trim_end_matches('0');
    match text.len() - digits.len() {
        zeros if zeros > 0 && !matches!(digits, "" | "-") => {
            out.truncate(out.len() - zeros);
            out.extend_from_slice(format!("d{zeros}").as_bytes());
        }
        _ => out.push(b'.'),
    }
}

impl ItemVisitor for Writer<'_> {
    fn attribute(&mut self, name: &str) {
        self.separate();
        if is_identifier(name) {
            self.out.extend_from_slice(name.as_bytes())
        } else {
            quoted(self.out, name, b'\'')
        }
        self.out.push(b':');
    }

    fn string(&mut self, text: &str) {
        self.value(|out| quoted(out, text, b'"'));
    }

    fn number(&mut self, number: &Number) {
        self.value(|out| decimal(out, number));
    }

    fn binary(&mut self, bytes: &[u8]) {
        self.value(|out| {
            out.extend_from_slice(b"{{");
            base64_simd::STANDARD.encode_append(bytes, out);
            out.extend_from_slice(b"}}");
        });
    }

    fn boolean(&mut self, value: bool) {
        self.value(|out| out.extend_from_slice(if value { b"true" } else { b"false" }));
    }

    fn null(&mut self) {
        self.value(|out| out.extend_from_slice(b"null"));
    }

    fn begin(&mut self, container: Container) {
        self.separate();
        let annotation = match container {
            Container::Map => return self.out.push(b'{'),
            Container::List => "",
            Container::StringSet => STRING_SET,
            Container::NumberSet => NUMBER_SET,
            Container::BinarySet => BINARY_SET,
        };
        if !annotation.is_empty() {
            self.out.extend_from_slice(annotation.as_bytes());
            self.out.extend_from_slice(b"::");
        }
        self.out.push(b'[');
    }

    fn end(&mut self, container: Container) {
        self.out.push(if container == Container::Map { b'}' } else { b']' });
        self.comma = true;
    }
}
