//! The kit as a service uses it: requests through the router, over a table in memory.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "functions beside the tests fail a test as its own assertions do"
)]

mod backfill;
mod blobs;
mod board;
mod callers;
mod commits;
mod cors;
mod declarations;
mod documents;
mod forms;
mod identity;
mod jobs;
mod names;
mod once;
mod operations;
mod outbox;
mod pages;
mod programs;
mod records;
mod responses;
mod shelf;
mod sign_in;
mod steps;
mod typed;
mod version_cache;
mod versions;
mod world;
