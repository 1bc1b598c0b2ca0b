//! The interface for TLS: the server reads and writes encrypted streams without knowing the
//! implementation.

use std::future::Future;
use std::io;
use std::pin::Pin;

use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio::net::TcpStream;

/// Encrypts the connections of every address.
pub trait TlsAcceptor: Send + Sync {
    /// Performs the handshake with a client. The server limits the time.
    fn accept(&self, socket: TcpStream) -> Accepting;
}

/// A handshake in progress.
pub type Accepting = Pin<Box<dyn Future<Output = io::Result<Box<dyn TlsStream>>> + Send>>;

/// A connection after its handshake. `poll_fill_buf` is pending until whole records have arrived.
pub trait TlsStream: AsyncBufRead + AsyncWrite + Send + Unpin {
    /// Returns the underlying socket.
    fn socket(&self) -> &TcpStream;
}
