//! btl.run: its game as a function, whole matches played, replayed, verified and told; and its service
//! as somebody meets it.
#![expect(clippy::panic, clippy::unwrap_used, reason = "that is how a test fails")]

mod budget;
mod commands;
mod determinism;
mod erasure;
mod game_master;
mod joining;
mod kv;
mod legacy;
mod long_play;
mod matches;
mod narrator;
mod once;
mod opening;
mod players;
mod redaction;
mod rng;
mod schedule;
mod second;
mod served;
mod stories;
mod token_renewal;
mod turns;
mod world;
