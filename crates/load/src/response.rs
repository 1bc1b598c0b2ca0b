//! Where an HTTP response ends, from pieces of any size.
//!
//! Only the head is parsed; the body is counted, and kept only if it is needed. Must not know
//! sockets.

use memchr::memmem;

/// A head longer than this is not one of a DynamoDB endpoint.
const HEAD_BYTES_MAX: usize = 64 << 10;
const HEADERS_MAX: usize = 64;
/// A line that gives the size of a chunk, extensions included, or a trailer.
const CHUNK_LINE_BYTES_MAX: usize = 4 << 10;

/// Which bodies are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepBody {
    /// All of them.
    Always,
    /// Those of responses that are not 200: they hold an exception.
    OnError,
}

/// Whether a response has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// There is more to come.
    Partial,
    /// That was all of it.
    Complete,
}

/// The reason why a response is not valid HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) String);

impl Malformed {
    fn new<T>(reason: impl Into<String>) -> Result<T, Self> {
        Err(Self(reason.into()))
    }
}

/// Reads one response after the other.
#[derive(Debug)]
pub(crate) struct ResponseReader {
    keep_body: KeepBody,
    state: State,
    /// The beginning of a head or of a chunk line that is not complete yet.
    unfinished: Vec<u8>,
    status: u16,
    body: Vec<u8>,
    /// Whether the server closes the connection after this response.
    closes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Head,
    Body {
        bytes_left: u64,
    },
    /// A body that ends with the connection.
    BodyUntilClose,
    ChunkSize,
    Chunk {
        bytes_left: u64,
    },
    ChunkEnd,
    Trailers,
    Complete,
}

impl ResponseReader {
    pub(crate) fn new(keep_body: KeepBody) -> Self {
        Self {
            keep_body,
            state: State::Head,
            unfinished: Vec::new(),
            status: 0,
            body: Vec::new(),
            closes: false,
        }
    }

    /// Forgets the response, for the next one on a connection.
    pub(crate) fn clear(&mut self) {
        self.state = State::Head;
        self.unfinished.clear();
        self.body.clear();
        self.closes = false;
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    /// Returns the body, if it is one that is kept.
    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns whether the server closes the connection after this response.
    pub(crate) fn closes(&self) -> bool {
        self.closes
    }

    /// Returns whether nothing of the response has come yet.
    pub(crate) fn is_unstarted(&self) -> bool {
        self.state == State::Head && self.unfinished.is_empty()
    }

    /// Takes the next bytes of the connection.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Result<Extent, Malformed> {
        while !bytes.is_empty() {
            bytes = match self.state {
                State::Head => self.push_head(bytes)?,
                State::Body { bytes_left } => {
                    let (rest, bytes_left) = self.push_content(bytes, bytes_left);
                    self.state = match bytes_left {
                        0 => State::Complete,
                        _ => State::Body { bytes_left },
                    };
                    rest
                }
                State::BodyUntilClose => self.push_content(bytes, u64::MAX).0,
                State::Chunk { bytes_left } => {
                    let (rest, bytes_left) = self.push_content(bytes, bytes_left);
                    self.state = match bytes_left {
                        0 => State::ChunkEnd,
                        _ => State::Chunk { bytes_left },
                    };
                    rest
                }
                State::ChunkSize | State::ChunkEnd | State::Trailers => self.push_line(bytes)?,
                State::Complete => {
                    return Malformed::new("unexpected bytes follow the response");
                }
            };
        }
        Ok(match self.state {
            State::Complete => Extent::Complete,
            _ => Extent::Partial,
        })
    }

    /// Handles the end of the connection, which ends the response only if it was announced.
    pub(crate) fn push_close(&mut self) -> Result<Extent, Malformed> {
        match self.state {
            State::BodyUntilClose => {
                self.state = State::Complete;
                Ok(Extent::Complete)
            }
            _ => Malformed::new("the connection was closed before the response had ended"),
        }
    }

