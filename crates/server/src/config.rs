//! The configuration of the server.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::access::{Access, Serves};
use crate::error::Error;
use crate::limits::Limits;
use crate::request_log::RequestLog;
use crate::secure::TlsAcceptor;

/// The addresses of the server and its restrictions.
pub struct Config {
    /// The address of the database, or of a site that is served alone; with port 0 a free one is
    /// chosen.
    pub listen: SocketAddr,
    /// Whether there is no database: the site is served alone, by [`Server::run_site_until`](crate::Server::run_site_until).
    pub is_site_alone: bool,
    /// An address for the site alone. Without one, the site is served where the database is.
    pub site_listen: Option<SocketAddr>,
    /// An address for `/metrics`, which shows them to anyone who can connect to it. Other addresses
    /// show them to this machine only.
    pub metrics_listen: Option<SocketAddr>,
    /// Threads that serve requests.
    pub workers: usize,
    /// The requests that the database accepts.
    pub access: Access,
    /// Gets a line for each request to the database.
    pub request_log: Option<Arc<dyn RequestLog>>,
    /// Encrypts the connections of all addresses; without it they are plain text.
    pub tls: Option<Arc<dyn TlsAcceptor>>,
    /// The limits.
    pub limits: Limits,
}

impl Config {
    /// Creates a configuration for requests from this machine, with one thread per core.
    pub fn new(listen: SocketAddr) -> Self {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            listen,
            is_site_alone: false,
            site_listen: None,
            metrics_listen: None,
            workers,
            access: Access::Local,
            request_log: None,
            tls: None,
            limits: Limits::default(),
        }
    }

    /// Checks that a server for this machine only can't be reached by others.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.access {
            Access::Local if !self.is_site_alone && !self.listen.ip().is_loopback() => {
                Err(Error::Unprotected(self.listen))
            }
            Access::Local | Access::Signed(_) | Access::Anyone => Ok(()),
        }
    }

    /// Returns every address to listen on, what it serves, and the flag that sets it.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = (SocketAddr, Serves, &'static str)> {
        let main = match self.site_listen {
            _ if self.is_site_alone => Serves::SiteAlone,
            Some(_) => Serves::Database,
            None => Serves::Everything,
        };
        [
            Some((self.listen, main, "--listen")),
            self.site_listen.map(|address| (address, Serves::Site, "--services-listen")),
            self.metrics_listen.map(|address| (address, Serves::Metrics, "--metrics-listen")),
        ]
        .into_iter()
        .flatten()
    }
}
