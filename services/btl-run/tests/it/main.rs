//! btl.run's game as a function: whole matches, played, replayed, verified and told.
#![expect(clippy::panic, clippy::unwrap_used, reason = "that is how a test fails")]

mod commands;
mod determinism;
mod erasure;
mod legacy;
mod long_play;
mod matches;
mod narrator;
mod redaction;
mod rng;
mod schedule;
mod second;
mod stories;
mod world;
