//! btl.run: its game as a function, whole matches played, replayed, verified and told; and its service
//! as somebody meets it.
#![expect(clippy::panic, clippy::unwrap_used, reason = "that is how a test fails")]

mod allies;
mod at_once;
mod budget;
mod chat;
mod commands;
mod defects;
mod design;
mod determinism;
mod ended;
mod erasure;
mod exported;
mod following;
mod forgetting;
mod game_master;
mod invariants;
mod joining;
mod kv;
mod legacy;
mod long_play;
mod matches;
mod matrix;
mod me;
mod narrator;
mod odd_rows;
mod once;
mod opening;
mod played;
mod players;
mod reading;
mod recaps;
mod redaction;
mod repairs;
mod rng;
mod scenarios;
mod schedule;
mod scheduler;
mod second;
mod served;
mod stories;
mod telling;
mod token_renewal;
mod traffic;
mod turns;
mod world;
