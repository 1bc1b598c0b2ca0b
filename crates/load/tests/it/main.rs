//! The load generator against a server made for the test, which answers as each test wants.
#![expect(clippy::unwrap_used, reason = "that is how a test fails")]

mod client;
mod fake;
mod refusals;
mod runs;
