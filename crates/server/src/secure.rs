//! The seam for TLS: the server reads and writes secure streams without knowing who secures them.

use std::future::Future;
use std::io;
use std::pin::Pin;

use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio::net::TcpStream;

/// Makes the connections of every address secure.
pub trait TlsAcceptor: Send + Sync {
    /// Shakes hands with a client. The server limits the time.
    fn accept(&self, socket: TcpStream) -> Accepting;
}

/// A handshake that is under way.
pub type Accepting = Pin<Box<dyn Future<Output = io::Result<Box<dyn TlsStream>>> + Send>>;

/// A connection after its handshake. `poll_fill_buf` is pending until whole records have arrived.
pub trait TlsStream: AsyncBufRead + AsyncWrite + Send + Unpin {
    /// Returns the socket below.
    fn socket(&self) -> &TcpStream;
}
