//! ScavengerHunt as its clients use it: requests through the router, over a table in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

mod crash;
mod defects;
mod demo;
mod design;
mod games;
mod histories;
mod invariants;
mod legacy;
mod matrix;
mod pages;
mod photos;
mod positions;
mod rows;
mod scenarios;
mod secrecy;
mod storage;
mod talk;
mod world;
