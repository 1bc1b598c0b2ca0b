//! 3FC as its clients use it: requests through the router, over a table in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

mod accounts;
mod backfill;
mod crash;
mod demo;
mod design;
mod game_crash;
mod game_defects;
mod game_histories;
mod game_rows;
mod grants;
mod invariants;
mod leagues;
mod legacy;
mod literals;
mod matchday;
mod matrix;
mod pages;
mod players;
mod public;
mod result_mails;
mod scenarios;
mod season_tables;
mod seed;
mod sign_in;
mod specification;
mod storage;
mod table;
mod world;
