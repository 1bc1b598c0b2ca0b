//! The integration tests of the protocol, one binary with a module a topic.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "that is how a test fails")]

mod constraints;
mod fixture;
mod items;
mod pages;
mod signatures;
