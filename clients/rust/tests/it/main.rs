//! AWS's SDK for Rust against the endpoint that the environment names.
//!
//! `cargo xtask test --only clients` sets the environment; without it nothing runs, so that no test
//! reaches AWS.

mod backend_errors;
mod backends;
mod backups;
mod batches;
mod endpoint;
mod items;
mod partiql;
mod queries;
mod streams;
mod tables;
mod transactions;
