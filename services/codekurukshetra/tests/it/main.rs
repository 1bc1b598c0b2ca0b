//! CodeKurukshetra as its clients use it: requests through the router, over a table in memory and a gateway in
//! this process.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

mod admin;
mod audit;
mod backfill;
mod config;
mod crash;
mod demo;
mod design;
mod event_day;
mod exports;
mod keeping;
mod limits;
mod literals;
mod matrix;
mod money;
mod pages;
mod payment_defects;
mod payments;
mod people;
mod privacy;
mod registration;
mod returns;
mod scenarios;
mod storage;
mod teams;
mod world;
