//! A body that comes in chunks.

use httparse::Status;

/// The state of the body at the end of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// It is incomplete.
    Partial,
    /// It is complete; `input[start..end]` is its content, and the request ends at `taken`.
    Whole { end: usize, taken: usize },
    /// Its chunks are malformed.
    Malformed,
    /// It is longer than allowed.
    TooLarge,
}

/// Decodes chunks in the input: their contents are moved together, starting at `start`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks {
    start: usize,
    /// The end of the contents so far.
    end: usize,
    /// The position of the next chunk's size.
    next: usize,
}

impl Chunks {
    /// Creates the decoder of chunks that begin after a head.
    pub(crate) fn new(start: usize) -> Self {
        Self { start, end: start, next: start }
    }

    /// Decodes the chunks that have arrived.
    pub(crate) fn take(&mut self, input: &mut [u8], body_bytes_max: usize) -> Body {
        loop {
            let (line, size) = match httparse::parse_chunk_size(&input[self.next..]) {
                Ok(Status::Complete((line, size))) => (line, size),
                Ok(Status::Partial) => return self.partial(input),
                Err(_) => return Body::Malformed,
            };
            let data = self.next + line;
            // The library accepts a line without a size, or with a bare line feed.
            let text = &input[self.next..data - 2];
            if !text.first().is_some_and(u8::is_ascii_hexdigit) || text.contains(&b'\n') {
                return Body::Malformed;
            }
            if size == 0 {
                // There may be no trailers.
                return match &input[data..] {
                    [b'\r', b'\n', ..] => Body::Whole { end: self.end, taken: data + 2 },
                    [] | [b'\r'] => Body::Partial,
                    _ => Body::Malformed,
                };
            }
            if size > (body_bytes_max - (self.end - self.start)) as u64 {
                return Body::TooLarge;
            }
            let size = size as usize;
            match input.get(data + size..data + size + 2) {
                Some(b"\r\n") => {}
                Some(_) => return Body::Malformed,
                None => return Body::Partial,
            }
            input.copy_within(data..data + size, self.end);
            self.end += size;
            self.next = data + size + 2;
        }
    }

    /// Returns the state of an incomplete size line, which must be a few digits; more is an attack.
    fn partial(&self, input: &[u8]) -> Body {
        const SIZE_LINE_BYTES_MAX: usize = 256;
        if input.len() - self.next > SIZE_LINE_BYTES_MAX { Body::Malformed } else { Body::Partial }
    }

    /// Removes the gap that moved chunks leave, so that the input does not grow by it.
    pub(crate) fn close_gap(&mut self, input: &mut Vec<u8>) {
        input.drain(self.end..self.next);
        self.next = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(text: &str) -> (Body, String) {
        let mut input = format!("HEAD{text}").into_bytes();
        let body = Chunks::new(4).take(&mut input, 100);
        let sent = match body {
            Body::Whole { end, .. } => String::from_utf8(input[4..end].to_vec()).unwrap(),
            _ => String::new(),
        };
        (body, sent)
    }

    #[test]
    fn chunks_are_put_together() {
        let text = "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\nGET";
        let (body, sent) = take(text);
        assert_eq!(sent, "abc0123456789");
        assert!(matches!(body, Body::Whole { taken, .. } if taken == 4 + text.len() - 3));
    }

    #[test]
    fn every_part_of_a_body_is_partial() {
        let text = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        for cut in 0..text.len() {
            assert_eq!(take(&text[..cut]).0, Body::Partial, "{:?}", &text[..cut]);
        }
        let mut input = Vec::new();
        let mut chunks = Chunks::new(0);
        for byte in text.bytes() {
            input.push(byte);
            match chunks.take(&mut input, 100) {
                Body::Partial => chunks.close_gap(&mut input),
                Body::Whole { end, .. } => assert_eq!(&input[..end], b"abcde"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn broken_chunks_are_refused() {
        for text in [
            "\r\n\r\n",
            ";a\r\n\r\n",
            "2;\na\r\n{}\r\n0\r\n\r\n",
            "x\r\n",
            "3\r\nabcd\r\n",
            "3\r\nabcXX",
            "0\r\nTrailer: x\r\n\r\n",
            &"1".repeat(300),
        ] {
            assert_eq!(take(text).0, Body::Malformed, "{text}");
        }
        assert_eq!(take("65\r\n").0, Body::TooLarge);
        assert_eq!(take("FFFFFFFFFFFFFFF0\r\n").0, Body::TooLarge);
    }
}
