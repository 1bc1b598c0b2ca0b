//! How the server is set up.

use std::net::SocketAddr;

use monotable_wire::sigv4::KeyRing;

use crate::error::Error;
use crate::limits::Limits;

/// Where the server listens and what it allows.
pub struct Config {
    /// The address; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Threads that serve requests.
    pub workers: usize,
    /// Who may do what. None asks nobody, and is for the loopback only.
    pub keys: Option<KeyRing>,
    /// The bounds.
    pub limits: Limits,
}

impl Config {
    /// A server of this address with one thread a core.
    pub fn new(listen: SocketAddr) -> Self {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        Self { listen, workers, keys: None, limits: Limits::default() }
    }

    /// A server that asks for no signatures must not be reachable by others.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.keys.is_some() || self.listen.ip().is_loopback() {
            true => Ok(()),
            false => Err(Error::Unprotected(self.listen)),
        }
    }
}
