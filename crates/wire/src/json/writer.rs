//! A writer that appends a document to the buffer of the response.

use std::fmt::Write as _;

use monotable_engine::Capacity;

/// Writes one document and places the commas.
pub(crate) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    comma: bool,
    /// Whether units are noted without being written, because the client did not request them.
    pub(crate) hides_capacity: bool,
    /// The units of the response, once they are known.
    pub(crate) used: Option<Capacity>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, comma: false, hides_capacity: false, used: None }
    }

    fn before_value(&mut self) {
        if self.comma {
            self.out.push(b',');
        }
        self.comma = true;
    }

    pub(crate) fn begin_object(&mut self) {
        self.before_value();
        self.out.push(b'{');
        self.comma = false;
    }

    pub(crate) fn end_object(&mut self) {
        self.out.push(b'}');
        self.comma = true;
    }

    pub(crate) fn begin_array(&mut self) {
        self.before_value();
        self.out.push(b'[');
        self.comma = false;
    }

    pub(crate) fn end_array(&mut self) {
        self.out.push(b']');
        self.comma = true;
    }

    /// Writes the name of the next member.
    pub(crate) fn name(&mut self, name: &str) {
        self.string(name);
        self.out.push(b':');
        self.comma = false;
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.before_value();
        self.out.push(b'"');
        write_escaped(self.out, text);
        self.out.push(b'"');
    }

    /// Writes a string that needs no escapes.
    pub(crate) fn plain(&mut self, text: std::fmt::Arguments<'_>) {
        self.before_value();
        self.out.push(b'"');
        let _ = Bytes(self.out).write_fmt(text);
        self.out.push(b'"');
    }

    pub(crate) fn base64(&mut self, bytes: &[u8]) {
        self.before_value();
        self.out.push(b'"');
        base64_simd::STANDARD.encode_append(bytes, self.out);
        self.out.push(b'"');
    }

    pub(crate) fn integer(&mut self, number: impl itoa::Integer) {
        self.before_value();
        self.out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }

    /// Writes a number with a decimal point, such as `0.5` and `1.0`.
    pub(crate) fn decimal(&mut self, number: f64) {
        self.before_value();
        let _ = write!(Bytes(self.out), "{number:?}");
    }

    /// Writes a document that is already JSON.
    pub(crate) fn raw(&mut self, document: &str) {
        self.before_value();
        self.out.extend_from_slice(document.as_bytes());
    }

    pub(crate) fn boolean(&mut self, value: bool) {
        self.before_value();
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }
}

/// Formats into bytes, which cannot fail.
struct Bytes<'a>(&'a mut Vec<u8>);

impl std::fmt::Write for Bytes<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

fn must_escape(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

fn write_escaped(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    // Almost no text needs escapes, and scanning all of it first is faster than going byte by byte.
    if !bytes.iter().fold(false, |found, &byte| found | must_escape(byte)) {
        out.extend_from_slice(bytes);
        return;
    }
    for &byte in bytes {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => {
                let _ = write!(Bytes(out), "\\u{byte:04x}");
            }
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::super::reader::Reader;
    use super::*;

    fn check(write: impl FnOnce(&mut Writer<'_>), document: Expect) {
        let mut out = Vec::new();
        write(&mut Writer::new(&mut out));
        document.assert_eq(&String::from_utf8(out).unwrap());
    }

    #[test]
    fn commas_separate_values_and_members() {
        check(
            |json| {
                json.begin_object();
                json.name("a");
                json.begin_array();
                json.integer(1);
                json.begin_object();
                json.end_object();
                json.boolean(true);
                json.end_array();
                json.name("b");
                json.decimal(0.5);
                json.name("c");
                json.decimal(2.0);
                json.name("d");
                json.base64(b"\xff\x00");
                json.end_object();
            },
            expect![[r#"{"a":[1,{},true],"b":0.5,"c":2.0,"d":"/wA="}"#]],
        );
    }

    #[test]
    fn texts_are_escaped() {
        check(|json| json.string("a\"\\\n\r\t\u{1}ä😀/"), expect![[r#""a\"\\\n\r\t\u0001ä😀/""#]]);
    }

    proptest! {
        #[test]
        fn written_strings_are_read_back(text in any::<String>()) {
            let mut out = Vec::new();
            Writer::new(&mut out).string(&text);
            let read = Reader::new(&out).unwrap().string().unwrap().into_owned();
            prop_assert_eq!(read, text);
        }
    }
}
