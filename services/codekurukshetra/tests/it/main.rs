//! CodeKurukshetra as its clients use it: requests through the router, over a table in memory and a gateway in
//! this process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

mod config;
mod design;
mod event_day;
mod storage;
mod world;
