//! The `monotable` command from outside: its processes, its exit codes, and what its server keeps,
//! answers and survives.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

mod client;
mod clients;
mod command;
mod items;
mod process;

mod bench;
mod credentials;
mod faults;
mod linearizable;
mod serializable;
mod server_kills;
mod services;
mod shutdown;
mod start;
#[cfg(feature = "tls")]
mod tls;
