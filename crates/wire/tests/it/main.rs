//! The integration tests of the protocol, one binary with a module a topic.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "that is how a test fails")]

mod batches;
mod constraints;
mod fixture;
mod items;
mod legacy;
mod mixing;
mod pages;
mod signatures;
mod transactions;
mod values;
