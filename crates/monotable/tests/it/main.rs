//! The example designs, executed literally; the storage semantics that they need; and the
//! responses to malformed requests.
//!
//! Each seed is a module of its name. Item examples, queries and conditional writes are kept as the
//! seed prints them.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "that is how a test fails"
)]

mod btl_run;
mod codekurukshetra;
mod complaints;
mod diagnostics;
mod entity;
mod guide;
mod hacktracker;
mod league;
mod malformed;
mod scavenger_hunt;
mod shapes;
mod storage_semantics;
mod support;
mod three_fc;
