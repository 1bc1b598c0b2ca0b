//! The bytes of a connection, plain or through TLS.

use std::io::{self, Read, Write};

#[cfg(feature = "tls")]
use rustls::{ClientConnection, StreamOwned};

/// A connection over a socket, blocking or not.
pub(crate) enum Transport<S: Read + Write> {
    Plain(S),
    #[cfg(feature = "tls")]
    Tls(Box<StreamOwned<ClientConnection, S>>),
}

impl<S: Read + Write> Transport<S> {
    pub(crate) fn socket(&self) -> &S {
        match self {
            Self::Plain(socket) => socket,
            #[cfg(feature = "tls")]
            Self::Tls(stream) => &stream.sock,
        }
    }

    pub(crate) fn socket_mut(&mut self) -> &mut S {
        match self {
            Self::Plain(socket) => socket,
            #[cfg(feature = "tls")]
            Self::Tls(stream) => &mut stream.sock,
        }
    }

    /// Returns the same connection over the socket in another form.
    pub(crate) fn map<T: Read + Write>(self, map: impl FnOnce(S) -> T) -> Transport<T> {
        match self {
            Self::Plain(socket) => Transport::Plain(map(socket)),
            #[cfg(feature = "tls")]
            Self::Tls(stream) => {
                let (connection, socket) = stream.into_parts();
                Transport::Tls(Box::new(StreamOwned::new(connection, map(socket))))
            }
        }
    }
}

impl<S: Read + Write> Read for Transport<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(buffer),
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl<S: Read + Write> Write for Transport<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.write(bytes),
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(socket) => socket.flush(),
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.flush(),
        }
    }
}