    /// Looks for the end of the head; returns what follows it.
    fn push_head<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Malformed> {
        const HEAD_END: &[u8] = b"\r\n\r\n";
        if self.unfinished.is_empty()
            && let Some(at) = memmem::find(bytes, HEAD_END)
        {
            let (head, rest) = bytes.split_at(at + HEAD_END.len());
            self.parse_head(head)?;
            return Ok(rest);
        }
        // The end may lie across the border of two pieces.
        let bytes_before = self.unfinished.len();
        self.unfinished.extend_from_slice(bytes);
        let search_from = bytes_before.saturating_sub(HEAD_END.len() - 1);
        match memmem::find(&self.unfinished[search_from..], HEAD_END) {
            Some(at) => {
                let head_bytes = search_from + at + HEAD_END.len();
                let head = std::mem::take(&mut self.unfinished);
                self.parse_head(&head[..head_bytes])?;
                Ok(&bytes[head_bytes - bytes_before..])
            }
            None if self.unfinished.len() > HEAD_BYTES_MAX => {
                Malformed::new("the head of the response does not end")
            }
            None => {
                // A server with another protocol may never send an empty line, so the start is
                // checked at once.
                let beginning = &self.unfinished[..self.unfinished.len().min(5)];
                if b"HTTP/".starts_with(beginning) {
                    Ok(&[])
                } else {
                    Malformed::new("it does not speak HTTP")
                }
            }
        }
    }

    fn parse_head(&mut self, head: &[u8]) -> Result<(), Malformed> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
        let mut response = httparse::Response::new(&mut headers);
        if let Err(error) = response.parse(head) {
            return Malformed::new(format!("it does not speak HTTP ({error})"));
        }
        self.status = response.code.unwrap_or_default();
        // Before version 1.1 a connection was closed unless agreed otherwise.
        self.closes = response.version == Some(0);
        let mut body_bytes = None;
        let mut is_chunked = false;
        for header in response.headers.iter() {
            let value = header.value;
            match header.name.len() {
                10 if header.name.eq_ignore_ascii_case("connection") => {
                    self.closes = match value {
                        _ if value.eq_ignore_ascii_case(b"close") => true,
                        _ if value.eq_ignore_ascii_case(b"keep-alive") => false,
                        _ => self.closes,
                    };
                }
                14 if header.name.eq_ignore_ascii_case("content-length") => {
                    let text = std::str::from_utf8(value).unwrap_or_default();
                    match text.trim().parse::<u64>() {
                        Ok(bytes) => body_bytes = Some(bytes),
                        Err(_) => return Malformed::new("Content-Length is not a number"),
                    }
                }
                17 if header.name.eq_ignore_ascii_case("transfer-encoding") => {
                    is_chunked = value.to_ascii_lowercase().ends_with(b"chunked");
                }
                _ => {}
            }
        }
        self.state = match (is_chunked, body_bytes) {
            (true, _) => State::ChunkSize,
            (false, Some(0)) => State::Complete,
            (false, Some(bytes_left)) => State::Body { bytes_left },
            (false, None) if matches!(self.status, 204 | 304) => State::Complete,
            (false, None) => {
                self.closes = true;
                State::BodyUntilClose
            }
        };
        Ok(())
    }

    /// Reads up to this many bytes of the body; returns the remaining bytes and how many are
    /// missing.
    fn push_content<'a>(&mut self, bytes: &'a [u8], bytes_left: u64) -> (&'a [u8], u64) {
        let taken = bytes.len().min(usize::try_from(bytes_left).unwrap_or(usize::MAX));
        let (content, rest) = bytes.split_at(taken);
        if self.keep_body == KeepBody::Always || self.status != 200 {
            self.body.extend_from_slice(content);
        }
        (rest, bytes_left - taken as u64)
    }

    /// Takes a line between chunks; returns what follows it.
    fn push_line<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Malformed> {
        let Some(at) = memchr::memchr(b'\n', bytes) else {
            self.unfinished.extend_from_slice(bytes);
            return if self.unfinished.len() > CHUNK_LINE_BYTES_MAX {
                Malformed::new("a line between chunks does not end")
            } else {
                Ok(&[])
            };
        };
        let (line_end, rest) = bytes.split_at(at + 1);
        self.unfinished.extend_from_slice(line_end);
        let is_empty = self.unfinished == b"\r\n";
        self.state = match self.state {
            State::ChunkEnd if is_empty => State::ChunkSize,
            State::ChunkEnd => return Malformed::new("a chunk is longer than its size"),
            State::Trailers if is_empty => State::Complete,
            State::Trailers => State::Trailers,
            _ => match httparse::parse_chunk_size(&self.unfinished) {
                Ok(httparse::Status::Complete((_, 0))) => State::Trailers,
                Ok(httparse::Status::Complete((_, bytes_left))) => State::Chunk { bytes_left },
                _ => return Malformed::new("the size of a chunk is not a number"),
            },
        };
        self.unfinished.clear();
        Ok(rest)
    }
}

#[cfg(test)]
mod tests;
