//! Backups of all tables: what is in them, what is restored from them, and what happens when they are damaged.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

mod damage;
mod history;
mod schedule;
mod whole;
mod world;
