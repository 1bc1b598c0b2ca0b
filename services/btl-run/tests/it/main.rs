//! btl.run: its game as a function, whole matches played, replayed, verified and told; and its service
//! as somebody meets it.
#![expect(clippy::panic, clippy::unwrap_used, reason = "that is how a test fails")]

mod allies;
mod at_once;
mod budget;
mod chat;
mod commands;

mod defects;
mod determinism;
mod erasure;
mod exported;
mod following;
mod game_master;
mod invariants;
mod joining;
mod kv;
mod legacy;
mod long_play;
mod matches;
mod matrix;
mod narrator;
mod odd_rows;
mod once;
mod opening;
mod played;
mod players;
mod reading;
mod redaction;
mod rng;
mod scenarios;
mod schedule;
mod second;
mod served;
mod stories;
mod telling;
mod token_renewal;
mod traffic;
mod turns;
mod world;
