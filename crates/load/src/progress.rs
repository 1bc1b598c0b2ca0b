//! The progress of a run, for a watcher.

use std::fmt;

use crate::Operation;

/// One step of a run. The callback that gets it may stop the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress<'a> {
    /// The table is being created.
    Creating {
        /// Its name.
        table: &'a str,
    },
    /// Items are being written, none of them measured.
    Filling {
        /// Items written so far.
        items: u64,
        /// Items to write.
        items_total: u64,
    },
    /// An operation is warming up or being measured.
    Measuring {
        /// Which one.
        operation: Operation,
        /// The number of responses so far.
        requests: u64,
        /// For how long so far.
        seconds: f64,
        /// The total time.
        seconds_total: f64,
    },
    /// The table is being deleted.
    Deleting {
        /// Its name.
        table: &'a str,
    },
}

impl fmt::Display for Progress<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Creating { table } => write!(formatter, "creating table {table}"),
            Self::Filling { items, items_total } => {
                write!(formatter, "filling: {items} of {items_total} items")
            }
            Self::Measuring { operation, requests, seconds, seconds_total } => write!(
                formatter,
                "{operation}: {seconds:.1} of {seconds_total:.1} s, {requests} requests"
            ),
            Self::Deleting { table } => write!(formatter, "deleting table {table}"),
        }
    }
}
