//! The settings of a run.

use std::path::PathBuf;
use std::thread;

use crate::{Credentials, Error, Operation, Result};

/// The settings of a run; `Options::new(url)` has those of `monotable bench`.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The URL of the server.
    pub endpoint: String,
    /// A PEM file with the certificates to trust, instead of those that browsers trust.
    pub authority: Option<PathBuf>,
    /// How requests are signed.
    pub credentials: Credentials,
    /// What is measured, in this order.
    pub operations: Vec<Operation>,
    /// The number of connections; each has one request in progress.
    pub connections: usize,
    /// How many threads share the connections.
    pub threads: usize,
    /// How long each operation is measured.
    pub seconds: f64,
    /// How long each operation runs before it is measured.
    pub warm_up_seconds: f64,
    /// How many items the table is filled with.
    pub items: u64,
    /// The seed of the random keys; a new one by default.
    pub seed: Option<u64>,
    /// The table. An existing one must have been filled by an earlier run with as many items;
    /// without a name the run creates a table.
    pub table: Option<String>,
    /// What happens to the table at the end.
    pub table_end: TableEnd,
}

/// What happens to the table at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableEnd {
    /// It is deleted.
    Delete,
    /// It is kept, for inspection or for the next run.
    Keep,
}

impl Options {
    /// The fewest items: a query needs a full partition.
    pub const ITEMS_MIN: u64 = crate::sample::PARTITION_ITEMS;

    /// Returns the usual settings for one endpoint.
    pub fn new(endpoint: impl Into<String>) -> Self {
        Self {
            endpoint: endpoint.into(),
            authority: None,
            credentials: Credentials::default(),
            operations: Operation::ALL.into(),
            connections: 32,
            threads: Self::threads_for(thread::available_parallelism().map_or(1, usize::from)),
            seconds: 3.0,
            warm_up_seconds: 0.5,
            items: 10_000,
            seed: None,
            table: None,
            table_end: TableEnd::Delete,
        }
    }

    /// Returns the number of threads on this many cores. One thread is enough for 200,000 requests/s;
    /// the other cores are for the server.
    fn threads_for(cores: usize) -> usize {
        (cores / 4).max(1)
    }

    /// Refuses settings that measure nothing.
    pub(crate) fn check(&self) -> Result<()> {
        let refuse = |reason: &str| Err(Error::InvalidOptions(reason.to_owned()));
        let is_length = |seconds: f64| (0.0..=1e6).contains(&seconds);
        if self.connections == 0 || self.threads == 0 {
            return refuse("there must be at least one connection and one thread");
        }
        if self.operations.is_empty() {
            return refuse("there must be at least one operation");
        }
        if !is_length(self.seconds) || !is_length(self.warm_up_seconds) || self.seconds == 0.0 {
            return refuse("an operation must be measured for a positive number of seconds");
        }
        if self.items < Self::ITEMS_MIN || self.items > crate::sample::LOADED_ITEMS_MAX {
            return refuse(&format!(
                "the table must have from {} to {} items",
                Self::ITEMS_MIN,
                crate::sample::LOADED_ITEMS_MAX
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_measure_nothing_are_refused() {
        let check = |change: fn(&mut Options)| {
            let mut options = Options::new("http://localhost:8000");
            change(&mut options);
            options.check().is_ok()
        };
        assert!(check(|_| ()));
        assert!(!check(|options| options.connections = 0));
        assert!(!check(|options| options.threads = 0));
        assert!(!check(|options| options.operations.clear()));
        assert!(!check(|options| options.seconds = 0.0));
        assert!(!check(|options| options.seconds = f64::NAN));
        assert!(!check(|options| options.warm_up_seconds = -1.0));
        assert!(!check(|options| options.items = 49));
    }

    #[test]
    fn most_cores_are_left_to_the_server() {
        assert_eq!([1, 2, 4, 8, 16].map(Options::threads_for), [1, 1, 1, 2, 4]);
    }
}
