//! A client that sends whatever it is told to, and reads responses strictly.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// Far beyond every limit of a test: only a server that hangs takes so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// One connection.
pub(crate) struct Client<S = TcpStream> {
    stream: S,
    /// What was read and belongs to the next response.
    read: Vec<u8>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self::over(stream)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.stream.local_addr().unwrap()
    }

    pub(crate) fn send_what_fits(&mut self, bytes: &[u8]) -> Option<usize> {
        self.stream.set_nonblocking(true).unwrap();
        let written = self.stream.write(bytes);
        self.stream.set_nonblocking(false).unwrap();
        match written {
            Ok(count) => Some(count),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Some(0),
            Err(_) => None,
        }
    }

    pub(crate) fn finish(&mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    pub(crate) fn has_input(&mut self) -> bool {
        self.stream.set_nonblocking(true).unwrap();
        let peeked = self.stream.peek(&mut [0]);
        self.stream.set_nonblocking(false).unwrap();
        peeked.is_ok_and(|count| count > 0)
    }
}

impl<S: Read + Write> Client<S> {
    /// A client over something that is connected.
    pub(crate) fn over(stream: S) -> Self {
        Self { stream, read: Vec::new() }
    }

    /// What it is over; everything that was read must have been looked at.
    pub(crate) fn into_inner(self) -> S {
        assert!(self.read.is_empty());
        self.stream
    }

    /// Where it sends from.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).unwrap();
    }

    /// Sends as much as the server takes; whether it took all.
    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        match self.stream.write_all(bytes.as_ref()) {
            Ok(()) => true,
            Err(error) if is_closed(error.kind()) => false,
            Err(error) => panic!("the server neither reads nor closes: {error}"),
        }
    }

    /// Sends what the system takes without waiting; nothing if the server has closed.
    /// Says that nothing more will be sent.
    /// The next response, whose body has the length that its head says.
    #[track_caller]
    pub(crate) fn receive(&mut self) -> Answer {
        let mut answer = self.receive_head();
        let length = answer.header("content-length").expect("a length").parse().unwrap();
        while self.read.len() < length {
            assert_ne!(self.read_some(), 0, "closed within a body: {answer:?}");
        }
        answer.body = self.read.drain(..length).collect();
        answer
    }

    /// The next response, unless the server has closed.
    pub(crate) fn try_receive(&mut self) -> Option<Answer> {
        if self.read.is_empty() && self.read_some() == 0 {
            return None;
        }
        Some(self.receive())
    }

    /// The next response to a HEAD, or one that announces another.
    #[track_caller]
    pub(crate) fn receive_head(&mut self) -> Answer {
        let end = loop {
            if let Some(end) = self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            let seen = String::from_utf8_lossy(&self.read).into_owned();
            assert_ne!(self.read_some(), 0, "closed without a response: {seen:?}");
        };
        let head = String::from_utf8(self.read.drain(..end + 4).collect()).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().strip_prefix("HTTP/1.1 ").expect("a status line");
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").expect("a header");
            (name.to_owned(), value.to_owned())
        });
        Answer {
            status: status.split_once(' ').expect("a reason").0.parse().unwrap(),
            headers: headers.collect(),
            body: Vec::new(),
        }
    }

    /// Waits until the server closes, which must come without another byte.
    #[track_caller]
    pub(crate) fn expect_end(&mut self) {
        let count = self.read_some();
        let rest = String::from_utf8_lossy(&self.read).into_owned();
        assert_eq!((count, &*rest), (0, ""), "more was sent");
    }

    /// Reads until the server closes; how many bytes came.
    pub(crate) fn drain(&mut self) -> usize {
        let mut total = self.read.len();
        loop {
            self.read.clear();
            match self.read_some() {
                0 => return total,
                count => total += count,
            }
        }
    }

    /// The bytes that have arrived at once, at most `count`.
    pub(crate) fn read_up_to(&mut self, count: usize) -> Vec<u8> {
        let mut buffer = vec![0; count];
        let count = self.stream.read(&mut buffer).unwrap();
        buffer.truncate(count);
        buffer
    }

    /// Whether something has arrived, without waiting for it.
    fn read_some(&mut self) -> usize {
        let mut buffer = [0; 64 * 1024];
        match self.stream.read(&mut buffer) {
            Ok(count) => {
                self.read.extend_from_slice(&buffer[..count]);
                count
            }
            Err(error) if is_closed(error.kind()) => 0,
            Err(error) => panic!("the server neither answers nor closes: {error}"),
        }
    }
}

fn is_closed(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectionReset
            | ErrorKind::BrokenPipe
            | ErrorKind::ConnectionAborted
            | ErrorKind::UnexpectedEof
    )
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The exception without its package, or nothing.
    pub(crate) fn code(&self) -> String {
        let json: serde_json::Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let code = json["__type"].as_str().and_then(|code| code.split_once('#'));
        code.map_or(String::new(), |(_, code)| code.to_owned())
    }
}
