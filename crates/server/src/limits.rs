//! Every bound of the server, with what it is good against.

use std::time::Duration;

/// What a client may use of the server. The defaults suit everything that AWS's SDKs do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time. More wait to be accepted: a flood of connections costs no memory.
    pub connections_max: usize,
    /// Bytes of a request's line and headers; more get status 431.
    pub head_bytes_max: usize,
    /// Bytes of a request's body; more get status 413. AWS's own limit.
    pub body_bytes_max: usize,
    /// Bytes of all bodies that are being received, beyond a small one for each connection; when
    /// they are used up, requests wait. Many large uploads at once can't exhaust the memory.
    pub bodies_bytes_max: usize,
    /// How long a connection may be open without a request.
    pub idle_timeout: Duration,
    /// How long a request's line and headers may take from their first byte. Senders that trickle
    /// are cut off.
    pub head_timeout: Duration,
    /// How long a body may take, however small it is, and how long it may wait for memory.
    pub body_timeout: Duration,
    /// The least rate of a large body: what has arrived gives it more time, at this rate. Senders
    /// that stop halfway are cut off soon, and with them their claim on memory.
    pub body_bytes_per_second_min: usize,
    /// How long a client may leave a response unread.
    pub write_timeout: Duration,
    /// How long a shutdown waits for the requests that were accepted.
    pub shutdown_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 4_096,
            head_bytes_max: 16 * 1024,
            body_bytes_max: 16 * 1024 * 1024,
            bodies_bytes_max: 96 * 1024 * 1024,
            idle_timeout: Duration::from_secs(120),
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(10),
            body_bytes_per_second_min: 256 * 1024,
            write_timeout: Duration::from_secs(30),
            shutdown_timeout: Duration::from_secs(10),
        }
    }
}

/// What a body may take of the connection's own buffer before it counts as large.
pub(crate) const SMALL_BODY_BYTES: usize = 16 * 1024;

/// How many headers a request may have; more get status 431.
pub(crate) const HEADERS_MAX: usize = 64;

impl Limits {
    /// How long a body may have been on its way when this many bytes of it have arrived.
    pub(crate) fn body_time(&self, bytes: usize) -> Duration {
        let seconds = bytes as f64 / self.body_bytes_per_second_min.max(1) as f64;
        self.body_timeout + Duration::from_secs_f64(seconds)
    }
}
