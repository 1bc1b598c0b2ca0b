//! The integration tests of the engine, one binary with a module a topic.
#![expect(clippy::panic, clippy::unwrap_used, reason = "that is how a test fails")]

mod crash_images;
mod damage;
mod faults;
mod memory;
mod oracle;
mod readers;
mod space;
mod statistics;
mod storage;
mod streams;
mod submit;
mod tables;
