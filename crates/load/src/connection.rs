//! One connection of the load: a request on its way out, a response on its way in. Never blocks.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::time::Instant;

use mio::net::TcpStream;
use mio::{Interest, Registry, Token};

use crate::response::{Extent, KeepBody, Malformed, ResponseReader};
use crate::transport::Transport;
use crate::{Endpoint, Error, Result};

/// The reason why a connection cannot be used any more.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The server closed it, or the network did.
    Closed(String),
    /// What came is not a response.
    Malformed(String),
}

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Ready for the next request.
    Idle,
    /// A request is in progress.
    Busy,
    /// It is closed or broken, and must be opened again.
    Closed,
}

/// A connection with at most one request in progress.
pub(crate) struct Connection {
    stream: Transport<TcpStream>,
    pub(crate) phase: Phase,
    /// The request, and how much of it has been written to the socket.
    request: Vec<u8>,
    sent_bytes: usize,
    response: ResponseReader,
    /// When the request was sent.
    pub(crate) started: Instant,
    /// The first item that the request is about.
    pub(crate) number: u64,
}

impl Connection {
    /// Connects. It waits for the server to accept, which takes no time on the same machine.
    pub(crate) fn open(
        endpoint: &Endpoint,
        registry: &Registry,
        token: Token,
        keep_body: KeepBody,
    ) -> Result<Self> {
        Ok(Self {
            stream: register(endpoint, registry, token)?,
            phase: Phase::Idle,
            request: Vec::new(),
            sent_bytes: 0,
            response: ResponseReader::new(keep_body),
            started: Instant::now(),
            number: 0,
        })
    }

    /// Replaces a closed connection.
    pub(crate) fn reopen(
        &mut self,
        endpoint: &Endpoint,
        registry: &Registry,
        token: Token,
    ) -> Result<()> {
        // The system forgets closed sockets by itself, which is the only way in which this can
        // fail.
        let _ = registry.deregister(self.stream.socket_mut());
        self.stream = register(endpoint, registry, token)?;
        self.phase = Phase::Idle;
        Ok(())
    }

    /// Sends the request that `write` appends to what it is given.
    pub(crate) fn start(
        &mut self,
        number: u64,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> std::result::Result<(), Broken> {
        self.number = number;
        self.phase = Phase::Busy;
        self.request.clear();
        self.sent_bytes = 0;
        self.response.clear();
        write(&mut self.request);
        self.started = Instant::now();
        self.send()
    }

    /// Sends what is left of the request, as far as the system takes it now.
    pub(crate) fn send(&mut self) -> std::result::Result<(), Broken> {
        while self.sent_bytes < self.request.len() {
            match self.stream.write(&self.request[self.sent_bytes..]) {
                Ok(0) => return Err(Broken::Closed("it takes no more bytes".to_owned())),
                Ok(bytes) => self.sent_bytes += bytes,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Broken::Closed(error.to_string())),
            }
        }
        Ok(())
    }

    /// Reads until the response is complete or no more bytes are available.
    ///
    /// A complete response ends the bytes before the next request, so the socket need not be read
    /// again: later bytes cause a new event.
    pub(crate) fn receive(&mut self, buffer: &mut [u8]) -> std::result::Result<Extent, Broken> {
        loop {
            let extent = match self.stream.read(buffer) {
                Ok(0) if self.response.is_unstarted() => {
                    return Err(Broken::Closed("it was closed without a response".to_owned()));
                }
                Ok(0) => self.response.push_close(),
                Ok(bytes) => self.response.push(&buffer[..bytes]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(Extent::Partial),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Broken::Closed(error.to_string())),
            };
            match extent {
                Ok(Extent::Partial) => {}
                Ok(Extent::Complete) => return Ok(Extent::Complete),
                Err(Malformed(reason)) => return Err(Broken::Malformed(reason)),
            }
        }
    }

    /// Returns the response, once it is complete.
    pub(crate) fn response(&self) -> &ResponseReader {
        &self.response
    }
}

fn register(
    endpoint: &Endpoint,
    registry: &Registry,
    token: Token,
) -> Result<Transport<TcpStream>> {
    let stream = endpoint.connect()?;
    let nonblocking = || -> io::Result<Transport<TcpStream>> {
        stream.socket().set_nonblocking(true)?;
        let mut stream = stream.map(TcpStream::from_std);
        let interest = Interest::READABLE | Interest::WRITABLE;
        registry.register(stream.socket_mut(), token, interest)?;
        Ok(stream)
    };
    nonblocking().map_err(Error::Io)
}
