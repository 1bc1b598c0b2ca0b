//! The log of the database's requests: callers, operations and tables, never values.

use std::time::Duration;

use monotable_wire::{Observation, Operation};

/// Records a line for each request to the database.
pub trait RequestLog: Send + Sync {
    /// Logs a request and its response. It must return at once: the connection waits for it.
    fn log(&self, request: &LoggedRequest<'_>);
}

/// The logged properties of a request.
#[derive(Clone, Copy, Debug)]
pub struct LoggedRequest<'a> {
    /// The name of the key that signed it; `None` if it is unsigned, or the key is unknown.
    pub key_name: Option<&'a str>,
    /// The operation; `None` if the request names none or can't be read.
    pub operation: Option<Operation>,
    /// Its tables and units.
    pub observation: &'a Observation,
    /// The status of the response.
    pub status: u16,
    /// AWS's code of the failure, if it failed.
    pub code: Option<&'static str>,
    /// The time from the whole request to its response; `None` for a request that was refused
    /// before.
    pub latency: Option<Duration>,
}
