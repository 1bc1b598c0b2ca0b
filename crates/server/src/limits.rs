//! Every limit of the server, with the attack that it prevents.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The limits for clients. The defaults suit everything that AWS's SDKs do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Concurrent connections. More wait to be accepted: a flood of connections costs no memory.
    /// While a connection waits, those that have been idle for longest are closed.
    pub connections_max: usize,
    /// Bytes of a request's line and headers; more get status 400, as from AWS.
    pub head_bytes_max: usize,
    /// Bytes of a request's body; more get status 413. AWS's own limit.
    pub body_bytes_max: usize,
    /// Bytes of all bodies that are being received or processed, beyond a small one for each
    /// connection; when they are used up, requests wait, and bodies below the minimum rate are
    /// refused. Many large uploads at once can't exhaust the memory, of which a body needs several
    /// times its own size while it is processed.
    pub bodies_bytes_max: usize,
    /// How long a connection may be idle. Before the first request the limit is that of a head.
    pub idle_timeout: Duration,
    /// How long a request's line and headers may take from their first byte. Slow senders are cut
    /// off.
    pub head_timeout: Duration,
    /// How long a body may take, however small it is, and how long a request may wait for memory.
    pub body_timeout: Duration,
    /// The minimum rate of a large body: received bytes extend its time, at this rate. Senders that
    /// stop halfway are cut off soon. 0 disables it.
    pub body_bytes_per_second_min: usize,
    /// How long a client may take to read a response.
    pub write_timeout: Duration,
    /// Bytes of all responses that clients have not fully read. Requests for pages wait when half
    /// of them are used, others when all are, and get status 503 when that lasts; readers below the
    /// minimum rate of bodies are then cut off. Clients that request much and read nothing can't
    /// exhaust the memory.
    pub unread_bytes_max: usize,
    /// How long a shutdown waits for the requests that were accepted.
    pub shutdown_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 4_096,
            head_bytes_max: 16 * 1024,
            body_bytes_max: 16 * 1024 * 1024,
            bodies_bytes_max: 48 * 1024 * 1024,
            idle_timeout: Duration::from_secs(120),
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(10),
            body_bytes_per_second_min: 256 * 1024,
            write_timeout: Duration::from_secs(30),
            unread_bytes_max: 64 * 1024 * 1024,
            shutdown_timeout: Duration::from_secs(10),
        }
    }
}

/// The maximum size of a body in the connection's own buffer; larger ones count as large.
pub(crate) const SMALL_BODY_BYTES: usize = 16 * 1024;

/// The maximum growth of a body's memory at once: requests that need little wait for those that
/// need this.
pub(crate) const ROOM_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The maximum number of headers of a request; more get status 400.
pub(crate) const HEADERS_MAX: usize = 64;

impl Limits {
    /// Returns the number of open files that this number of connections needs.
    pub(crate) fn open_files_wanted(&self) -> usize {
        self.connections_max.saturating_mul(2)
    }

    /// Leaves half of the files that the system lets this process open to the database: a flood of
    /// connections must not exhaust them.
    #[must_use]
    pub(crate) fn within_open_files(mut self, open_files_max: Option<usize>) -> Self {
        if let Some(files) = open_files_max {
            self.connections_max = self.connections_max.min((files / 2).max(1));
        }
        self
    }

    /// Returns how long a body may take when this many bytes of it have arrived.
    pub(crate) fn body_time(&self, bytes: usize) -> Duration {
        let seconds = bytes as f64 / self.body_bytes_per_second_min.max(1) as f64;
        self.body_timeout + Duration::from_secs_f64(seconds)
    }
}

/// Returns how many files this process may open, after requesting as many as it wants; `None` if
/// there is no bound.
pub(crate) fn open_files_max(wanted: usize) -> Option<usize> {
    let wanted = wanted as u64;
    let limit = getrlimit(Resource::Nofile);
    let mut files = limit.current?;
    let raised = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    if files < raised
        && setrlimit(Resource::Nofile, Rlimit { current: Some(raised), ..limit }).is_ok()
    {
        files = raised;
    }
    Some(usize::try_from(files).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_to_the_database() {
        let limit = |files| Limits::default().within_open_files(files).connections_max;
        assert_eq!(limit(None), Limits::default().connections_max);
        assert_eq!(limit(Some(1_024)), 512);
        assert_eq!(limit(Some(1_000_000)), Limits::default().connections_max);
        assert_eq!(limit(Some(0)), 1);
    }

    #[test]
    fn as_many_files_are_asked_for_as_are_wanted() {
        let before = getrlimit(Resource::Nofile);
        let limit = Rlimit { current: Some(500), ..before };
        setrlimit(Resource::Nofile, limit).unwrap();
        assert_eq!(open_files_max(400), Some(500));
        assert_eq!(open_files_max(600), Some(600));
        let most = open_files_max(usize::MAX);
        assert_eq!(most, before.maximum.map(|maximum| maximum as usize).or(most));
        setrlimit(Resource::Nofile, before).unwrap();
    }

    #[test]
    fn what_has_arrived_gives_time() {
        let limits = Limits {
            body_timeout: Duration::from_secs(10),
            body_bytes_per_second_min: 1_000,
            ..Limits::default()
        };
        assert_eq!(limits.body_time(0), Duration::from_secs(10));
        assert_eq!(limits.body_time(2_500), Duration::from_millis(12_500));
    }
}
