//! Why a server does not start.

use std::net::SocketAddr;

/// Why a server does not start; the text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address can't be listened on.
    #[error("can't listen on {address}: {reason}. Choose another address with --listen.")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system says.
        reason: std::io::Error,
    },
    /// Anybody could reach the server and nobody would be asked who they are.
    #[error(
        "refusing to listen on {0} without credentials: everybody who can reach it could read and \
         change all data. Pass --credentials FILE, or listen on the loopback (127.0.0.1)."
    )]
    Unprotected(SocketAddr),
    /// A thread or runtime can't be started.
    #[error("can't start: {0}")]
    Start(std::io::Error),
}
