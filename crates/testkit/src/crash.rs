//! Crashes and failing disks: a writer process that is killed or gets I/O faults, and the
//! invariants of its database afterwards.
//!
//! The writer (`crash_writer`) writes in a pattern that its seed determines ([`workload`]) and
//! keeps a journal of what it intended and what was acknowledged ([`journal`]). A test kills it, or
//! starts it under a shim that makes one of its file calls fail ([`shim`], [`fault`]), then opens
//! the directory itself and compares its contents with the journal ([`verify`]):
//!
//! - every acknowledged write is there; of each thread's last, unacknowledged one either everything
//!   or nothing (of a batch: each write, everything or nothing);
//! - a transaction is there completely or not at all, its counter included;
//! - indexes agree with the items through `check()` and through queries;
//! - replaying the stream results in the table.
//!
//! This module uses the engine's public interface and does not know its files.
//!
//! # Running it
//!
//! `cargo test -p monotable-testkit --test it` runs figures that fit CI. Set in the environment:
//!
//! | variable | meaning | CI | soak |
//! |---|---|---|---|
//! | `MONOTABLE_CRASH_CYCLES` | kill -9 cycles on disk; tmpfs gets ten times as many | 3 | 300 |
//! | `MONOTABLE_FAULT_RUNS` | runs of the writer that meet a fault | 48 | 21000 |
//! | `MONOTABLE_SEED` | repeats a run; every test prints the seed it used | random | random |
//! | `MONOTABLE_FAULT_RUN` | repeats only this fault run, in the words a failure prints | | |
//!
//! A directory whose check failed is kept, and its path is printed.

pub mod fault;
pub mod fault_run;
mod indexes;
pub mod journal;
pub mod model;
pub mod place;
pub mod plan;
pub mod process;
mod request;
pub mod seed;
pub mod shim;
pub mod stream;
pub mod verify;
pub mod workload;
pub mod writer;

/// Why a test of this module failed.
pub struct Failure(String);

impl Failure {
    /// Creates a failure with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Prepends the location to the failure.
    #[must_use]
    pub fn at(self, place: impl std::fmt::Display) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

/// Not an error itself, so that `?` accepts every error.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// The text without quotes: tests return failures, and the test runner prints them for debugging.
impl std::fmt::Debug for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The result of a step of a test.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Fails with a text unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err($crate::crash::Failure::new(format!($($text)+)));
        }
    };
}
pub(crate) use ensure;
