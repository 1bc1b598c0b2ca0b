//! HackTracker as its clients use it: requests through the router, over a table in memory.

mod at_bats;
mod backfill;
mod design;
mod games;
mod legacy;
mod matrix;
mod scenarios;
mod seed;
mod views;
mod world;
