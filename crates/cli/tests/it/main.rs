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

mod access_log;
mod alarms;
mod backup_faults;
mod backups;
mod bench;
#[cfg(feature = "cloud")]
mod cloud;
mod copy;
mod credentials;
mod faults;
mod linearizable;
mod mask;
mod metrics;
mod serializable;
mod server_kills;
mod services;
mod shutdown;
mod start;
#[cfg(feature = "tls")]
mod tls;
mod transfers;
mod undelete;
