//! The bytes of a connection, plain or through TLS.

use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use rustix::net::RecvFlags;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::secure::TlsStream;

/// The first byte of every TLS connection: the type of a handshake record.
const HANDSHAKE_RECORD: u8 = 22;

/// The stream of a connection.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<dyn TlsStream>),
}

impl Stream {
    fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(stream) => stream.socket(),
        }
    }

    /// Is ready when something can be read without waiting, or never will be.
    pub(super) fn poll_arrived(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Plain(socket) => socket.poll_read_ready(context),
            Self::Tls(stream) => {
                Pin::new(&mut **stream).poll_fill_buf(context).map(|filled| filled.map(|_| ()))
            }
        }
    }

    /// Returns whether the client has left. Received bytes stay for the next read.
    pub(super) fn poll_left(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut byte = [0; 1];
        let waiting_bytes = match self {
            Self::Plain(socket) => {
                ready!(socket.poll_peek(context, &mut ReadBuf::new(&mut byte)))
            }
            Self::Tls(stream) => {
                ready!(Pin::new(&mut **stream).poll_fill_buf(context)).map(<[u8]>::len)
            }
        };
        if waiting_bytes.is_ok_and(|count| count > 0) { Poll::Pending } else { Poll::Ready(()) }
    }

    /// Returns whether the system has received bytes that the runtime may not know of yet.
    pub(super) fn has_input(&self) -> bool {
        self.peek().is_some()
    }

    /// Returns whether the first byte that has arrived begins a TLS handshake.
    pub(super) fn begins_handshake(&self) -> bool {
        self.peek() == Some(HANDSHAKE_RECORD)
    }

    fn peek(&self) -> Option<u8> {
        let mut byte = [0; 1];
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        let (_, count) = rustix::net::recv(self.socket(), &mut byte, flags).ok()?;
        (count > 0).then_some(byte[0])
    }

    /// Writes as much as is accepted without waiting.
    pub(super) async fn write_at_once(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => match socket.try_write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
                written => written,
            },
            Self::Tls(stream) => {
                poll_fn(|context| match Pin::new(&mut **stream).poll_write(context, bytes) {
                    Poll::Pending => Poll::Ready(Ok(0)),
                    written => written,
                })
                .await
            }
        }
    }

    /// Reports to the client at the end that nothing was truncated, without waiting for it.
    pub(super) async fn shut_down(mut self) {
        poll_fn(|context| {
            let _ = Pin::new(&mut self).poll_shutdown(context);
            Poll::Ready(())
        })
        .await;
    }

    /// Returns whether everything that was written has reached the system, without waiting for it.
    pub(super) async fn is_flushed(&mut self) -> io::Result<bool> {
        poll_fn(|context| match Pin::new(&mut *self).poll_flush(context) {
            Poll::Pending => Poll::Ready(Ok(false)),
            Poll::Ready(flushed) => Poll::Ready(flushed.map(|()| true)),
        })
        .await
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Plain(socket) => Pin::new(socket).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(&mut **stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut *self {
            Self::Plain(socket) => Pin::new(socket).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(&mut **stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Plain(socket) => Pin::new(socket).poll_flush(context),
            Self::Tls(stream) => Pin::new(&mut **stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Plain(socket) => Pin::new(socket).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(&mut **stream).poll_shutdown(context),
        }
    }
}
