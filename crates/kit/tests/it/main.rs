//! The kit as a service uses it: requests through the router, over a table in memory.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "functions beside the tests fail a test as its own assertions do"
)]

mod board;
mod callers;
mod commits;
mod cors;
mod declarations;
mod documents;
mod identity;
mod jobs;
mod once;
mod operations;
mod outbox;
mod pages;
mod programs;
mod records;
mod shelf;
mod steps;
mod typed;
mod versions;
mod world;
