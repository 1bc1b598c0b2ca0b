//! A response: a head of known size before a body that is complete.

use std::io::Write;

use crate::encoding::{AcceptEncoding, COMPRESSED_BYTES_MIN, Coding};

/// The bytes reserved before a body, so that head and body are sent together.
const HEAD_BYTES_MAX: usize = 512;

/// The contents of a response's head besides its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResponseHead<'a> {
    pub(crate) status: u16,
    pub(crate) content_type: &'a str,
    pub(crate) date: &'a str,
    /// AWS's id of the request.
    pub(crate) request_id: Option<&'a str>,
    /// Whether to send the checksum of the body as it is sent, compressed or not, as AWS's SDKs
    /// expect of DynamoDB.
    pub(crate) with_checksum: bool,
    pub(crate) keep_alive: bool,
    /// How the body is compressed.
    pub(crate) coding: Option<Coding>,
}

/// A response that is being written, in a buffer that outlives it.
pub(crate) struct Response<'a> {
    buffer: &'a mut Vec<u8>,
}

impl<'a> Response<'a> {
    pub(crate) fn new(buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        buffer.resize(HEAD_BYTES_MAX, 0);
        Self { buffer }
    }

    /// Returns the buffer of the body.
    pub(crate) fn body(&mut self) -> &mut Vec<u8> {
        self.buffer
    }

    /// Compresses a body if that is worthwhile and the client accepts it; returns the coding.
    pub(crate) fn compress(&mut self, accepted: AcceptEncoding) -> Option<Coding> {
        let coding = accepted.best()?;
        let body = &self.buffer[HEAD_BYTES_MAX..];
        if body.len() <= COMPRESSED_BYTES_MIN {
            return None;
        }
        let compressed = coding.compress(body)?;
        self.buffer.truncate(HEAD_BYTES_MAX);
        self.buffer.extend_from_slice(&compressed);
        Some(coding)
    }

    /// Writes the head before the body; returns the bytes to send.
    pub(crate) fn finish(self, head: ResponseHead<'_>) -> &'a [u8] {
        let body = &self.buffer[HEAD_BYTES_MAX..];
        let mut text = [0; HEAD_BYTES_MAX];
        let mut rest = &mut text[..];
        let written = head.write(body, &mut rest);
        debug_assert!(written.is_ok(), "every part of a head is short");
        let length = HEAD_BYTES_MAX - rest.len();
        let start = HEAD_BYTES_MAX - length;
        self.buffer[start..HEAD_BYTES_MAX].copy_from_slice(&text[..length]);
        &self.buffer[start..]
    }
}

impl ResponseHead<'_> {
    fn write(&self, body: &[u8], out: &mut &mut [u8]) -> std::io::Result<()> {
        let mut number = itoa::Buffer::new();
        out.write_all(b"HTTP/1.1 ")?;
        out.write_all(number.format(self.status).as_bytes())?;
        out.write_all(b" ")?;
        out.write_all(reason(self.status).as_bytes())?;
        out.write_all(b"\r\nserver: Monotable\r\ndate: ")?;
        out.write_all(self.date.as_bytes())?;
        out.write_all(b"\r\ncontent-type: ")?;
        out.write_all(self.content_type.as_bytes())?;
        out.write_all(b"\r\ncontent-length: ")?;
        out.write_all(number.format(body.len()).as_bytes())?;
        if let Some(coding) = self.coding {
            out.write_all(b"\r\ncontent-encoding: ")?;
            out.write_all(coding.name().as_bytes())?;
            out.write_all(b"\r\nvary: accept-encoding")?;
        }
        if let Some(request_id) = self.request_id {
            out.write_all(b"\r\nx-amzn-requestid: ")?;
            out.write_all(request_id.as_bytes())?;
        }
        if self.with_checksum {
            out.write_all(b"\r\nx-amz-crc32: ")?;
            out.write_all(number.format(crc32fast::hash(body)).as_bytes())?;
        }
        if !self.keep_alive {
            out.write_all(b"\r\nconnection: close")?;
        }
        out.write_all(b"\r\n\r\n")
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Payload Too Large",
        415 => "Unsupported Media Type",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_body_are_one_piece() {
        let mut buffer = b"what was sent before".to_vec();
        let mut response = Response::new(&mut buffer);
        response.body().extend_from_slice(b"{}");
        let sent = response.finish(ResponseHead {
            status: 200,
            content_type: "application/x-amz-json-1.0",
            date: "Sun, 06 Nov 1994 08:49:37 GMT",
            request_id: Some("ABC"),
            with_checksum: true,
            keep_alive: false,
            coding: None,
        });
        assert_eq!(
            std::str::from_utf8(sent).unwrap(),
            "HTTP/1.1 200 OK\r\nserver: Monotable\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\
             content-type: application/x-amz-json-1.0\r\ncontent-length: 2\r\n\
             x-amzn-requestid: ABC\r\nx-amz-crc32: 2745614147\r\nconnection: close\r\n\r\n{}"
        );
    }
}
