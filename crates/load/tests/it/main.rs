//! The load generator against a fake server, whose responses each test sets.
#![expect(clippy::unwrap_used, reason = "that is how a test fails")]

mod client;
mod fake;
mod refusals;
mod runs;
