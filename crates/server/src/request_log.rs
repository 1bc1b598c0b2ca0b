//! The log of the database's requests: who did what to which tables, never with which values.

use std::time::Duration;

use monotable_wire::{Observation, Operation};

/// Keeps a line of each request to the database.
pub trait RequestLog: Send + Sync {
    /// Takes a request that has its response. It must return at once: the connection waits for it.
    fn log(&self, request: &LoggedRequest<'_>);
}

/// What is logged of a request.
#[derive(Clone, Copy, Debug)]
pub struct LoggedRequest<'a> {
    /// The name of the key that signed it; none if it is not signed, or not with a known key.
    pub key_name: Option<&'a str>,
    /// The operation; none if the request names none or can't be read.
    pub operation: Option<Operation>,
    /// Its tables and units.
    pub observation: &'a Observation,
    /// The status of the response.
    pub status: u16,
    /// AWS's code of the failure, if it failed.
    pub code: Option<&'static str>,
    /// The time from the whole request to its response; none for a request that was refused before.
    pub latency: Option<Duration>,
}
