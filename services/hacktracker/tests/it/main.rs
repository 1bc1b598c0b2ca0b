//! HackTracker as its clients use it: requests through the router, over a table in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation is a failed test"
)]

mod at_bats;
mod backfill;
mod claims;
mod corrections;
mod crash;
mod design;
mod erasure;
mod forgetting;
mod games;
mod histories;
mod innings;
mod invariants;
mod invites;
mod legacy;
mod lineups;
mod links;
mod lists;
mod matrix;
mod members;
mod messages;
mod numbers;
mod odd_rows;
mod place;
mod players;
mod scenarios;
mod schedule;
mod seasons;
mod seed;
mod shares;
mod statistics;
mod storage;
mod streams;
mod team_life;
mod teams;
mod users;
mod views;
mod world;
