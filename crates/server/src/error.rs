//! Why a server does not start.

use std::net::SocketAddr;

/// Why a server does not start; the text contains what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address can't be listened on.
    #[error("can't listen on {address}: {reason}. Choose another address with {flag}.")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The flag that sets the address.
        flag: &'static str,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// Everyone who can reach the server could use the database.
    #[error(
        "refusing to listen on {0} without credentials: everyone who can reach it could read and \
         change all data. Pass --credentials FILE, listen on the loopback (127.0.0.1), or pass \
         --allow-anonymous if that is what you want."
    )]
    Unprotected(SocketAddr),
    /// A thread or runtime can't be started.
    #[error("can't start: {0}")]
    Start(std::io::Error),
}
